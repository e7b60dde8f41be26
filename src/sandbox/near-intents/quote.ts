import { bytesToHex } from "@noble/hashes/utils.js"
import { Clock, Effect, Option, Result, Schema } from "effect"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import { EpochMillis } from "#domain/Time.ts"
import { bodyIssues } from "../bodyIssues.ts"
import { digest, isAddressOn } from "../engine/identifiers.ts"
import { lessOf } from "../engine/exactOutput.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { amountMembers, isoTime, type Priced } from "./encode.ts"
import { QuoteRequest } from "./engine/Command.ts"
import { quote } from "./engine/orders.ts"
import type { FoundOrder } from "./engine/Intents.ts"
import type { Offer, Order, OrderTerms } from "./engine/State.ts"
import { intentsMessage, intentsRefusal, requestRefusal } from "./refusals.ts"
import { sign } from "./signature.ts"

/** `POST /v0/quote`: figures if it is dry, otherwise an order. */

/** The time between an order's deadline, from which deposits go back, and the end of its address. */
const coldMillis = 72 * 60 * 60 * 1_000

/** The longest lifetime of an order, whatever the request says. */
const maximumLifetimeMillis = 30 * 24 * 60 * 60 * 1_000

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decode = Schema.decodeUnknownResult(QuoteRequest, { errors: "all" })

/** Every fault of a body, in one message. */
const invalid = (error: Schema.SchemaError): Reply =>
  intentsRefusal(
    400,
    bodyIssues(error).map(({ message, path }) => `${path.join(".") || "body"}: ${message}`).join("; "),
  )

const readRequest = (body: string): Result.Result<QuoteRequest, Reply> =>
  parse(body).pipe(
    Result.mapError(() => intentsRefusal(400, intentsMessage.notJson)),
    Result.flatMap((value) => Result.mapError(decode(value), invalid)),
  )

/**
 * The lifetime of an order. Its deadline is by the client's clock, which the simulated time may have left far behind,
 * so only its distance from the real now counts.
 */
const lifetimeOf = (request: QuoteRequest, now: number): Result.Result<number, Reply> => {
  const lifetime = Math.floor(Date.parse(request.deadline) - now)
  return lifetime > 0
    ? Result.succeed(Math.min(lifetime, maximumLifetimeMillis))
    : Result.fail(intentsRefusal(400, intentsMessage.deadlinePassed))
}

/** How 1Click writes an answer, which its faults decide. */
export interface Manner {
  /** With the newest ids of assets; otherwise with those that were asked with. */
  readonly hasNewestIds: boolean
  /** With an end of the address that is days after refunds begin. */
  readonly hasColdAddress: boolean
  /** With an output a little below the one that was asked for. */
  readonly hasLessOutput: boolean
  /** With addresses of Bitcoin Cash that lack their prefix. */
  readonly hasBareAddresses: boolean
  /** With a memo for the deposit. */
  readonly hasMemo: boolean
}

/** How 1Click writes its answers at present. */
export const manner: Effect.Effect<Manner, never, Faults> = Effect.all({
  hasNewestIds: Faults.does("newestIds"),
  hasColdAddress: Faults.does("coldAddress"),
  hasLessOutput: Faults.does("lessOutput"),
  hasBareAddresses: Faults.does("bareAddresses"),
  hasMemo: Faults.does("unaskedMemo"),
})

const cashPrefix = /^(?:bitcoincash|bchtest|bchreg):/i

/** An address as 1Click writes it at present. */
const writeAddress = (address: string, { hasBareAddresses }: Manner): string =>
  hasBareAddresses ? address.replace(cashPrefix, "") : address

/** The address of an order that a text means, or nothing where 1Click knows no order by a text of this form. */
export const readAddress = (text: string, written: Manner): string | undefined => {
  if (!written.hasBareAddresses) return text
  if (cashPrefix.test(text)) return undefined
  const whole = `bchreg:${text}`
  return isAddressOn("BitcoinCash", whole) ? whole : text
}

/** The memo of whom nobody has asked for one. */
const memoOf = ({ hasMemo }: Manner) => hasMemo ? { depositMemo: "123456" } : {}

/** Whether 1Click takes nothing for itself. */
const feesAsAsked = Effect.map(Faults.does("ownFees"), (takes) => !takes)

const dryQuote = Effect.fnUntraced(function* (request: QuoteRequest) {
  const world = yield* World
  const written = yield* manner
  const areFeesAsAsked = yield* feesAsAsked
  return yield* World.read(({ intents }) =>
    Result.match(quote(intents, request, areFeesAsAsked), {
      onFailure: requestRefusal,
      onSuccess: (quoted) =>
        json(201, writeDryQuote({ seed: world.seed, time: intents.time, request }, quoted, written)),
    })
  )
})

const order = Effect.fnUntraced(function* (request: QuoteRequest, lifetimeMillis: number) {
  const world = yield* World
  const written = yield* manner
  const asAsked = (yield* feesAsAsked) ? { areFeesAsAsked: true } : {}
  return Result.match(yield* World.perform({ _tag: "OpenOrder", request, lifetimeMillis, ...asAsked }), {
    onFailure: requestRefusal,
    onSuccess: (order) => json(201, writeOrder(world.seed, order, written)),
  })
})

/** Answers a request for a quote. */
export const postQuote = Effect.fn("sandbox.nearIntents.quote")(function* (
  body: string,
): Effect.fn.Return<Reply, UnusableLog, World | Faults> {
  const now = yield* Clock.currentTimeMillis
  const read = Result.flatMap(
    readRequest(body),
    (request) => Result.map(lifetimeOf(request, now), (lifetime) => ({ request, lifetime })),
  )
  if (Result.isFailure(read)) return read.failure
  const { lifetime, request } = read.success
  return yield* request.dry ? dryQuote(request) : order(request, lifetime)
})

const readOrder = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ dry: Schema.Literal(false) })),
)

/** Whether the body asks for an order and not only for figures. */
export const asksForOrder = (body: string): boolean => Option.isSome(readOrder(body))

/** The answer of `POST /v0/quote` (near-intents/wire.md 1), which a status repeats. */

/** The two sides of a quote, with the prices that it is based on. */
export const pricedSides = (
  { terms: { destination, origin }, offer: { prices } }: {
    readonly terms: OrderTerms
    readonly offer: Offer
  },
): { readonly origin: Priced; readonly destination: Priced } => ({
  origin: { asset: origin.asset, price: prices.origin },
  destination: { asset: destination.asset, price: prices.destination },
})

const writeFigures = (
  quoted: { readonly terms: OrderTerms; readonly offer: Offer },
  { hasLessOutput }: Manner,
) => {
  const { destination, origin } = pricedSides(quoted)
  const { offer, terms } = quoted
  const told = (output: bigint) => hasLessOutput && !isSent(terms.amount) ? lessOf(output) : output
  return {
    ...amountMembers("amountIn", origin, offer.amountIn),
    minAmountIn: `${offer.minimumAmountIn}`,
    ...amountMembers("amountOut", destination, told(offer.amountOut)),
    minAmountOut: `${told(offer.minimumAmountOut)}`,
    timeEstimate: offer.timeEstimateSeconds,
    refundFee: `${offer.refundFee}`,
    withdrawFee: `${offer.withdrawFee}`,
  }
}

/** The request as 1Click repeats it: with defaults for absent members, the newest ids, and the fees that it takes. */
const echo = (request: QuoteRequest, { destination, fees, origin }: OrderTerms, written: Manner) => ({
  depositMode: "SIMPLE",
  confidentiality: "public",
  quoteWaitingTimeMs: 0,
  ...request,
  refundTo: writeAddress(request.refundTo, written),
  recipient: writeAddress(request.recipient, written),
  ...(written.hasNewestIds ? { originAsset: origin.assetId, destinationAsset: destination.assetId } : {}),
  insured: false,
  appFees: request.dry ? fees : fees.map((row) => ({ ...row, limitOrderId: null })),
})

/** The same of an order, whose deadline is by the simulated time, as all other times are. */
const echoOfOrder = ({ deadline, request, terms }: Order, written: Manner) =>
  echo({ ...request, deadline: isoTime(deadline) }, terms, written)

/** The request as a status repeats it, in another order and with null for absent members. */
const echoInStatus = (order: Order, written: Manner) => ({
  referral: null,
  virtualChainRecipient: null,
  virtualChainRefundRecipient: null,
  customRecipientMsg: null,
  ...Object.fromEntries(Object.entries(echoOfOrder(order, written)).reverse()),
})

/** An id in the form of a UUID, determined by the seed and the name. */
const correlationIdOf = (seed: string, ...name: ReadonlyArray<string | number>): string =>
  bytesToHex(digest(seed, "near-intents correlation", ...name).slice(0, 16))
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** The answer to a dry request: only figures. */
const writeDryQuote = (
  asked: { readonly seed: string; readonly time: EpochMillis; readonly request: QuoteRequest },
  quoted: { readonly terms: OrderTerms; readonly offer: Offer },
  written: Manner,
) => {
  const { request, seed, time } = asked
  const signable = {
    timestamp: isoTime(time),
    quoteRequest: echo(request, quoted.terms, written),
    quote: { ...writeFigures(quoted, written), ...memoOf(written) },
  }
  return {
    correlationId: correlationIdOf(seed, "dry", time, JSON.stringify(request)),
    signature: sign(signable, false),
    ...signable,
  }
}

const signableOf = ({ order, shownAddress }: FoundOrder, written: Manner) => {
  // Days after refunds begin, the address goes cold.
  const cold = isoTime(EpochMillis.make(order.deadline + (written.hasColdAddress ? coldMillis : 0)))
  return {
    timestamp: isoTime(order.createdAt),
    quoteRequest: echoOfOrder(order, written),
    quote: {
      ...writeFigures(order, written),
      deadline: cold,
      timeWhenInactive: cold,
      depositAddress: writeAddress(shownAddress, written),
      ...memoOf(written),
    },
  }
}

/** The id by which 1Click's support would find an order. */
export const correlationIdOfOrder = (seed: string, { number }: Order): string =>
  correlationIdOf(seed, "order", number)

/** The answer to a request that opened an order. */
const writeOrder = (seed: string, order: Order, written: Manner) => {
  const signable = signableOf({ order, shownAddress: order.depositAddress }, written)
  return {
    correlationId: correlationIdOfOrder(seed, order),
    signature: sign(signable, order.trap === "badSignature"),
    ...signable,
  }
}

/** The quote as a status repeats it, with its original signature. */
export const writeOrderInStatus = (seed: string, found: FoundOrder, written: Manner) => ({
  ...writeOrder(seed, found.order, written),
  quoteRequest: echoInStatus(found.order, written),
  quote: signableOf(found, written).quote,
})
