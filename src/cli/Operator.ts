import { Context, type Effect } from "effect"
import type { AccountBody, IssuedKeyBody, MovedSwapBody, NewKeyBody } from "../api/OperatorBodies.ts"
import type { JournalEntryBody } from "../api/Journal.ts"
import type { ProviderBody } from "../api/Providers.ts"
import type { AccountName, AccountTerms } from "../domain/Account.ts"
import type { AuditEntry, AuditEntryId } from "../domain/Audit.ts"
import type { ApiKeyRecord, KeyId } from "../domain/Key.ts"
import type { RoutePair, RouteRule } from "../domain/Route.ts"
import type { SwitchChange } from "../domain/ProviderSwitch.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import type { CommandFailed } from "./CommandFailed.ts"
import type { WebhookWork } from "./WebhookWork.ts"

/** A provider and its switches; how its operations fare is known only to a running service. */
export type ProviderSeen =
  & Pick<ProviderBody, "name" | "enabled" | "disabledReason" | "switches">
  & Pick<Partial<ProviderBody>, "registered" | "operations">

/** Which part of the audit log: the latest first, from `offset` on, itself included. */
export interface AuditPart {
  readonly offset?: AuditEntryId
  readonly limit: number
}

type Doing<A> = Effect.Effect<A, CommandFailed>

/**
 * What the operator can do, wherever it is done: by a running service (`overHttp`) or in the database itself
 * (`overDatabase`). Every change is in the audit log.
 */
export class Operator extends Context.Service<Operator, {
  readonly accounts: Doing<ReadonlyArray<AccountBody>>
  readonly createAccount: (name: AccountName, terms: Partial<AccountTerms>) => Doing<AccountBody>
  readonly changeAccount: (name: AccountName, terms: Partial<AccountTerms>) => Doing<AccountBody>
  /** The latest first. */
  readonly keys: (account: AccountName) => Doing<ReadonlyArray<ApiKeyRecord>>
  readonly issueKey: (account: AccountName, terms: NewKeyBody) => Doing<IssuedKeyBody>
  readonly revokeKey: (id: KeyId) => Doing<ApiKeyRecord>
  readonly routes: (account: AccountName) => Doing<ReadonlyArray<RouteRule>>
  /** All rules then. */
  readonly setRoute: (account: AccountName, rule: RouteRule) => Doing<ReadonlyArray<RouteRule>>
  /** All rules then. */
  readonly removeRoute: (account: AccountName, pair: RoutePair) => Doing<ReadonlyArray<RouteRule>>
  readonly providers: Doing<ReadonlyArray<ProviderSeen>>
  readonly switchProvider: (change: SwitchChange) => Doing<ProviderSeen>
  /** Everything that happened to a swap, the first entry first. */
  readonly journal: (swap: SwapRecordId) => Doing<ReadonlyArray<JournalEntryBody>>
  /** To whose account it belongs then. */
  readonly moveSwap: (swap: SwapRecordId, to: AccountName) => Doing<MovedSwapBody>
  readonly webhooks: WebhookWork
  /** The latest first. */
  readonly audit: (part: AuditPart) => Doing<ReadonlyArray<AuditEntry>>
}>()("swap-broker/cli/Operator") {}
