import { Context, Effect, Option } from "effect"
import { effectiveCommission } from "../accounts/terms.ts"
import type { Account } from "../domain/Account.ts"
import type { Address } from "../domain/Address.ts"
import { Bps } from "../domain/Bps.ts"
import type { Chain, Network } from "../domain/Chain.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { Registry } from "../providers/Registry.ts"

/** The addresses that the operator accepts, and the fallback refund addresses; the same for every account. */
export class AddressPolicy extends Context.Service<AddressPolicy, {
  /** The networks whose addresses are accepted (setting `CHAINFLIP_NETWORK`). */
  readonly networks: ReadonlyArray<Network>
  /** The addresses that deposits are refunded to when the caller names none (decision 5). */
  readonly fallbackRefundAddresses: { readonly [Key in Chain]?: Address }
  /** The ss58 prefix of broker accounts. */
  readonly brokerAccountPrefix: number
}>()("swap-broker/swapping/AddressPolicy") {}

/** Everything besides the request that the rules of a swap depend on. */
export interface SwapTerms extends Context.Service.Shape<typeof AddressPolicy> {
  /** The commission for an override, or without one (decision 7). */
  readonly effectiveCommission: (override: number | undefined) => Bps
  /** Whether the account may name affiliates. */
  readonly affiliatesAllowed: boolean
  /** The enabled providers. */
  readonly platforms: ReadonlyArray<ProviderName>
  /** Whether the caller has to name a refund address; its absence is then reported where the request is read. */
  readonly refundAddressRequired?: boolean
}

/** The terms under which an account can swap at present. */
export const swapTerms = Effect.fnUntraced(function* (account: Account) {
  const providers = yield* (yield* Registry).enabled
  return {
    ...yield* AddressPolicy,
    affiliatesAllowed: account.affiliates,
    platforms: providers.map(({ name }) => name),
    effectiveCommission: (override: number | undefined) =>
      effectiveCommission(account, Option.map(Option.fromUndefinedOr(override), (bps) => Bps.make(bps))),
  } satisfies SwapTerms
})
