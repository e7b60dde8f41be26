import { Option, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import { isAddressOn } from "../../engine/identifiers.ts"
import { maximumAppFeeBps, type QuoteRequest } from "./Command.ts"
import { type Currency, findChain, findCurrency } from "./currencies.ts"
import { offerOf } from "./offer.ts"
import type { OrderTerms, Quoted, Relay, RequestRefusal } from "./State.ts"

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
