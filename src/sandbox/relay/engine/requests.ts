import { bytesToHex } from "@noble/hashes/utils.js"
import { Option, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { ReceiveExactly } from "#domain/quotes/ExactOutput.ts"
import { EpochMillis } from "#domain/Time.ts"
import { depositAddress, digest, isAddressOn } from "../../engine/identifiers.ts"
import type { Payment } from "../../engine/ledger.ts"
import { maximumAppFeeBps, type OpenRequest, type QuoteRequest } from "./Command.ts"
import { type Currency, findChain, findCurrency } from "./currencies.ts"
import { offerOf } from "./offer.ts"
import type { OrderTerms, Quoted, Relay, RelayRequest, RequestRefusal } from "./State.ts"

const refuse = (_tag: RequestRefusal["_tag"]): Result.Result<never, RequestRefusal> => Result.fail({ _tag })

const isAddressOf = ({ asset }: Currency, text: string): boolean => isAddressOn(chainOf(asset), text)

/** The slippage that the service chooses where none is asked for. */
const ownSlippageBps = 200

const currencyOf = (
  relay: Relay,
  chainId: number,
  address: string,
  refusal: RequestRefusal["_tag"],
): Result.Result<Currency, RequestRefusal> => {
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

/** A year: without a TTL nothing expires while anybody looks. */
const longestTtlSeconds = 366 * 86_400

const addRequest = (
  relay: Relay,
  made: Omit<RelayRequest, "id" | "createdAt" | "updatedAt" | "children" | "unnoticed">,
): RelayRequest => {
  const request: RelayRequest = {
    ...made,
    id: `0x${bytesToHex(digest(relay.seed, "request", relay.requests.size + 1))}`,
    createdAt: relay.time,
    updatedAt: relay.time,
    children: [],
    unnoticed: [],
  }
  relay.requests.set(request.id, request)
  return request
}

/** Makes a request with a deposit address of its own; the next planned trap, if there is one, is in it. */
export const openRequest = (
  relay: Relay,
  { request }: OpenRequest,
): Result.Result<RelayRequest, RequestRefusal> =>
  Result.map(quote(relay, request), (quoted) => {
    const trap = relay.plannedTraps.shift()
    const number = relay.requestsByAddress.size + 1
    const address = depositAddress(relay.seed, chainOf(quoted.terms.origin.asset), number)
    const opened = addRequest(relay, {
      ...quoted,
      depositAddress: address,
      request,
      ttlEnd: EpochMillis.make(relay.time + 1_000 * Math.min(request.ttl ?? Infinity, longestTtlSeconds)),
      ...(trap === undefined ? {} : { trap }),
      state: "waiting",
    })
    relay.requestsByAddress.set(address, opened)
    return opened
  })

/** A request of a deposit that comes of another one, at the same deposit address. */
export const addChild = (relay: Relay, parent: RelayRequest, deposit: Payment): RelayRequest => {
  const { depositAddress, offer, request, terms, ttlEnd } = parent
  const child = addRequest(relay, {
    depositAddress,
    request,
    terms,
    offer,
    ttlEnd,
    deposit,
    state: "pending",
  })
  parent.children.push(child)
  return child
}
