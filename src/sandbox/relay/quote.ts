import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Option, Result, Schema } from "effect"
import { factsOf } from "#domain/chains/Asset.ts"
import { bodyIssues } from "../bodyIssues.ts"
import { digest } from "../engine/identifiers.ts"
import { lessOf } from "../engine/exactOutput.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { follow, type Row } from "../follow.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, inUsd, isOnOneChain } from "./encode.ts"
import { QuoteRequest } from "./engine/Command.ts"
import type { Currency } from "./engine/currencies.ts"
import { quote } from "./engine/requests.ts"
import type { Offer, Quoted } from "./engine/State.ts"
import recordedOnBitcoin from "./recorded/quote-btc-base-usdc-deposit-address-2026-02-05.json" with {
  type: "json",
}
import recorded from "./recorded/quote-base-op-eth-strict-deposit-address-2026-03-05.json" with {
  type: "json",
}
import { plainRefusal, refusals } from "./refusals.ts"

/** `POST /quote/v2`: figures, and with `useDepositAddress` a request that waits for a deposit. */

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownResult(QuoteRequest, { errors: "all" })

/** Everything that does not fit, in one message. */
const invalid = (error: Schema.SchemaError): Reply =>
  plainRefusal(
    400,
    bodyIssues(error).map(({ message, path }) => `${path.join(".") || "body"}: ${message}`).join("; "),
  )

const readRequest = (body: string): Result.Result<QuoteRequest, Reply> =>
  parse(body).pipe(
    Result.mapError(() => plainRefusal(400, "the body is not JSON")),
    Result.flatMap((value) => Result.mapError(decode(value), invalid)),
    // Open addresses are another product: they quote anew for whatever arrives.
    Result.filterOrFail(
      ({ strict, useDepositAddress }) => useDepositAddress !== true || strict === true,
      () => plainRefusal(400, "open deposit addresses are not simulated"),
    ),
  )

/** The figures for a request. */
interface WrittenQuote extends Quoted {
  readonly id: string
  readonly request: QuoteRequest
  /** Empty where none was asked for. */
  readonly depositAddress: string
}

const onEvm = recorded.body.steps[0]?.items[0]?.data
const onBitcoin = recordedOnBitcoin.body.steps[0]?.items[0]?.data

/** The transaction that a wallet would make of the deposit; of Solana and Tron none is recorded. */
const transactionOf = ({ depositAddress, offer, request, terms: { origin } }: WrittenQuote): unknown => {
  if (origin.chain.chain === "Bitcoin") return onBitcoin
  const isToken = origin.address !== origin.chain.coin
  const call = `0xa9059cbb${depositAddress.slice(2).toLowerCase().padStart(64, "0")}${
    offer.amountIn.toString(16).padStart(64, "0")
  }`
  return follow(onEvm, [
    ["from", request.user],
    ["to", isToken ? origin.address : depositAddress],
    ["data", isToken && origin.chain.vmType === "evm" ? call : "0x"],
    ["value", isToken ? "0" : `${offer.amountIn}`],
    ["chainId", origin.chain.id],
  ])
}

/** What is read of the figures, or what a person looks at; other figures stay as they are recorded. */
const figureRows = (quoted: WrittenQuote): ReadonlyArray<Row> => {
  const { offer, request, terms: { destination, origin, recipient } } = quoted
  const { amountIn, amountOut, appFee, gasFee, minimumAmountOut, prices, senderGas, serviceFee } = offer
  const fee = (amount: bigint) => amountMembers(origin, prices.origin, amount)
  return [
    ["fees.gas", amountMembers(senderGas.coin, senderGas.price, senderGas.amount)],
    ["fees.relayer", fee(gasFee + serviceFee)],
    ["fees.relayerGas", fee(gasFee)],
    ["fees.relayerService", fee(serviceFee)],
    ["fees.app", fee(appFee)],
    ["details.sender", request.user],
    ["details.recipient", recipient],
    ["details.currencyIn", fee(amountIn)],
    ["details.currencyOut", amountMembers(destination, prices.destination, amountOut, minimumAmountOut)],
    ["details.expandedPriceImpact.app.usd", `-${inUsd(origin, prices.origin, appFee)}`],
    ["details.timeEstimate", offer.timeEstimate],
  ]
}

/** How long the protocol keeps an order, in milliseconds. */
const protocolMillis = 7 * 86_400_000

const order = recorded.body.protocol.v2.orderData

const orderRows = (quoted: WrittenQuote, time: number): ReadonlyArray<Row> => {
  const { id, offer, request, terms: { destination, origin, recipient } } = quoted
  const deadline = Math.floor((time + protocolMillis) / 1_000)
  const refund = ({ address, chain }: Currency, recipient: string) =>
    follow(order.inputs[0]?.refunds[0], [
      ["chainId", chain.protocolId],
      ["recipient", recipient],
      ["currency", address],
      ["deadline", deadline],
    ])
  const back = refund(origin, request.refundTo ?? request.user)
  const input = "protocol.v2.orderData.inputs.0"
  const output = "protocol.v2.orderData.output"
  return [
    ["protocol.v2.orderId", `0x${bytesToHex(digest("relay order", id))}`],
    [`${input}.payment.chainId`, origin.chain.protocolId],
    [`${input}.payment.currency`, origin.address],
    [`${input}.payment.amount`, `${offer.amountIn}`],
    [`${input}.refunds`, isOnOneChain(quoted) ? [back] : [back, refund(destination, recipient)]],
    [`${output}.chainId`, destination.chain.protocolId],
    [`${output}.payments.0.recipient`, recipient],
    [`${output}.payments.0.currency`, destination.address],
    [`${output}.payments.0.minimumAmount`, `${offer.minimumAmountOut}`],
    [`${output}.payments.0.expectedAmount`, `${offer.amountOut}`],
    [`${output}.deadline`, deadline],
    ["protocol.v2.paymentDetails.chainId", origin.chain.protocolId],
    ["protocol.v2.paymentDetails.currency", origin.address],
    ["protocol.v2.paymentDetails.amount", `${offer.amountIn}`],
  ]
}

const write = (quoted: WrittenQuote, time: number): unknown =>
  follow(recorded.body, [
    [
      "steps.0.description",
      `Depositing funds to the relayer to execute the swap for ${
        factsOf(quoted.terms.destination.asset).ticker
      }`,
    ],
    ["steps.0.requestId", quoted.id],
    ["steps.0.depositAddress", quoted.depositAddress],
    ["steps.0.items.0.data", transactionOf(quoted)],
    ["steps.0.items.0.check.endpoint", `/intents/status/v3?requestId=${quoted.id}`],
    ...figureRows(quoted),
    ...orderRows(quoted, time),
  ])

/**
 * Wallets that hold more than any amount: those that Relay's own pages ask with. The simulated chains have no balances,
 * so every other wallet counts as empty.
 */
const fullWallets: ReadonlyArray<string> = [
  "0x000000000000000000000000000000000000dead",
  "34xp4vrocgjym3xr7ycvpfhocnxv4twseo",
  "cbkggvkljfb8bbrf58dnakdryx6ubewvytn7x957ywnr",
  "tha7bwopfacfiela63pbmm3g5pgkymtjyt",
]

const hasFunds = ({ user }: QuoteRequest): boolean => fullWallets.includes(user.toLowerCase())

const withLess = (offer: Offer): Offer => ({
  ...offer,
  amountOut: lessOf(offer.amountOut),
  minimumAmountOut: lessOf(offer.minimumAmountOut),
})

/** Answers a request for a quote. */
export const postQuote = Effect.fn("sandbox.relay.quote")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World | Faults> {
  const read = readRequest(body)
  if (Result.isFailure(read)) return read.failure
  const request = read.success
  const { seed } = yield* World
  const offered = yield* World.read(({ relay }) => quote(relay, request))
  if (Result.isFailure(offered)) return refusals[offered.failure._tag]
  if (!hasFunds(request) && (yield* Faults.does("balanceRule"))) {
    return refusals.InsufficientFunds
  }
  const hasLess = request.tradeType === "EXACT_OUTPUT" && (yield* Faults.does("lessOutput"))
  const answer = (quoted: WrittenQuote, time: number): Reply =>
    json(200, write(hasLess ? { ...quoted, offer: withLess(quoted.offer) } : quoted, time))
  if (request.useDepositAddress === true) {
    const opened = yield* World.perform({ _tag: "OpenRequest", request })
    return Result.match(opened, {
      onFailure: ({ _tag }) => refusals[_tag],
      onSuccess: (made) => answer(made, made.createdAt),
    })
  }
  return yield* World.read(({ relay: { time } }) => {
    // A quote without a deposit address has an id, under which nothing is ever found.
    const id = `0x${bytesToHex(digest(seed, "relay dry", time, JSON.stringify(request)))}`
    return answer({ ...offered.success, request, id, depositAddress: "" }, time)
  })
})

const readOpening = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ useDepositAddress: Schema.Literal(true) })),
)

/** Whether the body asks for a deposit address rather than for figures. */
export const asksForAddress = (body: string): boolean => Option.isSome(readOpening(body))
