import { Match, Schema } from "effect"
import { AccountName, AccountTerms, type Caller } from "../accounts/Account.ts"
import { Address } from "../chains/Address.ts"
import { AffiliateName } from "../accounts/Affiliate.ts"
import { AssetId } from "../chains/Asset.ts"
import { JournalEntryId } from "../swaps/Journal.ts"
import { KeyId, KeyTerms } from "../accounts/Key.ts"
import { Language } from "../Language.ts"
import { Merchant } from "../accounts/Merchant.ts"
import { ProviderName } from "../ProviderName.ts"
import { SwitchChange } from "./ProviderSwitch.ts"
import { RouteRule } from "../accounts/Route.ts"
import { SwapState } from "../swaps/Swap.ts"
import { SwapRecordId } from "../swaps/SwapRecord.ts"
import { EpochMillis } from "../Time.ts"
import { WantedTypes, WebhookId } from "../accounts/Webhook.ts"
import { WithdrawalId, WithdrawalState } from "./Withdrawal.ts"
import { optional } from "../optional.ts"

/** The author of a change: a request's account and key, the command line's user, or the first start. */
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
const SwitchState = Schema.Struct(switchState).annotate({ identifier: "SwitchState" })

const SwapOwner = Schema.Struct({ account: AccountName })

/** The recorded part of a webhook endpoint. Its URL is left out, as it may hold a secret. */
const WebhookStanding = Schema.Struct({
  enabled: Schema.Boolean,
  language: optional(Language),
  types: optional(WantedTypes),
}).annotate({ identifier: "WebhookStanding" })

/** A merchant with the hash of its picture, as the text that was set, in place of the picture. */
const MerchantStanding = Schema.Struct({
  displayName: Merchant.fields.displayName,
  colour: Merchant.fields.colour,
  logoSha256: optional(Schema.String),
  support: Merchant.fields.support,
  returnUrl: Merchant.fields.returnUrl,
}).annotate({ identifier: "MerchantStanding" })

const WithdrawalStanding = Schema.Struct({ withdrawalId: WithdrawalId, state: WithdrawalState })

const ofWebhook = { account: AccountName, webhookId: WebhookId }

/** Recorded terms. Entries from before accounts could be without MCP do not tell of it. */
const RecordedTerms = Schema.Struct({ ...AccountTerms.fields, mcp: optional(AccountTerms.fields.mcp) })
  .annotate({ identifier: "AccountTerms" })

/** Why a key that a form asked for again did not count: unknown or expired, another account's, no scope. */
export const KeyRefusal = Schema.Literals(["unknown", "otherAccount", "scopeMissing"])
export type KeyRefusal = typeof KeyRefusal.Type

/** A change, with the state before it, if there was any, and the state after it. Secrets are never included. */
export const AuditChange = Schema.Union([
  Schema.Struct({ action: Schema.Literal("account.created"), account: AccountName, after: RecordedTerms }),
  Schema.Struct({
    action: Schema.Literal("account.changed"),
    account: AccountName,
    before: RecordedTerms,
    after: RecordedTerms,
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
    action: Schema.Literal("key.refused"),
    account: AccountName,
    after: Schema.Struct({ form: Schema.String, reason: KeyRefusal }),
  }),
  Schema.Struct({
    action: Schema.Literal("portal.linked"),
    account: AccountName,
    after: Schema.Struct({ expiresAt: EpochMillis }),
  }),
  Schema.Struct({
    action: Schema.Literal("route.set"),
    account: AccountName,
    before: optional(RouteRule),
    after: RouteRule,
  }),
  Schema.Struct({ action: Schema.Literal("route.removed"), account: AccountName, before: RouteRule }),
  Schema.Struct({
    action: Schema.Literal("merchant.set"),
    account: AccountName,
    before: MerchantStanding,
    after: MerchantStanding,
  }),
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
  Schema.Struct({
    action: Schema.Literal("swap.accepted"),
    account: AccountName,
    swapId: SwapRecordId,
    before: Schema.Struct({ state: SwapState }),
    after: Schema.Struct({ state: SwapState, entry: JournalEntryId }),
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
  Schema.Struct({
    action: Schema.Literal("withdrawal.requested"),
    platform: ProviderName,
    after: Schema.Struct({
      withdrawalId: WithdrawalId,
      asset: AssetId,
      affiliate: optional(Schema.String),
      destination: Address,
    }),
  }),
  Schema.Struct({
    action: Schema.Literal("withdrawal.decided"),
    platform: ProviderName,
    before: WithdrawalStanding,
    after: WithdrawalStanding,
    reason: Schema.String,
  }),
  Schema.Struct({
    action: Schema.Literal("ledger.entered"),
    platform: ProviderName,
    after: Schema.Struct({ asset: AssetId, amountNative: Schema.String, reason: Schema.String }),
  }),
  Schema.Struct({
    action: Schema.Literal("affiliate.named"),
    platform: ProviderName,
    after: Schema.Struct({
      name: AffiliateName,
      account: optional(Schema.String),
      withdrawalAddress: Address,
    }),
  }),
])
export type AuditChange = typeof AuditChange.Type

/** Every action that the log has. */
export const AuditAction = Schema.Literals(
  AuditChange.members.flatMap(({ fields: { action } }) => action.literal),
)
export type AuditAction = typeof AuditAction.Type

/** Which entries of the log to list. Each filter that is given narrows the list. */
export interface AuditFilters {
  /** The account that was changed, or whose key, route, webhook or swap was. */
  readonly account?: AccountName
  /** Absent or empty: every action. */
  readonly actions?: ReadonlyArray<AuditAction>
  /** Who made the change, by `actorName`; `cli` stands for every user of the command line. */
  readonly actor?: string
  /** The first time of a change. */
  readonly from?: EpochMillis
  /** The time before which a change was made. */
  readonly before?: EpochMillis
}

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
