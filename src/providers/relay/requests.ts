import { Option, Result, Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { Fee, FeeType } from "#domain/money/Fee.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import {
  depositTransactions,
  isStillExpected,
  type OrderFacts,
  positive,
  type StatusContext,
} from "../upstream/orderRecord.ts"
import { Amount, Count, decode, IsoTime, maybe, type Noticed } from "../upstream/values.ts"
import { findServedChain } from "./chains.ts"
import type { Currencies } from "./conditions.ts"
import { SignedAmount, WireCurrency } from "./answer.ts"
import { assetOf } from "./quotes.ts"

/** Hashes; an empty text is none. */
const Hashes = maybe(Schema.Array(Schema.String))

const toldOf = (hashes: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  hashes.filter((hash) => hash !== "")

/** The answer of `GET /intents/status/v3` (relay/wire.md 1, status): no amounts. */
export const WireStatus = Schema.Struct({
  status: Schema.String,
  inTxHashes: Hashes,
  txHashes: Hashes,
  /** Milliseconds. */
  updatedAt: Schema.optionalKey(Schema.Unknown),
  failReason: maybe(Schema.String),
  refundFailReason: maybe(Schema.String),
})
type WireStatus = typeof WireStatus.Type

const Transactions = maybe(Schema.Array(Schema.Struct({
  txHash: maybe(Schema.String),
  chainId: maybe(Count),
  status: maybe(Schema.String),
})))
type Transactions = typeof Transactions.Type

const Paid = Schema.Struct({ currency: maybe(WireCurrency), amount: maybe(Amount) })

/** What went in and came out on the chain of the deposit; read apart, as most swaps are told without it. */
const Origin = Schema.Struct({ inputCurrency: maybe(Paid), outputCurrency: maybe(Paid) })

/** A figure of a fee, which is below 0 where the network rewards. */
const Figure = maybe(Schema.Struct({ amount: maybe(SignedAmount) }))

/** One request of `GET /requests/v3` (relay/wire.md 1, requests). */
export const WireRequest = Schema.Struct({
  id: Schema.String,
  status: Schema.String,
  recipient: maybe(Address),
  refundTo: maybe(Address),
  /** The request that the money went on under. */
  supersededByRequestId: maybe(Schema.String),
  /** With the payer's own transaction; `inTxs` has that by which the network takes the deposit up. */
  depositAddress: maybe(Schema.Struct({ address: maybe(Address), depositTxHash: maybe(Schema.String) })),
  data: Schema.Struct({
    failReason: maybe(Schema.String),
    refundFailReason: maybe(Schema.String),
    inTxs: Transactions,
    outTxs: Transactions,
    refundCurrencyData: maybe(Paid),
    route: maybe(Schema.Struct({
      actual: maybe(Schema.Struct({
        origin: Schema.optionalKey(Schema.Unknown),
        destination: maybe(Schema.Struct({ outputCurrency: maybe(Paid) })),
      })),
    })),
    appFees: maybe(Schema.Struct({
      actual: maybe(Schema.Array(Schema.Struct({ amount: maybe(Amount) }))),
      currency: maybe(WireCurrency),
    })),
    fees: maybe(Schema.Struct({
      quoted: maybe(Schema.Struct({ execution: Figure, platform: Figure, swap: Figure })),
      currency: maybe(WireCurrency),
    })),
  }),
  protocol: maybe(Schema.Struct({
    deposit: maybe(Schema.Struct({
      origin: maybe(Schema.Struct({
        amount: maybe(Amount),
        chainId: maybe(Count),
        currency: maybe(Schema.String),
      })),
    })),
  })),
  updatedAt: Schema.optionalKey(Schema.Unknown),
})
export type WireRequest = typeof WireRequest.Type

/** What an answer says has happened, with why it was not filled or not refunded. */
export interface RelayOrder extends OrderFacts {
  readonly failReason: string | undefined
  readonly refundFailReason: string | undefined
}

/** The context of a reading, with the currencies that amounts may be in. */
export interface RequestContext extends StatusContext {
  readonly currencies: Currencies
}

/** No reason is written as null, as nothing and as `N/A`. */
const reasonOf = (reason: string | undefined): string | undefined => reason === "N/A" ? undefined : reason

const isPaidOut = (status: string): boolean =>
  status === "submitted" || status === "delayed" || status === "success"

/** Whether an amount paid out that an answer does not tell is only promised: unless one before has told it. */
const isPromised = ({ swapEgress }: SwapStatus): boolean =>
  swapEgress === undefined || swapEgress.isPromised === true

/** When an answer says that it was made, which is only shown; the present where that cannot be read. */
const timeIn = <I>(form: Schema.Codec<number, I>, said: unknown, now: EpochMillis): EpochMillis =>
  decode(form, said).pipe(
    Result.getSuccess,
    Option.flatMap((millis) => EpochMillis.makeOption(millis)),
    Option.getOrElse(() => now),
  )

/** What can be known without a key. A payout is as promised at the opening, and of a refund there is no amount. */
export const orderOfStatus = (
  { failReason, inTxHashes, refundFailReason, status, txHashes: outTxHashes, updatedAt }: WireStatus,
  { depositChannel: { expectedDepositAmount, expectedOutputAmount }, known, now }: StatusContext,
): RelayOrder => {
  const transactions = depositTransactions(toldOf(inTxHashes), known)
  const txHashes = toldOf(outTxHashes)
  const payout = txHashes[0] ??
    (status === "success" && isOnOneChain(known) ? toldOf(inTxHashes)[0] : undefined)
  const deposit = known.deposit?.amount ?? expectedDepositAmount ?? noAmount
  return {
    status,
    updatedAt: timeIn(Count, updatedAt, now),
    hasDeposit: transactions.depositTransaction !== undefined || known.deposit !== undefined,
    depositedAmount: undefined,
    depositAmount: deposit,
    isDepositExpected: isStillExpected(undefined, known),
    ...transactions,
    amountIn: deposit,
    amountOut: known.swapEgress?.amount ?? (status === "success" ? expectedOutputAmount : undefined),
    isOutPromised: isPromised(known),
    payoutTransaction: isPaidOut(status) ? payout : undefined,
    refundedAmount: undefined,
    // Of two transactions of a refund the first is the one that pays.
    refundTransaction: status === "refund" ? txHashes[0] : undefined,
    refundReason: reasonOf(failReason) ?? reasonOf(refundFailReason),
    failReason: reasonOf(failReason),
    refundFailReason: reasonOf(refundFailReason),
  }
}

/** Whether an amount is in this asset, as far as is told: in another one it would be misread. */
const isIn = (currency: WireCurrency | undefined, asset: AssetId, currencies: Currencies): boolean =>
  currency === undefined || assetOf(currencies, currency) === asset

const amountOf = (
  amount: NativeAmount | undefined,
  currency: WireCurrency | undefined,
  asset: AssetId,
  currencies: Currencies,
): NativeAmount | undefined => isIn(currency, asset, currencies) ? positive(amount) : undefined

/** The transactions on a chain that did not fail. */
const hashesOn = (chain: Chain, transactions: Transactions): ReadonlyArray<string> =>
  transactions.flatMap(({ chainId, status, txHash }) =>
    txHash === undefined || txHash === "" || status === "failure" ||
      (chainId !== undefined && findServedChain(chainId) !== chain)
      ? []
      : [txHash]
  )

/** Whether the swap stays on its chain, where there is no transaction but the one that takes the deposit up. */
const isOnOneChain = ({ destinationAsset, sourceAsset }: SwapStatus): boolean =>
  chainOf(sourceAsset) === chainOf(destinationAsset)

const originOf = ({ route }: WireRequest["data"]): typeof Origin.Type =>
  Result.getOrElse(
    decode(Origin, route?.actual?.origin ?? {}, ["data", "route", "actual", "origin"]),
    () => ({}),
  )

/** What arrived: of a swap on one chain what came out on the side of the deposit (relay/wire.md 1, requests). */
export const paidBy = ({ data }: WireRequest, known: SwapStatus): typeof Paid.Type | undefined => {
  const output = data.route?.actual?.destination?.outputCurrency
  return output ?? (isOnOneChain(known) ? originOf(data).outputCurrency : undefined)
}

/** What came in, where it is of the asset that was asked for. A 0 says that nothing came only where all is over. */
const depositedOf = ({ data, protocol, status }: WireRequest, { currencies, known }: RequestContext) => {
  const actual = originOf(data).inputCurrency
  const { amount = actual?.amount, chainId, currency } = protocol?.deposit?.origin ?? {}
  const paid = chainId === undefined || currency === undefined
    ? actual?.currency
    : { chainId, address: currency }
  return isIn(paid, known.sourceAsset, currencies)
    ? status === "success" ? amount : positive(amount)
    : undefined
}

/** What is known with a key. A payout without amount is as promised; a surplus comes back beside the payout. */
export const orderOfRequest = (request: WireRequest, context: RequestContext): RelayOrder => {
  const { currencies, depositChannel: { expectedDepositAmount, expectedOutputAmount }, known } = context
  const { data, depositAddress, status } = request
  const depositedAmount = depositedOf(request, context)
  const taken = hashesOn(chainOf(known.sourceAsset), data.inTxs ?? [])
  const transactions = depositTransactions(toldOf([depositAddress?.depositTxHash ?? "", ...taken]), known)
  const paid = isPaidOut(status) ? hashesOn(chainOf(known.destinationAsset), data.outTxs ?? []) : []
  const payout = paid[0] ?? (status === "success" && isOnOneChain(known) ? taken[0] : undefined)
  const returned = hashesOn(chainOf(known.sourceAsset), data.outTxs ?? []).filter((hash) => hash !== payout)
  // Of two transactions of a refund the first is the one that pays.
  const [refundTransaction] = status === "refund" || status === "success" ? returned : []
  const deposit = depositedAmount ?? known.deposit?.amount ?? expectedDepositAmount ?? noAmount
  const output = paidBy(request, known)
  const told = amountOf(output?.amount, output?.currency, known.destinationAsset, currencies)
  const back = data.refundCurrencyData
  return {
    status,
    updatedAt: timeIn(IsoTime, request.updatedAt, context.now),
    hasDeposit: depositedAmount !== undefined || transactions.depositTransaction !== undefined ||
      known.deposit !== undefined,
    depositedAmount,
    depositAmount: deposit,
    isDepositExpected: isStillExpected(depositedAmount, known),
    ...transactions,
    amountIn: status === "refund" ? deposit : expectedDepositAmount ?? deposit,
    amountOut: told ?? known.swapEgress?.amount ?? (status === "success" ? expectedOutputAmount : undefined),
    isOutPromised: told === undefined && isPromised(known),
    payoutTransaction: payout,
    refundedAmount: refundTransaction === undefined
      ? undefined
      : amountOf(back?.amount, back?.currency, known.sourceAsset, currencies),
    refundTransaction,
    refundReason: reasonOf(data.failReason) ?? reasonOf(data.refundFailReason),
    failReason: reasonOf(data.failReason),
    refundFailReason: reasonOf(data.refundFailReason),
  }
}

const fee = (type: FeeType, asset: AssetId | undefined, amount: NativeAmount): ReadonlyArray<Fee> =>
  asset === undefined || amount === 0n ? [] : [{ type, asset, amount }]

/** What a refund cost, where both amounts are told. */
export const refundFees = (
  { depositedAmount, refundedAmount }: RelayOrder,
  { known }: StatusContext,
): ReadonlyArray<Fee> =>
  depositedAmount === undefined || refundedAmount === undefined || refundedAmount >= depositedAmount
    ? []
    : fee("refund", known.sourceAsset, NativeAmount.make(depositedAmount - refundedAmount))

/** The commission by what was asked and compared at the opening; nothing else is itemised without a key. */
export const feesOfStatus = (
  { amountIn }: RelayOrder,
  { depositChannel, known }: StatusContext,
): ReadonlyArray<Fee> =>
  fee(
    "broker",
    known.sourceAsset,
    NativeAmount.make(shareOf(amountIn, depositChannel.brokerCommissionBps)),
  ).map((fee) => ({ ...fee, isEstimate: true as const }))

/** An amount that there is; nothing of one below 0. */
const orNothing = (amount: bigint): NativeAmount =>
  Option.getOrElse(NativeAmount.makeOption(amount), () => noAmount)

/** Network and pool losses (relay/wire.md 1, requests). A gain makes the other less; nothing if one is unknown. */
const feesOfNetwork = ({ data: { fees } }: WireRequest, currencies: Currencies) => {
  const { execution, platform, swap } = fees?.quoted ?? {}
  if (fees?.currency === undefined || execution?.amount === undefined || platform?.amount === undefined) {
    return undefined
  }
  const asset = assetOf(currencies, fees.currency)
  const lost = BigInt(swap?.amount ?? 0n)
  const taken = BigInt(execution.amount) + BigInt(platform.amount)
  return {
    network: fee("network", asset, orNothing(lost < 0n ? taken + lost : taken)),
    pools: fee("liquidity", asset, orNothing(taken < 0n ? lost + taken : lost)),
  }
}

/** The commission that was paid, where it is told in an asset of ours; else the one that was compared at the opening. */
const feesOfApp = ({ data: { appFees } }: WireRequest, order: RelayOrder, context: RequestContext) => {
  const paid = appFees?.actual
  const asset = appFees?.currency === undefined ? undefined : assetOf(context.currencies, appFees.currency)
  return asset === undefined || paid === undefined || paid.some(({ amount }) => amount === undefined)
    ? feesOfStatus(order, context)
    : fee("broker", asset, orNothing(paid.reduce((sum, { amount = noAmount }) => sum + amount, 0n)))
}

export interface ReadFees extends Noticed {
  readonly fees: ReadonlyArray<Fee>
}

/** The fees of a request that was filled, in the contract's order (decision 22). */
export const feesOfRequest = (wire: WireRequest, order: RelayOrder, context: RequestContext): ReadFees => {
  const ofApp = feesOfApp(wire, order, context)
  const ofNetwork = feesOfNetwork(wire, context.currencies)
  return ofNetwork === undefined
    ? { fees: ofApp, notices: ["Relay does not report the network fees of this request"] }
    : { fees: [...ofNetwork.network, ...ofApp, ...ofNetwork.pools], notices: [] }
}
