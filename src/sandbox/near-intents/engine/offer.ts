import { Option, Result } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { Bps, shareOf } from "#domain/money/Bps.ts"
import { type Prices, pricesOf } from "../../engine/ledger.ts"
import { digest, isAddressOn } from "../../engine/identifiers.ts"
import { amountWorth, larger, leastInput, valueOf, wholeUnit } from "../../engine/pools.ts"
import { blockMillisOf, requiredConfirmations } from "../../engine/blocks.ts"
import { isSent, ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import type { Network } from "../../engine/State.ts"
import type { Intents, Offer, OrderTerms, Quoted, RequestRefusal } from "./State.ts"
import { ed25519 } from "@noble/curves/ed25519.js"
import { base58 } from "@scure/base"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { maximumAppFeeBps, type QuoteRequest } from "./Command.ts"
import { findToken, type Token } from "./tokens.ts"

const million = 1_000_000_000_000n

/** The least value of a quote, in native usdc.eth, besides the fee of its payout. */
const minimumValue = 1_000_000n
/** The highest value that all solvers together accept at once, in native usdc.eth. */
export const maximumValue = 1n * million
/** The protocol's own fee: a millionth of the input (near-intents/wire.md 1, fees). */
const protocolFeeParts = 1_000_000n
/** The time from a complete deposit to the solver's payment. */
export const processingMillis = 20_000

export interface Spread {
  /** In millionths of the value, for every size. */
  readonly base: bigint
  /** In native usdc.eth: a trade of this value would lose all of it on top. */
  readonly depth: bigint
}

/** 2 to 18 bps plus 1 to 5 % for each million USD, by seed and pair: small swaps are mostly better here. */
export const spreadOf = (seed: string, origin: AssetId, destination: AssetId): Spread => {
  const [first = 0, second = 0, third = 0] = digest(seed, "near-intents spread", origin, destination)
  return { base: 200n + BigInt(first * 256 + second) % 1_600n, depth: (20n + BigInt(third) % 81n) * million }
}

/** The amount for the solver: the input less all fees of the order, and the protocol's. */
const netInput = (amount: bigint, fees: OrderTerms["fees"]): bigint =>
  fees.reduce((rest, { fee }) => rest - shareOf(amount, fee), amount - amount / protocolFeeParts)

/** Value v at reference prices less the spreads, p a millionth and d the depth: v × (1 − base × p − v / d). */
const grossOutput = (input: bigint, { origin, destination }: OrderTerms, prices: Prices, spread: Spread) => {
  const units = wholeUnit(origin.asset)
  const value = input * prices.origin
  const whole = 1_000_000n * spread.depth * units
  const kept = spread.base * spread.depth * units + 1_000_000n * value
  return kept >= whole
    ? 0n
    : value * wholeUnit(destination.asset) * (whole - kept) / (units * prices.destination * whole)
}

/** The payout's fee and 1 USD, or the least payout, plus a quarter for spread and fees; at least the bridge's. */
const minimumAmount = (network: Network, { destination, origin }: OrderTerms): bigint => {
  const worth = (amount: bigint) => valueOf(network, destination.asset, amount)
  const value = larger(minimumValue, worth(destination.least?.payout ?? 0n)) + worth(destination.transferFee)
  return larger(amountWorth(network, origin.asset, value * 5n / 4n) + 1n, origin.least?.deposit ?? 0n)
}

/** The seconds from a confirmed deposit to a confirmed payout (near-intents/wire.md 1: counted after confirmation). */
const timeEstimate = ({ destination }: OrderTerms): number => {
  const chain = chainOf(destination.asset)
  return Math.ceil((processingMillis + blockMillisOf(chain) * (requiredConfirmations(chain) + 1)) / 1_000)
}

/** The figures for an output: what it takes at the present prices, and with the tolerance on top. */
const offerFor = (
  network: Network,
  terms: OrderTerms,
  asked: bigint,
): Result.Result<Offer, RequestRefusal> => {
  const { fees, destination, origin, slippageBps } = terms
  const prices = pricesOf(network, terms)
  const spread = spreadOf(network.seed, origin.asset, destination.asset)
  const outputOf = (input: bigint) =>
    grossOutput(netInput(input, fees), terms, prices, spread) - destination.transferFee
  const minimum = outputOf(minimumAmount(network, terms))
  if (asked < minimum) return Result.fail({ _tag: "AmountTooLow", minimum })
  const most = amountWorth(network, origin.asset, maximumValue)
  const needed = leastInput((input) => outputOf(input) >= asked, most)
  if (needed === undefined || slippageBps >= 10_000) return Result.fail({ _tag: "NoLiquidity" })
  const kept = BigInt(10_000 - slippageBps)
  return Result.succeed({
    amountIn: (needed * 10_000n + kept - 1n) / kept,
    minimumAmountIn: needed,
    grossOut: asked + destination.transferFee,
    amountOut: asked,
    minimumAmountOut: asked,
    withdrawFee: destination.transferFee,
    refundFee: origin.transferFee,
    timeEstimateSeconds: timeEstimate(terms),
    prices,
  })
}

/** The figures for an amount at the present prices, or why no solver accepts it. */
export const offerOf = (network: Network, terms: OrderTerms): Result.Result<Offer, RequestRefusal> => {
  const { amount, fees, destination, isExact, origin, slippageBps } = terms
  if (!isSent(amount)) return offerFor(network, terms, amount.amount)
  if (valueOf(network, origin.asset, amount) > maximumValue) return Result.fail({ _tag: "NoLiquidity" })
  const prices = pricesOf(network, terms)
  const spread = spreadOf(network.seed, origin.asset, destination.asset)
  const grossOut = grossOutput(netInput(amount, fees), terms, prices, spread)
  const amountOut = grossOut - destination.transferFee
  const minimum = minimumAmount(network, terms)
  if (amount < minimum) return Result.fail({ _tag: "AmountTooLow", minimum })
  if (amountOut <= 0n) return Result.fail({ _tag: "NoLiquidity" })
  return Result.succeed({
    amountIn: amount,
    minimumAmountIn: isExact ? amount : shareOf(amount, 10_000 - slippageBps),
    grossOut,
    amountOut,
    minimumAmountOut: shareOf(amountOut, 10_000 - slippageBps),
    withdrawFee: destination.transferFee,
    refundFee: origin.transferFee,
    timeEstimateSeconds: timeEstimate(terms),
    prices,
  })
}

const refuse = (refusal: RequestRefusal): Result.Result<never, RequestRefusal> => Result.fail(refusal)

/** The address of twenty zeros on Tron, which nobody holds the key of. */
const nobodyOnTron = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"

/** Whether an address can be a wallet's: what is off Solana's curve is a program's, and zeros are nobody's. */
const isWallet = (chain: Chain, text: string): boolean => {
  if (chain === "Solana") {
    return Result.isSuccess(Result.try(() => ed25519.Point.fromBytes(base58.decode(text))))
  }
  return chain !== "Tron" || text !== nobodyOnTron
}

const isAddressOf = ({ asset }: Token, text: string): boolean =>
  isAddressOn(chainOf(asset), text) && isWallet(chainOf(asset), text)

/** An exchange's account on the XRP Ledger, which demands a destination tag. */
const accountWithTags = "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh"

const ownAccount = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"

/** The least that 1Click takes for itself, in basis points, also where nothing was asked. */
const leastOwnBps = 20

/** The fees of an order: each application has half of what it asked for, and 1Click the other half or more. */
const feesOf = (asked: Exclude<QuoteRequest["appFees"], undefined>): OrderTerms["fees"] => {
  const halves = asked.map(({ fee, recipient }) => ({ recipient, fee: Bps.make(Math.ceil(fee / 2)) }))
  const rest = asked.reduce((sum, { fee }) => sum + Math.floor(fee / 2), 0)
  return [...halves, { recipient: ownAccount, fee: Bps.make(Math.max(rest, leastOwnBps)) }]
}

/** The terms of a request, or the first of 1Click's reasons to refuse it. */
const termsOf = (request: QuoteRequest, areFeesAsAsked: boolean) => {
  const origin = findToken(request.originAsset)
  const destination = findToken(request.destinationAsset)
  const appFeeBps = (request.appFees ?? []).reduce((sum, { fee }) => sum + fee, 0)
  if (origin === undefined) return refuse({ _tag: "InvalidToken", member: "tokenIn" })
  if (destination === undefined || destination === origin) {
    return refuse({ _tag: "InvalidToken", member: "tokenOut" })
  }
  if (!isAddressOf(destination, request.recipient)) {
    return refuse({ _tag: "InvalidAddress", member: "recipient" })
  }
  if (!isAddressOf(origin, request.refundTo)) return refuse({ _tag: "InvalidAddress", member: "refundTo" })
  if ([request.recipient, request.refundTo].includes(accountWithTags)) return refuse({ _tag: "TagDemanded" })
  if (appFeeBps > maximumAppFeeBps) return refuse({ _tag: "AppFeesTooHigh" })
  return Option.match(NativeAmount.makeOption(BigInt(request.amount)), {
    onNone: () => refuse({ _tag: "NoLiquidity" }),
    onSome: (amount) =>
      Result.succeed({
        origin,
        destination,
        amount: request.swapType === "EXACT_OUTPUT" ? ReceiveExactly.make({ amount }) : amount,
        slippageBps: Bps.make(request.slippageTolerance),
        fees: areFeesAsAsked
          ? (request.appFees ?? []).map(({ fee, recipient }) => ({ recipient, fee: Bps.make(fee) }))
          : feesOf(request.appFees ?? []),
        isExact: request.swapType === "EXACT_INPUT",
      }),
  })
}

/** The terms and figures of a request at the present prices; nothing is reserved. */
export const quote = (
  { network }: Intents,
  request: QuoteRequest,
  areFeesAsAsked: boolean,
): Result.Result<Quoted, RequestRefusal> =>
  Result.flatMap(
    termsOf(request, areFeesAsAsked),
    (terms) => Result.map(offerOf(network, terms), (offer) => ({ request, terms, offer })),
  )
