import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type AccountId, AccountName } from "../../domain/Account.ts"
import type { StoreUnavailable } from "../../domain/StoreError.ts"
import type { EpochMillis } from "../../domain/Time.ts"
import {
  Attempt,
  Delivery,
  type DisabledReason,
  WantedTypes,
  Webhook,
  type WebhookId,
} from "../../domain/Webhook.ts"
import { Timestamp, toTimestamp } from "../database/columns.ts"
import { storeOperation } from "../database/storeOperation.ts"

/** Postgres itself makes our records of the rows: empty columns are absent, and times are in milliseconds. */
const millis = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`

const record = (members: Readonly<Record<string, string>>): string =>
  `jsonb_strip_nulls(jsonb_build_object(${
    Object.entries(members).map(([name, column]) => `'${name}', ${column}`).join(", ")
  })) AS record`

/** A `Webhook` of a row of `webhooks`. */
export const webhookRecord = record({
  id: "id",
  url: "url",
  types: "types",
  createdAt: millis("created_at"),
  enabled: "disabled_at IS NULL",
  disabledReason: "disabled_reason",
  disabledAt: millis("disabled_at"),
  failingSince: millis("failing_since"),
})

/** A `Delivery` of a row `d` of `webhook_deliveries`, with the row `o` of `outbox` if it has one. */
export const deliveryRecord = record({
  id: "d.id",
  messageId: "coalesce('evt_' || d.event_id, 'test_' || d.id)",
  type: "coalesce(o.type, 'webhook.test')",
  eventId: "d.event_id",
  swapId: "d.swap_id",
  state: "d.state",
  createdAt: millis("d.created_at"),
  attempts: "d.attempts",
  nextAttemptAt: millis("d.next_attempt_at"),
  endedAt: millis("d.ended_at"),
})

/** An `Attempt` of a row of `webhook_attempts`. */
export const attemptRecord = record({
  at: millis("at"),
  durationMillis: "duration_millis",
  status: "status",
  failure: "failure",
  excerpt: "excerpt",
})

const decoder = <A>(schema: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ record: schema })))
  return (rows: unknown) => Effect.map(decode(rows), (all) => all.map(({ record }) => record))
}

export const decodeWebhooks = decoder(Webhook)
export const decodeDeliveries = decoder(Delivery)
export const decodeAttempts = decoder(Attempt)

/** An endpoint to be added. */
export interface NewWebhook extends Pick<Webhook, "id" | "url" | "types" | "createdAt"> {
  readonly accountId: AccountId
}

/** The possible changes of an endpoint. */
export interface WebhookChanges {
  /** `Option.none()`: all types. */
  readonly types?: Option.Option<WantedTypes>
  /** `Option.none()`: enabled. */
  readonly disabled?: Option.Option<{ readonly reason: DisabledReason; readonly at: EpochMillis }>
}

/** The endpoints of an account that no message has reached for some time. */
const FailingWebhooks = Schema.Struct({ account: AccountName, webhooks: Schema.Int, since: Timestamp })
export type FailingWebhooks = typeof FailingWebhooks.Type
const decodeFailing = Schema.decodeUnknownEffect(Schema.Array(FailingWebhooks))

/** One endpoint of one account: another account's endpoint is not found. */
export interface OwnWebhook {
  readonly account: AccountId
  readonly id: WebhookId
}

const encodeTypes = Schema.encodeEffect(Schema.fromJsonString(WantedTypes))
const decodeCount = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ count: Schema.Int })))
const countIn = (rows: unknown) => Effect.map(decodeCount(rows), ([row]) => row?.count ?? 0)

/** The endpoints of the accounts, and the secrets that sign their messages. */
export class WebhooksRepo extends Context.Service<WebhooksRepo, {
  /** Adds an endpoint, which gets every event written from now on. */
  readonly add: (webhook: NewWebhook) => Effect.Effect<void, StoreUnavailable>
  /** The endpoints of an account, the oldest first. */
  readonly ofAccount: (account: AccountId) => Effect.Effect<ReadonlyArray<Webhook>, StoreUnavailable>
  readonly countOf: (account: AccountId) => Effect.Effect<number, StoreUnavailable>
  readonly find: (own: OwnWebhook) => Effect.Effect<Option.Option<Webhook>, StoreUnavailable>
  readonly change: (id: WebhookId, changes: WebhookChanges) => Effect.Effect<void, StoreUnavailable>
  /** Removes an endpoint with its deliveries. */
  readonly remove: (id: WebhookId) => Effect.Effect<void, StoreUnavailable>
  /** The number of an endpoint's secrets that sign at this time. */
  readonly secretsSigning: (id: WebhookId, at: EpochMillis) => Effect.Effect<number, StoreUnavailable>
  /** Adds a secret in its stored form; earlier ones sign until `othersUntil`, and no longer than before. */
  readonly addSecret: (
    id: WebhookId,
    kept: string,
    othersUntil: EpochMillis,
  ) => Effect.Effect<void, StoreUnavailable>
  /** The accounts whose enabled endpoints have failed since a time or longer, the longest failing first. */
  readonly failing: (since: EpochMillis) => Effect.Effect<ReadonlyArray<FailingWebhooks>, StoreUnavailable>
  /** Deletes the secrets that no longer sign: a finder could still forge messages of their time. */
  readonly forgetSecrets: (now: EpochMillis) => Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/store/WebhooksRepo") {
  static readonly layer = Layer.effect(
    WebhooksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const record = sql.literal(webhookRecord)

      const typesOf = (types: WantedTypes | undefined) =>
        types === undefined ? Effect.succeed(null) : encodeTypes(types)

      const add = Effect.fnUntraced(function* ({ accountId, createdAt, id, types, url }: NewWebhook) {
        yield* sql`
          INSERT INTO webhooks (id, account_id, url, types, created_at, position)
          SELECT ${id}, ${accountId}, ${url}, ${yield* typesOf(types)}::jsonb, ${toTimestamp(createdAt)},
            coalesce((SELECT max(id) FROM outbox WHERE account_id = ${accountId}), 0)`
      }, storeOperation("Webhooks.add"))

      const ofAccount = (account: AccountId) =>
        sql`SELECT ${record} FROM webhooks WHERE account_id = ${account} ORDER BY created_at, id`.pipe(
          Effect.flatMap(decodeWebhooks),
          storeOperation("Webhooks.ofAccount"),
        )

      const countOf = Effect.fnUntraced(function* (account: AccountId) {
        const rows = yield* sql`SELECT count(*)::int AS count FROM webhooks WHERE account_id = ${account}`
        return yield* countIn(rows)
      }, storeOperation("Webhooks.countOf"))

      const find = ({ account, id }: OwnWebhook) =>
        sql`SELECT ${record} FROM webhooks WHERE id = ${id} AND account_id = ${account}`.pipe(
          Effect.flatMap(decodeWebhooks),
          Effect.map(Array.head),
          storeOperation("Webhooks.find"),
        )

      const change = Effect.fnUntraced(function* (id: WebhookId, { types, disabled }: WebhookChanges) {
        if (types !== undefined) {
          const wanted = yield* typesOf(Option.getOrUndefined(types))
          yield* sql`UPDATE webhooks SET types = ${wanted}::jsonb WHERE id = ${id}`
        }
        if (disabled === undefined) return
        const { at, reason } = Option.match(disabled, {
          onNone: () => ({ at: null, reason: null }),
          onSome: ({ at, reason }) => ({ at: toTimestamp(at), reason }),
        })
        yield* sql`
          UPDATE webhooks SET disabled_at = ${at}::timestamptz, disabled_reason = ${reason}::text,
            failing_since = NULL
          WHERE id = ${id}`
      }, storeOperation("Webhooks.change"))

      const remove = (id: WebhookId) =>
        sql`DELETE FROM webhooks WHERE id = ${id}`.pipe(Effect.asVoid, storeOperation("Webhooks.remove"))

      const secretsSigning = Effect.fnUntraced(function* (id: WebhookId, at: EpochMillis) {
        const rows = yield* sql`
          SELECT count(*)::int AS count FROM webhook_secrets
          WHERE webhook_id = ${id} AND (expires_at IS NULL OR expires_at > ${toTimestamp(at)})`
        return yield* countIn(rows)
      }, storeOperation("Webhooks.secretsSigning"))

      const addSecret = Effect.fnUntraced(
        function* (id: WebhookId, kept: string, othersUntil: EpochMillis) {
          const until = toTimestamp(othersUntil)
          yield* sql`
            UPDATE webhook_secrets SET expires_at = least(expires_at, ${until}) WHERE webhook_id = ${id}`
          yield* sql`INSERT INTO webhook_secrets (webhook_id, secret) VALUES (${id}, ${kept})`
        },
        storeOperation("Webhooks.addSecret"),
      )

      const forgetSecrets = (now: EpochMillis) =>
        sql`DELETE FROM webhook_secrets WHERE expires_at <= ${toTimestamp(now)}`.pipe(
          Effect.asVoid,
          storeOperation("Webhooks.forgetSecrets"),
        )

      const failing = (since: EpochMillis) =>
        sql`
          SELECT a.name AS account, count(*)::int AS webhooks, min(w.failing_since) AS since
          FROM webhooks w JOIN accounts a ON a.id = w.account_id
          WHERE w.failing_since <= ${toTimestamp(since)} AND w.disabled_at IS NULL
          GROUP BY a.name ORDER BY since, account`.pipe(
          Effect.flatMap(decodeFailing),
          storeOperation("Webhooks.failing"),
        )

      return WebhooksRepo.of({
        add,
        ofAccount,
        countOf,
        find,
        change,
        remove,
        secretsSigning,
        addSecret,
        failing,
        forgetSecrets,
      })
    }),
  )
}
