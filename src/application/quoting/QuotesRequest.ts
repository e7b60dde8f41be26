import { type BigDecimal, Predicate, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type Address, checkAddress, checkRecipient } from "#domain/chains/Address.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { Network } from "#domain/chains/Chain.ts"
import type { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import { issueAbout, type Issues, issuesOf } from "#domain/Issues.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { RankBy } from "#domain/quotes/QuoteRank.ts"
import type { StartInput } from "#domain/swaps/Start.ts"
import { type SwapRequest, totalCommission } from "#domain/swaps/SwapRequest.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { alreadyTold, differentAssets, knownPlatform, present, swapAmountOf } from "#domain/RequestRules.ts"

/** A caller's request for quotes, as far as it could be read. */
export interface QuoteInput {
  readonly sourceAsset?: AssetId
  readonly destinationAsset?: AssetId
  /** A human amount, or already native units. */
  readonly amount?: BigDecimal.BigDecimal | NativeAmount
  /** What is to arrive, in its place: a human amount, or native units. */
  readonly amountOut?: BigDecimal.BigDecimal
  readonly amountOutNative?: NativeAmount
  readonly commissionBps?: number
  readonly platform?: string
  readonly sourceAddress?: string
  readonly destinationAddress?: string
  readonly rank?: RankBy
  readonly start?: StartInput
  /** Names whose values could not be read: that was reported, and none of them counts as missing. */
  readonly unreadable?: ReadonlyArray<string>
}

/** A request for limits, which depend on no amount. */
export const ofPair = (wish: QuoteInput): QuoteInput => ({ ...wish, amount: NativeAmount.make(1n) })

/** A caller's request for quotes that passed every rule; the commission is still the caller's. */
export interface QuotesRequest {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amount: SwapAmount
  readonly commissionBps: number | undefined
  readonly platform: ProviderName | undefined
  readonly sender?: Address
  readonly recipient?: Address
  /** What the quotes are ranked by; absent: by net output. */
  readonly rank?: RankBy
  /** How the swaps of the quotes begin; absent: with a deposit channel. */
  readonly start?: StartInput
  /** Whether quotes in chunks are left out. */
  readonly regularOnly?: boolean
}

/** The order for quotes of a swap that was checked, priced with the commission of all its brokers. */
export const orderFor = (request: SwapRequest, amount: SwapAmount) => ({
  sourceAsset: request.sourceAsset,
  destinationAsset: request.destinationAsset,
  amount,
  commissionBps: totalCommission(request),
  recipient: request.destinationAddress,
})

/** Everything besides the request that the rules of a quote depend on. */
export interface QuoteTerms {
  readonly platforms: ReadonlyArray<ProviderName>
  /** The networks whose addresses are accepted. */
  readonly networks: ReadonlyArray<Network>
}

const addressOf = (
  parameter: string,
  text: string | undefined,
  asset: AssetId | undefined,
  networks: ReadonlyArray<Network>,
  check: typeof checkAddress,
): Result.Result<Address | undefined, Issues> => {
  if (text === undefined || asset === undefined) return Result.succeed(undefined)
  return Result.mapError(
    check(chainOf(asset), networks, text),
    (predicate) => issueAbout(parameter, predicate),
  )
}

const amountNames = ["amount", "amountNative", "amountOut", "amountOutNative"]

const wantedAmount = (wish: QuoteInput): Result.Result<SwapAmount, Issues> => {
  const { amount, unreadable = [], ...others } = wish
  if (amountNames.some((name) => unreadable.includes(name))) return alreadyTold
  const given = Predicate.isBigInt(amount)
    ? { ...others, amountNative: amount }
    : { ...others, ...defined({ amount }) }
  return Result.flatMap(
    swapAmountOf(given),
    (found) =>
      found === undefined
        ? Result.fail(issueAbout("amount", "or amountOut is required"))
        : Result.succeed(found),
  )
}

/** The order, or everything that is wrong with the request. */
export const quoteOrder = (
  wish: QuoteInput,
  { networks, platforms }: QuoteTerms,
): Result.Result<QuotesRequest, Issues> => {
  const parts = {
    sourceAsset: present(wish.sourceAsset),
    destinationAsset: present(wish.destinationAsset),
    amount: wantedAmount(wish),
    commissionBps: Result.succeed(wish.commissionBps),
    platform: knownPlatform(wish.platform, platforms),
    pair: differentAssets(wish.sourceAsset, wish.destinationAsset),
    sender: addressOf("sourceAddress", wish.sourceAddress, wish.sourceAsset, networks, checkAddress),
    recipient: addressOf(
      "destinationAddress",
      wish.destinationAddress,
      wish.destinationAsset,
      networks,
      checkRecipient,
    ),
  }
  return Result.mapBoth(Result.all(parts), {
    onFailure: () => issuesOf(Object.values(parts)),
    onSuccess: ({ pair: _, recipient, sender, ...order }) => ({
      ...order,
      ...defined({ sender, recipient, rank: wish.rank, start: wish.start }),
    }),
  })
}
