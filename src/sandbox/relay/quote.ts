import { bytesToHex } from "@noble/hashes/utils.js"
import { BigDecimal, Effect, Option, Result, Schema } from "effect"
import { chainOf, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import { bodyIssues } from "../bodyIssues.ts"
import { digest } from "../engine/identifiers.ts"
import { lessOf } from "../engine/exactOutput.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, inUsd } from "./encode.ts"
import { QuoteRequest } from "./engine/Command.ts"
import { quote, type Quoted } from "./engine/requests.ts"
import type { Offer, RelayRequest } from "./engine/State.ts"
import { plainRefusal, requestRefusal } from "./refusals.ts"

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

/** The figures for a request, and what it is called. */
interface WrittenQuote extends Quoted {
  readonly request: QuoteRequest
  readonly requestId: string
  /** Empty where none was asked for. */
  readonly depositAddress: string
}

const percentOf = (bps: number): string => formatDecimal(BigDecimal.make(BigInt(bps), 2))

const writeFees = ({ offer, terms: { origin } }: WrittenQuote) => {
  const { appFee, gasFee, prices, senderGas, serviceFee } = offer
  const fee = (amount: bigint) => amountMembers(origin, prices.origin, amount)
  return {
    gas: amountMembers(senderGas.coin, senderGas.price, senderGas.amount),
    relayer: fee(gasFee + serviceFee),
    relayerGas: fee(gasFee),
    relayerService: fee(serviceFee),
    app: fee(appFee),
    subsidized: fee(0n),
  }
}

/** What goes in and what comes out, on one side of the route. */
const side = (member: ReturnType<typeof amountMembers>) => ({
  inputCurrency: member,
  outputCurrency: member,
  router: "relay",
})

const writeDetails = ({ offer, request, terms }: WrittenQuote) => {
  const { destination, origin, recipient, slippageBps } = terms
  const { amountIn, amountOut, minimumAmountOut, prices } = offer
  const currencyIn = amountMembers(origin, prices.origin, amountIn)
  const currencyOut = amountMembers(destination, prices.destination, amountOut, minimumAmountOut)
  const cost = inUsd(origin, prices.origin, offer.gasFee + offer.serviceFee)
  const rate = BigDecimal.divideUnsafe(
    BigDecimal.make(amountOut, factsOf(destination.asset).decimals),
    BigDecimal.make(amountIn, factsOf(origin.asset).decimals),
  )
  return {
    operation: "swap",
    sender: request.user,
    recipient,
    currencyIn,
    currencyOut,
    refundCurrency: currencyIn,
    totalImpact: { usd: `-${cost}`, percent: "-0.10" },
    swapImpact: { usd: "0.000000", percent: "0.00" },
    expandedPriceImpact: {
      swap: { usd: "0.000000" },
      execution: { usd: `-${inUsd(origin, prices.origin, offer.gasFee)}` },
      relay: { usd: `-${inUsd(origin, prices.origin, offer.serviceFee)}` },
      app: { usd: `-${inUsd(origin, prices.origin, offer.appFee)}` },
      sponsored: { usd: "0" },
    },
    rate: formatDecimal(BigDecimal.round(rate, { scale: 18, mode: "to-zero" })),
    slippageTolerance: {
      total: `${slippageBps}`,
      origin: { usd: "0.000000", value: "0", percent: "0.00" },
      destination: {
        usd: inUsd(destination, prices.destination, amountOut - minimumAmountOut),
        value: `${amountOut - minimumAmountOut}`,
        percent: percentOf(slippageBps),
      },
    },
    timeEstimate: offer.timeEstimate,
    userBalance: "0",
    isFixedRate: true,
    route: { origin: side(currencyIn), destination: side(currencyOut) },
  }
}

/** The transaction that a wallet would make of the deposit, in the form that the chain has here. */
const writeTransaction = ({ depositAddress, offer, request, terms: { origin } }: WrittenQuote) => {
  if (origin.chain.vmType !== "evm") {
    return { to: depositAddress, value: `${offer.amountIn}`, chainId: origin.chain.id }
  }
  const isToken = factsOf(origin.asset).contractAddress !== undefined
  const call = `0xa9059cbb${depositAddress.slice(2).toLowerCase().padStart(64, "0")}${
    offer.amountIn.toString(16).padStart(64, "0")
  }`
  return {
    from: request.user,
    to: isToken ? origin.address : depositAddress,
    data: isToken ? call : "0x",
    value: isToken ? "0" : `${offer.amountIn}`,
    chainId: origin.chain.id,
    gas: isToken ? "70000" : "27300",
    maxFeePerGas: "6500000",
    maxPriorityFeePerGas: "1000000",
  }
}

const writeSteps = (written: WrittenQuote) => [{
  id: "deposit",
  action: "Confirm transaction in your wallet",
  description: `Depositing funds to the relayer to execute the swap for ${
    factsOf(written.terms.destination.asset).ticker
  }`,
  kind: "transaction",
  requestId: written.requestId,
  depositAddress: written.depositAddress,
  items: [{
    status: "incomplete",
    data: written.depositAddress === ""
      ? { from: written.request.user, chainId: written.terms.origin.chain.id }
      : writeTransaction(written),
    check: { endpoint: `/intents/status/v3?requestId=${written.requestId}`, method: "GET" },
  }],
}]

/** How long the protocol keeps an order, in milliseconds. */
const protocolMillis = 7 * 86_400_000

const writeOrder = (written: WrittenQuote, seed: string, time: number) => {
  const { offer, request, requestId, terms: { destination, origin, recipient } } = written
  const salt = `0x${bytesToHex(digest(seed, "relay order", requestId))}`
  const deadline = Math.floor((time + protocolMillis) / 1_000)
  return {
    v2: {
      orderId: salt,
      hubType: "onchain",
      orderData: {
        version: "v1",
        solverChainId: "base",
        salt,
        inputs: [{
          payment: {
            chainId: origin.chain.protocolId,
            currency: origin.address,
            amount: `${offer.amountIn}`,
            weight: "1",
          },
          refunds: [{
            chainId: origin.chain.protocolId,
            recipient: request.refundTo ?? request.user,
            currency: origin.address,
            minimumAmount: "0",
            deadline,
          }],
        }],
        output: {
          chainId: destination.chain.protocolId,
          payments: [{
            recipient,
            currency: destination.address,
            minimumAmount: `${offer.minimumAmountOut}`,
            expectedAmount: `${offer.amountOut}`,
          }],
          calls: [],
          deadline,
        },
        fees: [],
      },
      paymentDetails: {
        chainId: origin.chain.protocolId,
        depository: `0x${bytesToHex(digest(seed, "relay depository", chainOf(origin.asset)).slice(0, 20))}`,
        currency: origin.address,
        amount: `${offer.amountIn}`,
      },
    },
  }
}

const write = (written: WrittenQuote, seed: string, time: number) => ({
  steps: writeSteps(written),
  fees: writeFees(written),
  details: writeDetails(written),
  protocol: writeOrder(written, seed, time),
})

/** A quote without a deposit address has an id, under which nothing is ever found. */
const dryId = (seed: string, time: number, request: QuoteRequest): string =>
  `0x${bytesToHex(digest(seed, "relay dry", time, JSON.stringify(request)))}`

const ofRequest = (
  { depositAddress, id: requestId, offer, request, terms }: RelayRequest,
): WrittenQuote => ({ depositAddress, requestId, offer, request, terms })

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
  const world = yield* World
  const { seed } = world
  const offered = yield* World.read(({ relay }) => quote(relay, request))
  if (Result.isFailure(offered)) return requestRefusal(offered.failure)
  if (!hasFunds(request) && (yield* Faults.does("balanceRule"))) {
    return requestRefusal({ _tag: "InsufficientFunds" })
  }
  const hasLess = request.tradeType === "EXACT_OUTPUT" && (yield* Faults.does("lessOutput"))
  const told = (written: WrittenQuote): WrittenQuote =>
    hasLess ? { ...written, offer: withLess(written.offer) } : written
  if (request.useDepositAddress === true) {
    const opened = yield* World.perform({ _tag: "OpenRequest", request })
    return Result.match(opened, {
      onFailure: requestRefusal,
      onSuccess: (made) => json(200, write(told(ofRequest(made)), seed, made.createdAt)),
    })
  }
  return yield* World.read(({ relay }) => {
    const requestId = dryId(seed, relay.time, request)
    return json(
      200,
      write(told({ ...offered.success, request, requestId, depositAddress: "" }), seed, relay.time),
    )
  })
})

const readOpening = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ useDepositAddress: Schema.Literal(true) })),
)

/** Whether the body asks for a deposit address rather than for figures. */
export const asksForAddress = (body: string): boolean => Option.isSome(readOpening(body))
