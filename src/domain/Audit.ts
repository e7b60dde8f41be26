import { Match, Schema } from "effect"
import { AccountName, AccountTerms, type Caller } from "./Account.ts"
import { KeyId, KeyTerms } from "./Key.ts"
import { ProviderName } from "./ProviderName.ts"
import { SwitchChange } from "./ProviderSwitch.ts"
import { RouteRule } from "./Route.ts"
import { SwapRecordId } from "./SwapRecord.ts"
import { EpochMillis } from "./Time.ts"
import { WantedTypes, WebhookId } from "./Webhook.ts"

const optional = Schema.optionalKey

/**
 * The author of a change: the account and key of a request, the command line with the operating system's user, or the
 * first start.
 */
export const Actor = Schema.Union([
  Schema.Struct({ type: Schema.Literal("key"), account: AccountName, keyId: KeyId }),
  Schema.Struct({ type: Schema.Literal("cli"), user: optional(Schema.String) }),
  Schema.Struct({ type: Schema.Literal("bootstrap") }),
])
export type Actor = typeof Actor.Type

/** The actor behind a request. */
export const actorOf = ({ name, keyId }: Caller): Actor => ({ type: "key", account: name, keyId })

/** An actor's name, where there is room for nothing else. */
export const actorName: (actor: Actor) => string = Match.type<Actor>().pipe(
  Match.discriminatorsExhaustive("type")({
    key: ({ account }) => account,
    cli: ({ user }) => user === undefined ? "cli" : `cli:${user}`,
    bootstrap: () => "bootstrap",
  }),
)

const { platform: _, ...switchState } = SwitchChange.fields
const SwitchState = Schema.Struct(switchState)

/** The owner of a swap. */
const SwapOwner = Schema.Struct({ account: AccountName })

/** The recorded part of a webhook endpoint. Its URL is left out, as it may hold a secret. */
const WebhookStanding = Schema.Struct({ enabled: Schema.Boolean, types: optional(WantedTypes) })

const ofWebhook = { account: AccountName, webhookId: WebhookId }

/** A change, with the state before it, if there was any, and the state after it. Secrets are never included. */
export const AuditChange = Schema.Union([
  Schema.Struct({ action: Schema.Literal("account.created"), account: AccountName, after: AccountTerms }),
  Schema.Struct({
    action: Schema.Literal("account.changed"),
    account: AccountName,
    before: AccountTerms,
    after: AccountTerms,
  }),
  Schema.Struct({
    action: Schema.Literal("key.issued"),
    account: AccountName,
    keyId: KeyId,
    after: KeyTerms,
  }),
  Schema.Struct({
    action: Schema.Literal("key.revoked"),
    account: AccountName,
    keyId: KeyId,
    before: KeyTerms,
  }),
  Schema.Struct({
    action: Schema.Literal("route.set"),
    account: AccountName,
    before: optional(RouteRule),
    after: RouteRule,
  }),
  Schema.Struct({ action: Schema.Literal("route.removed"), account: AccountName, before: RouteRule }),
  Schema.Struct({
    action: Schema.Literal("provider.switched"),
    platform: ProviderName,
    before: optional(SwitchState),
    after: SwitchState,
  }),
  Schema.Struct({
    action: Schema.Literal("swap.moved"),
    account: AccountName,
    swapId: SwapRecordId,
    before: SwapOwner,
    after: SwapOwner,
  }),
  Schema.Struct({ action: Schema.Literal("webhook.created"), ...ofWebhook, after: WebhookStanding }),
  Schema.Struct({
    action: Schema.Literal("webhook.changed"),
    ...ofWebhook,
    before: WebhookStanding,
    after: WebhookStanding,
  }),
  Schema.Struct({
    action: Schema.Literal("webhook.rotated"),
    ...ofWebhook,
    after: Schema.Struct({ othersUntil: EpochMillis }),
  }),
  Schema.Struct({
    action: Schema.Literal("webhook.replayed"),
    ...ofWebhook,
    after: Schema.Struct({ events: Schema.Int }),
  }),
  Schema.Struct({ action: Schema.Literal("webhook.removed"), ...ofWebhook, before: WebhookStanding }),
])
export type AuditChange = typeof AuditChange.Type

/** The number of an entry; later entries have greater numbers. */
export const AuditEntryId = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("AuditEntryId"))
export type AuditEntryId = typeof AuditEntryId.Type

/** One change, with its actor and time. Entries are never altered. */
export interface AuditEntry {
  readonly id: AuditEntryId
  readonly at: EpochMillis
  readonly actor: Actor
  readonly change: AuditChange
}
