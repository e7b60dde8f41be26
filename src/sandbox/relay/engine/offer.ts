import { Option, Result } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { Bps, shareOf } from "#domain/money/Bps.ts"
import { chainFacts } from "#domain/chains/Chain.ts"
import { type Prices, pricesOf } from "../../engine/ledger.ts"
import { digest, isAddressOn } from "../../engine/identifiers.ts"
import { amountWorth, leastInput, valueOf, wholeUnit } from "../../engine/pools.ts"
import { isSent, ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import type { Network } from "../../engine/State.ts"
import { assetState } from "../../engine/figures.ts"
import { type Currency, findChain, findCurrency } from "./currencies.ts"
import type { Offer, OrderTerms, Quoted, Relay, RequestRefusal, SenderGas } from "./State.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { maximumAppFeeBps, type QuoteRequest } from "./Command.ts"

const million = 1_000_000_000_000n

/** The least value of a quote, in native usdc.eth, apart from the gas. */
const minimumValue = 1_000_000n
/** The highest value that the solver takes on at once, in native usdc.eth. */
const maximumValue = 2n * million
/** From the moment at which a deposit is confirmed until the solver has paid. */
export const fillMillis = 3_500

/** The solver's share in millionths: 3 to 22 bps by seed and pair, whatever the amount. */
export const serviceShareOf = (seed: string, origin: AssetId, destination: AssetId): bigint => {
  const [first = 0, second = 0] = digest(seed, "relay service", origin, destination)
  return 300n + BigInt(first * 256 + second) % 1_900n
}

/** An amount of the origin currency as the destination's, at these prices, rounded down. */
export const converted = (amount: bigint, { destination, origin }: OrderTerms, prices: Prices): bigint =>
  amount * prices.origin * wholeUnit(destination.asset) / (prices.destination * wholeUnit(origin.asset))

/** Seconds from a deposit to its payout, with half a block until the deposit is in one. */
const timeEstimate = ({ destination, origin }: OrderTerms): number => {
  const deposit = chainFacts(chainOf(origin.asset)).blockMillis * 3 / 2
  return (deposit + fillMillis + chainFacts(chainOf(destination.asset)).blockMillis) / 1_000
}

/** The transfer of a token takes some three times the gas of a payment in the coin. */
const senderGasOf = (network: Network, { origin }: OrderTerms): SenderGas => {
  const coin = findCurrency(origin.chain, origin.chain.coin) ?? origin
  return {
    coin,
    amount: coin === origin ? coin.gas : coin.gas * 65n / 21n,
    price: assetState(network, coin.asset).price,
  }
}

/** The figures for an amount at the present prices, or why the solver does not want it. */
const offerFor = (
  network: Network,
  terms: OrderTerms,
  amount: bigint,
): Result.Result<Offer, RequestRefusal> => {
  const { appFeeBps, destination, origin, slippageBps } = terms
  if (valueOf(network, origin.asset, amount) > maximumValue) return Result.fail({ _tag: "NoLiquidity" })
  const gasValue = valueOf(network, destination.asset, destination.gas)
  const gasFee = amountWorth(network, origin.asset, gasValue) + 1n
  if (amount < amountWorth(network, origin.asset, (minimumValue + gasValue) * 5n / 4n)) {
    return Result.fail({ _tag: "AmountTooLow" })
  }
  const serviceFee = amount * serviceShareOf(network.seed, origin.asset, destination.asset) / 1_000_000n
  const appFee = shareOf(amount, appFeeBps)
  const prices = pricesOf(network, terms)
  const amountOut = converted(amount - gasFee - serviceFee - appFee, terms, prices)
  if (amountOut <= 0n) return Result.fail({ _tag: "AmountTooLow" })
  return Result.succeed({
    amountIn: amount,
    amountOut,
    minimumAmountOut: shareOf(amountOut, 10_000 - slippageBps),
    gasFee,
    serviceFee,
    senderGas: senderGasOf(network, terms),
    appFee,
    timeEstimate: timeEstimate(terms),
    prices,
  })
}

/** The figures for what is sent, or for the least that an output which was asked for takes. */
export const offerOf = (network: Network, terms: OrderTerms): Result.Result<Offer, RequestRefusal> => {
  const { amount, origin } = terms
  if (isSent(amount)) return offerFor(network, terms, amount)
  const asked = amount.amount
  const most = amountWorth(network, origin.asset, maximumValue)
  const isEnough = (input: bigint) =>
    Result.match(offerFor(network, terms, input), {
      onFailure: () => false,
      onSuccess: ({ amountOut }) => amountOut >= asked,
    })
  const needed = leastInput(isEnough, most)
  if (needed === undefined) return Result.fail({ _tag: "NoLiquidity" })
  // Less would be enough, if the solver took it.
  if (Result.isFailure(offerFor(network, terms, needed - 1n))) return Result.fail({ _tag: "AmountTooLow" })
  return Result.map(
    offerFor(network, terms, needed),
    (offer) => ({ ...offer, amountOut: asked, minimumAmountOut: asked }),
  )
}

const refuse = (_tag: RequestRefusal["_tag"]): Result.Result<never, RequestRefusal> => Result.fail({ _tag })

const isAddressOf = ({ asset }: Currency, text: string): boolean => isAddressOn(chainOf(asset), text)

/** The slippage that the service chooses where none is asked for. */
const ownSlippageBps = 200

const currencyOf = (relay: Relay, chainId: number, address: string, refusal: RequestRefusal["_tag"]) => {
  const chain = findChain(chainId)
  if (chain === undefined) return refuse("UnsupportedChain")
  if (relay.disabledChains.has(chain.chain)) return refuse("ChainDisabled")
  const currency = findCurrency(chain, address)
  return currency === undefined ? refuse(refusal) : Result.succeed(currency)
}

const wrongAddress = (
  { recipient, refundTo, user }: QuoteRequest,
  origin: Currency,
  destination: Currency,
): RequestRefusal["_tag"] | undefined => {
  if (!isAddressOf(origin, user)) return "InvalidUser"
  if (!isAddressOf(destination, recipient ?? user)) return "InvalidRecipient"
  return refundTo === undefined || isAddressOf(origin, refundTo) ? undefined : "InvalidRefundTo"
}

/** The terms of a request, or the first of Relay's reasons to refuse it. */
const termsOf = (relay: Relay, request: QuoteRequest): Result.Result<OrderTerms, RequestRefusal> =>
  Result.gen(function* () {
    const { destinationChainId, destinationCurrency, originChainId, originCurrency } = request
    const origin = yield* currencyOf(relay, originChainId, originCurrency, "InvalidInputCurrency")
    const destination = yield* currencyOf(
      relay,
      destinationChainId,
      destinationCurrency,
      "InvalidOutputCurrency",
    )
    const slippage = Number(request.slippageTolerance ?? ownSlippageBps)
    const appFees = (request.appFees ?? []).reduce((sum, { fee }) => sum + Number(fee), 0)
    const amount = NativeAmount.makeOption(BigInt(request.amount))
    if (origin === destination) return yield* refuse("InvalidOutputCurrency")
    const wrong = wrongAddress(request, origin, destination)
    if (wrong !== undefined) return yield* refuse(wrong)
    if (slippage > 10_000) return yield* refuse("InvalidSlippage")
    if (appFees > maximumAppFeeBps) return yield* refuse("AppFeesTooHigh")
    if (Option.isNone(amount)) return yield* refuse("NoLiquidity")
    if (request.useDepositAddress === true) {
      if (!origin.isSolverCurrency) return yield* refuse("UnsupportedCurrency")
      if (request.refundTo === undefined) return yield* refuse("RefundToMissing")
    }
    return {
      origin,
      destination,
      amount: request.tradeType === "EXACT_OUTPUT"
        ? ReceiveExactly.make({ amount: amount.value })
        : amount.value,
      recipient: request.recipient ?? request.user,
      slippageBps: Bps.make(slippage),
      // A service that drops app fees says so with their amount only.
      appFeeBps: Bps.make(relay.plannedTraps[0] === "droppedFees" ? 0 : appFees),
    }
  })

/** The figures for a request at the present prices; nothing is reserved. */
export const quote = (relay: Relay, request: QuoteRequest): Result.Result<Quoted, RequestRefusal> =>
  Result.flatMap(
    termsOf(relay, request),
    (terms) => Result.map(offerOf(relay.network, terms), (offer) => ({ terms, offer })),
  )
