import { Effect, Option, Schema } from "effect"
import { type AccountId, AccountName } from "#domain/accounts/Account.ts"
import type { Language } from "#domain/Language.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type DisabledReason, WantedTypes, Webhook, type WebhookId } from "#domain/accounts/Webhook.ts"
import { Timestamp, toTimestamp } from "../database/columns.ts"
import { column, repository, rows } from "../database/repository.ts"

/** Postgres itself makes our records of the rows: empty columns are absent, and times are in milliseconds. */
export const millis = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint`

/** SQL for an object of these members and what they are read from. Members without a value are left out. */
export const members = (of: Readonly<Record<string, string>>): string =>
  `jsonb_strip_nulls(jsonb_build_object(${
    Object.entries(of).map(([name, column]) => `'${name}', ${column}`).join(", ")
  }))`

/** SQL for a record of these members and the columns that they are read from. */
export const record = (of: Readonly<Record<string, string>>): string => `${members(of)} AS record`

/** An endpoint to be added. */
export interface NewWebhook extends Pick<Webhook, "id" | "url" | "language" | "types" | "createdAt"> {
  readonly accountId: AccountId
}

/** The possible changes of an endpoint. */
export interface WebhookChanges {
  /** `Option.none()`: all types. */
  readonly types?: Option.Option<WantedTypes>
  readonly language?: Language
  /** `Option.none()`: enabled. */
  readonly disabled?: Option.Option<{ readonly reason: DisabledReason; readonly at: EpochMillis }>
}

/** The endpoints of an account that no message has reached for some time. */
const FailingWebhooks = Schema.Struct({ account: AccountName, webhooks: Schema.Int, since: Timestamp })
export type FailingWebhooks = typeof FailingWebhooks.Type

/** One endpoint of one account: another account's endpoint is not found. */
export interface OwnWebhook {
  readonly account: AccountId
  readonly id: WebhookId
}

const webhooks = column(Webhook)
const failing = rows(FailingWebhooks)
const counts = column(Schema.Int)
const names = column(AccountName)
const encodeTypes = Schema.encodeEffect(Schema.fromJsonString(WantedTypes))
const typesOf = (types: WantedTypes | undefined) =>
  types === undefined ? Effect.succeed(null) : encodeTypes(types)

/** The endpoints of the accounts, and the secrets that sign their messages. */
export class WebhooksRepo extends repository<WebhooksRepo>()("Webhooks", ({ op, sql }) => {
  const webhook = sql.literal(record({
    id: "id",
    url: "url",
    language: "language",
    types: "types",
    createdAt: millis("created_at"),
    enabled: "disabled_at IS NULL",
    disabledReason: "disabled_reason",
    disabledAt: millis("disabled_at"),
    failingSince: millis("failing_since"),
  }))

  return {
    /** Adds an endpoint, which gets every event written from now on. */
    add: op("add", function* ({ accountId, createdAt, id, language, types, url }: NewWebhook) {
      yield* sql`
        INSERT INTO webhooks (id, account_id, url, language, types, created_at, position)
        SELECT ${id}, ${accountId}, ${url}, ${language}, ${yield* typesOf(types)}::jsonb, ${
        toTimestamp(createdAt)
      },
          coalesce((SELECT max(id) FROM outbox WHERE account_id = ${accountId}), 0)`
    }),

    /** The endpoints of an account, the oldest first. */
    ofAccount: op(
      "ofAccount",
      (account: AccountId) =>
        webhooks.all(
          sql`SELECT ${webhook} FROM webhooks WHERE account_id = ${account} ORDER BY created_at, id`,
        ),
    ),

    countOf: op(
      "countOf",
      (account: AccountId) =>
        counts.only(sql`SELECT count(*)::int AS count FROM webhooks WHERE account_id = ${account}`),
    ),

    accountOf: op(
      "accountOf",
      (id: WebhookId) =>
        names.first(sql`
          SELECT accounts.name FROM webhooks JOIN accounts ON accounts.id = account_id WHERE webhooks.id = ${id}`),
    ),

    find: op(
      "find",
      ({ account, id }: OwnWebhook) =>
        webhooks.first(sql`SELECT ${webhook} FROM webhooks WHERE id = ${id} AND account_id = ${account}`),
    ),

    change: op("change", function* (id: WebhookId, { disabled, language, types }: WebhookChanges) {
      if (language !== undefined) yield* sql`UPDATE webhooks SET language = ${language} WHERE id = ${id}`
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
    }),

    /** Removes an endpoint with its deliveries. */
    remove: op("remove", (id: WebhookId) => Effect.asVoid(sql`DELETE FROM webhooks WHERE id = ${id}`)),

    /** The number of an endpoint's secrets that sign at this time. */
    secretsSigning: op("secretsSigning", (id: WebhookId, at: EpochMillis) =>
      counts.only(sql`
        SELECT count(*)::int AS count FROM webhook_secrets
        WHERE webhook_id = ${id} AND (expires_at IS NULL OR expires_at > ${toTimestamp(at)})`)),

    /** Adds a secret in its stored form; earlier ones sign until `othersUntil`, and no longer than before. */
    addSecret: op("addSecret", function* (id: WebhookId, kept: string, othersUntil: EpochMillis) {
      const until = toTimestamp(othersUntil)
      yield* sql`
        UPDATE webhook_secrets SET expires_at = least(expires_at, ${until}) WHERE webhook_id = ${id}`
      yield* sql`INSERT INTO webhook_secrets (webhook_id, secret) VALUES (${id}, ${kept})`
    }),

    /** The accounts whose enabled endpoints have failed since a time or longer, the longest failing first. */
    failing: op("failing", (since: EpochMillis) =>
      failing.all(sql`
        SELECT a.name AS account, count(*)::int AS webhooks, min(w.failing_since) AS since
        FROM webhooks w JOIN accounts a ON a.id = w.account_id
        WHERE w.failing_since <= ${toTimestamp(since)} AND w.disabled_at IS NULL
        GROUP BY a.name ORDER BY since, account`)),

    /** Deletes the secrets that no longer sign: a finder could still forge messages of their time. */
    forgetSecrets: op(
      "forgetSecrets",
      (now: EpochMillis) =>
        Effect.asVoid(sql`DELETE FROM webhook_secrets WHERE expires_at <= ${toTimestamp(now)}`),
    ),
  }
}) {}
