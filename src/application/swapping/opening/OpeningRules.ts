import { type BigDecimal, Context, Effect, type Option } from "effect"
import type { AccountsByName } from "../../accounts/AffiliateNames.ts"
import { effectiveCommission, ownTolerance, providersOf } from "../../accounts/accountTerms.ts"
import { Quoting } from "../../quoting/Quoting.ts"
import type { Account } from "#domain/accounts/Account.ts"
import type { Address } from "#domain/chains/Address.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { Chain, Network } from "#domain/chains/Chain.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { QuoteId } from "#domain/quotes/BoundQuote.ts"
import type { QuoteOffer } from "#domain/quotes/QuoteOffer.ts"
import { Registry } from "#providers/Registry.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { CcmPayload } from "#domain/swaps/SwapRequest.ts"

/** A caller's request to `/swap`, as far as it could be read; the names are the contract's. */
export interface SwapInput {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  readonly destinationAddress?: string
  readonly boostFee?: number
  readonly minimumPrice?: BigDecimal.BigDecimal
  readonly refundAddress?: string
  readonly retryDurationInBlocks?: number
  readonly numberOfChunks?: number
  readonly chunkIntervalBlocks?: number
  readonly commissionBps?: number
  readonly affiliate1?: string
  readonly affiliate1CommissionBps?: number
  readonly affiliate2?: string
  readonly affiliate2CommissionBps?: number
  readonly affiliate3?: string
  readonly affiliate3CommissionBps?: number
  readonly affiliate4?: string
  readonly affiliate4CommissionBps?: number
  readonly amount?: BigDecimal.BigDecimal
  readonly amountNative?: NativeAmount
  readonly amountOut?: BigDecimal.BigDecimal
  readonly amountOutNative?: NativeAmount
  readonly platform?: string
  readonly ccmPayload?: CcmPayload
  readonly quoteId?: QuoteId
  /** How far below the quote's estimated price the limit may be; in percent. */
  readonly slippageTolerancePercent?: BigDecimal.BigDecimal
  /** Names whose values could not be read: that was reported, and none of them counts as missing. */
  readonly unreadable?: ReadonlyArray<string>
}

/** The addresses and accounts that requests may name, and the fallback refund addresses. */
export class OpeningRules extends Context.Service<OpeningRules, {
  /** The networks whose addresses are accepted (setting `CHAINFLIP_NETWORK`). */
  readonly networks: ReadonlyArray<Network>
  /** The network that a provider's channels are paid on: the sandbox of a simulated one alone, whatever the mode. */
  readonly networkOf: (platform: ProviderName) => Network
  /** The addresses that deposits are refunded to when the caller names none (decision 5). */
  readonly fallbackRefundAddresses: { readonly [Key in Chain]?: Address }
  readonly brokerAccountPrefix: number
  readonly affiliateNames: Effect.Effect<AccountsByName>
  /** The most that a provider's recommendation takes off the price limit of a swap, in percent. */
  readonly toleranceMost: BigDecimal.BigDecimal
}>()("swap-broker/swapping/OpeningRules") {}

/** Everything besides the request that the rules of a swap depend on. */
export interface SwapTerms extends Omit<Context.Service.Shape<typeof OpeningRules>, "affiliateNames"> {
  /** The commission for an override, or without one (decision 7). */
  readonly effectiveCommission: (override: number | undefined) => Bps
  readonly affiliateNames: AccountsByName
  /** The quote of an id; nothing where it was not given to the account. */
  readonly boundQuote: (id: QuoteId) => Option.Option<QuoteOffer>
  /** Whether the account may name affiliates. */
  readonly affiliatesAllowed: boolean
  readonly platforms: ReadonlyArray<ProviderName>
  /** Whether the caller has to name a refund address; its absence is then reported where the request is read. */
  readonly refundAddressRequired?: boolean
}

/** Makes the function that finds the terms under which an account can swap at present. */
export const makeSwapTerms = Effect.gen(function* () {
  const registry = yield* Registry
  const quoting = yield* Quoting
  const { affiliateNames, ...rules } = yield* OpeningRules
  return (account: Account): Effect.Effect<SwapTerms> =>
    Effect.zipWith(registry.enabled, affiliateNames, (providers, affiliateNames) => ({
      ...rules,
      toleranceMost: ownTolerance(account) ?? rules.toleranceMost,
      affiliateNames,
      boundQuote: (id) => quoting.boundQuote(account.id, id),
      affiliatesAllowed: account.affiliates,
      platforms: providersOf(account, providers).map(({ name }) => name),
      effectiveCommission: (override) => effectiveCommission(account, override),
    }))
})
