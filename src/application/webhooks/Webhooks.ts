import { base32 } from "@scure/base"
import { Duration, Effect, Equal, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { type Language, usualLanguage } from "#domain/Language.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  type AttemptFailure,
  newWebhookSecret,
  type Webhook,
  WebhookId,
  type WebhookSecret,
} from "#domain/accounts/Webhook.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { WebhooksRepo } from "#infrastructure/store/webhooks/WebhooksRepo.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { type Reach, readUrl } from "./destination.ts"
import { TooManySecrets, TooManyWebhooks, WebhookUnknown } from "./failures.ts"
import { Poster } from "./Poster.ts"
import { SecretBox } from "./SecretBox.ts"

/** The owner of endpoints: the account of a request, or the one that the operator names. */
export type Owner = Pick<Account, "id" | "name" | "maximumWebhooks">

/** The terms that an endpoint is created with. */
export type WebhookTerms = Pick<Webhook, "url" | "types"> & Partial<Pick<Webhook, "language">>

/** A change of an endpoint; absent members stay as they are. */
export interface WebhookChange {
  readonly enabled?: boolean
  readonly language?: Language
  /** `Option.none()`: all types. */
  readonly types?: Option.Option<NonNullable<Webhook["types"]>>
}

/** An endpoint with its new secret, which is shown now or never. */
export interface WebhookWithSecret {
  readonly webhook: Webhook
  readonly secret: WebhookSecret
}

/** The rules for endpoints. The reach decides which URLs are allowed. */
export interface WebhooksOptions extends Reach {
  /** The most endpoints of one account. */
  readonly most: number
}

/** How long earlier secrets still sign after a new one, unless the request says otherwise. */
export const defaultOverlap = Duration.hours(24)

/** The most secrets of an endpoint. Each signs every message, in a header whose length receivers limit. */
const mostSecrets = 5

const idByteCount = 10

const newWebhookId = (): WebhookId =>
  WebhookId.make(`whk_${base32.encode(crypto.getRandomValues(new Uint8Array(idByteCount))).toLowerCase()}`)

/** Issues of a URL that leads to no place where a message may go. */
const placeIssues: Readonly<Partial<Record<AttemptFailure, string>>> = {
  name_unresolved: "has a host that leads to no address",
  address_forbidden: "leads to an address that is not on the internet",
}

/** A message in the clear may go to this machine alone, in the sandbox: elsewhere the scheme is what is wrong. */
const placeIssue = (failure: AttemptFailure, protocol: string): string =>
  failure === "address_forbidden" && protocol === "http:"
    ? "must begin with https://: http:// may only lead to this machine"
    : placeIssues[failure] ?? "has a host that cannot be looked up"

/** The endpoints of the accounts. Every change is in the audit log; the URL is not, as it may hold a secret. */
export class Webhooks extends service<Webhooks>()(
  "swap-broker/webhooks/Webhooks",
  (options: WebhooksOptions) =>
    Effect.gen(function* () {
      const repo = yield* WebhooksRepo
      const audit = yield* AuditRepo
      const poster = yield* Poster
      const box = yield* SecretBox

      const find = Effect.fnUntraced(function* ({ id: account }: Owner, id: WebhookId) {
        const found = yield* repo.find({ account, id })
        return yield* Effect.mapError(Effect.fromOption(found), () => new WebhookUnknown())
      })

      /** The canonical URL, if a message may go where it leads at present. */
      const place = Effect.fnUntraced(function* (text: string) {
        const { href, protocol } = yield* Effect.mapError(
          Effect.fromResult(readUrl(text, options)),
          (sentence) => new InvalidRequest({ errors: issueAbout("url", sentence) }),
        )
        yield* Effect.mapError(
          poster.check(href),
          (failure) => new InvalidRequest({ errors: issueAbout("url", placeIssue(failure, protocol)) }),
        )
        return href
      })

      /** Creates an endpoint, which gets every event from now on. */
      const create = Effect.fn("Webhooks.create")(
        function* (owner: Owner, { language = usualLanguage, types, url }: WebhookTerms, actor: Actor) {
          const href = yield* place(url)
          const at = yield* currentMillis
          const id = newWebhookId()
          const secret = newWebhookSecret()
          const webhook: Webhook = {
            id,
            url: href,
            language,
            ...defined({ types }),
            createdAt: at,
            enabled: true,
          }
          return yield* audit.recorded("Webhooks.create", { actor, at }, function* () {
            const most = owner.maximumWebhooks ?? options.most
            if ((yield* repo.countOf(owner.id)) >= most) return yield* new TooManyWebhooks({ most })
            yield* repo.add({ ...webhook, accountId: owner.id })
            yield* repo.addSecret(id, box.keep(id, secret), at)
            return {
              value: { webhook, secret },
              changes: [{
                action: "webhook.created",
                account: owner.name,
                webhookId: id,
                after: standingOf(webhook),
              }],
            }
          })
        },
      )

      /** Changes an endpoint. Once enabled again it goes on where it was: no event of the time between is lost. */
      const change = Effect.fn("Webhooks.change")(
        function* (owner: Owner, id: WebhookId, wanted: WebhookChange, actor: Actor) {
          const at = yield* currentMillis
          return yield* audit.recorded("Webhooks.change", { actor, at }, function* () {
            const webhook = yield* find(owner, id)
            const value = changed(webhook, wanted, at)
            const [before, after] = [standingOf(webhook), standingOf(value)]
            if (Equal.equals(before, after)) return { value: webhook, changes: [] }
            yield* repo.change(id, {
              ...defined({ types: wanted.types, language: wanted.language }),
              ...(webhook.enabled === value.enabled ? {} : {
                disabled: value.enabled ? Option.none() : Option.some({ reason: "asked", at }),
              }),
            })
            const account = owner.name
            return { value, changes: [{ action: "webhook.changed", account, webhookId: id, before, after }] }
          })
        },
      )

      /** Makes a new secret; earlier ones also sign for `overlap`. */
      const rotate = Effect.fn("Webhooks.rotate")(
        function* (owner: Owner, id: WebhookId, overlap: Duration.Duration, actor: Actor) {
          const secret = newWebhookSecret()
          const at = yield* currentMillis
          const othersUntil = EpochMillis.make(at + Duration.toMillis(overlap))
          return yield* audit.recorded("Webhooks.rotate", { actor, at }, function* () {
            const webhook = yield* find(owner, id)
            if (othersUntil !== at && (yield* repo.secretsSigning(id, at)) >= mostSecrets) {
              return yield* new TooManySecrets({ most: mostSecrets })
            }
            yield* repo.addSecret(id, box.keep(id, secret), othersUntil)
            return {
              value: { webhook, secret },
              changes: [{
                action: "webhook.rotated",
                account: owner.name,
                webhookId: id,
                after: { othersUntil },
              }],
            }
          })
        },
      )

      /** Removes an endpoint with all its deliveries, past and pending. */
      const remove = Effect.fn("Webhooks.remove")(function* (owner: Owner, id: WebhookId, actor: Actor) {
        return yield* audit.recorded("Webhooks.remove", { actor, at: yield* currentMillis }, function* () {
          const value = yield* find(owner, id)
          yield* repo.remove(id)
          const [account, before] = [owner.name, standingOf(value)]
          return { value, changes: [{ action: "webhook.removed", account, webhookId: id, before }] }
        })
      })

      return {
        create,
        /** The endpoints of an owner, the oldest first. */
        ofAccount: ({ id }: Owner) => repo.ofAccount(id),
        find,
        /** The account that an endpoint is of, for the operator's search. */
        accountOf: (id: WebhookId) => repo.accountOf(id),
        change,
        rotate,
        remove,
      }
    }),
) {}

/** The part of an endpoint that the audit log records. */
const standingOf = ({ enabled, language, types }: Webhook) => ({ enabled, language, ...defined({ types }) })

const changed = (before: Webhook, { enabled, language, types }: WebhookChange, at: EpochMillis): Webhook => {
  const { types: beforeTypes, disabledAt, disabledReason, failingSince, ...rest } = before
  const wanted = types === undefined ? beforeTypes : Option.getOrUndefined(types)
  const isSame = enabled === undefined || enabled === before.enabled
  return {
    ...rest,
    ...defined({ language, types: wanted }),
    ...(isSame
      ? defined({ disabledAt, disabledReason, failingSince })
      : enabled
      ? { enabled }
      : { enabled, disabledAt: at, disabledReason: "asked" as const }),
  }
}
