import { Clock, Effect, Match, Result, Schema } from "effect"
import type { FaultCode } from "#api/SandboxFaults.ts"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { assetState } from "../engine/figures.ts"
import { bodyReader, dated, opensWith, route, serveRest } from "../rest.ts"
import { isoTime, manner, readAddress, usdNumber, writeDryQuote, writeOrder, writeStatus } from "./answers.ts"
import { maximumAppFeeBps, QuoteRequest } from "./engine/Command.ts"
import * as Intents from "./engine/Intents.ts"
import { quote } from "./engine/offer.ts"
import { coinWord, otherRows, type Token, tokens } from "./engine/tokens.ts"
import type { RequestRefusal } from "./engine/State.ts"

/** The texts of 1Click's refusals (near-intents/wire.md 1, errors), which have no codes. */
const intentsMessage = {
  unauthorized: "Unauthorized",
  noLiquidity: "No liquidity available",
  deadlinePassed: "deadline must be in the future",
  notJson: "the body is not JSON",
  internal: "Internal server error",
  appFeesTooHigh: `appFees must not exceed ${maximumAppFeeBps} bps in total`,
  amountTooLow: (minimum: bigint) => `Amount is too low for bridge, try at least ${minimum}`,
  invalid: (member: string) => `${member} is not valid`,
  unknownAddress: (address: string) => `Deposit address ${address} not found`,
  nothingHere: (method: string, path: string) => `Cannot ${method} ${path}`,
} as const

const intentsRefusal = (status: number, message: string): Reply => json(status, { message })

const requestRefusal: (refusal: RequestRefusal) => Reply = Match.type<RequestRefusal>().pipe(
  Match.tagsExhaustive({
    InvalidToken: ({ member }) => intentsRefusal(400, intentsMessage.invalid(member)),
    InvalidAddress: ({ member }) => intentsRefusal(400, intentsMessage.invalid(member)),
    TagDemanded: () => intentsRefusal(400, intentsMessage.internal),
    AppFeesTooHigh: () => intentsRefusal(400, intentsMessage.appFeesTooHigh),
    AmountTooLow: ({ minimum }) => intentsRefusal(400, intentsMessage.amountTooLow(minimum)),
    NoLiquidity: () => intentsRefusal(400, intentsMessage.noLiquidity),
  }),
)

/** Each code of the catalogue (decision 33) as 1Click's text; the nearest stands in (near-intents/wire.md 1, errors). */

/** Amounts in messages of refusals without real figures. */
const figure = { lower: 1n, higher: 2n } as const

const faults: Readonly<Record<FaultCode, Reply>> = {
  amount_below_minimum: intentsRefusal(400, intentsMessage.amountTooLow(figure.higher)),
  egress_below_minimum: intentsRefusal(
    400,
    `Output amount (${figure.lower}) is below the minimum withdrawal amount (${figure.higher})`,
  ),
  egress_fee_not_covered: intentsRefusal(
    400,
    `Output amount does not cover the withdrawal fee (${figure.higher})`,
  ),
  insufficient_liquidity: intentsRefusal(400, intentsMessage.noLiquidity),
  quoting_maintenance: intentsRefusal(503, "quoting is paused for maintenance"),
  swapping_maintenance: intentsRefusal(503, "swaps are paused for maintenance"),
  deposit_channel_failed: intentsRefusal(500, "Failed to create deposit address"),
  too_many_channels: intentsRefusal(400, "too many active deposit addresses"),
  asset_disabled: intentsRefusal(400, "Token is disabled"),
  upstream_error: intentsRefusal(500, intentsMessage.internal),
  provider_unavailable: json(429, { message: "ThrottlerException: Too Many Requests", statusCode: 429 }),
  request_cancelled: intentsRefusal(499, "client closed request"),
  route_disabled: intentsRefusal(403, "pair is not enabled for this account"),
}

/** `GET /v0/status` and `POST /v0/deposit/submit` (near-intents/wire.md 1). */

const find = Effect.fnUntraced(function* (address: string, success: number) {
  const { seed } = yield* World
  const written = yield* manner
  return yield* World.read(({ intents }) => {
    const whole = readAddress(address, written)
    const order = whole === undefined ? undefined : Intents.findOrder(intents, whole)
    return order === undefined
      ? intentsRefusal(404, intentsMessage.unknownAddress(address))
      : json(success, writeStatus(seed, intents, order, written))
  })
})

const getStatus = Effect.fn("sandbox.nearIntents.status")(function* (query: URLSearchParams) {
  const address = query.get("depositAddress")
  return address === null || address === ""
    ? intentsRefusal(400, "depositAddress: Required")
    : yield* find(address, 200)
})

const readSubmission = Schema.decodeUnknownResult(Schema.fromJsonString(
  Schema.Struct({ txHash: Schema.NonEmptyString, depositAddress: Schema.NonEmptyString }),
))

/** Takes a client's report of its deposit transaction, if the order has that transaction. */
const submitDeposit = Effect.fn("sandbox.nearIntents.submitDeposit")(function* (body: string) {
  const read = readSubmission(body)
  if (Result.isFailure(read)) return intentsRefusal(400, "txHash and depositAddress are required")
  const { depositAddress, txHash } = read.success
  const submitted = yield* World.perform({
    _tag: "SubmitDeposit",
    address: readAddress(depositAddress, yield* manner) ?? depositAddress,
    transactionReference: txHash,
  })
  return Result.isFailure(submitted)
    ? intentsRefusal(404, intentsMessage.unknownAddress(depositAddress))
    : yield* find(depositAddress, 201)
})

/** `POST /v0/quote`: figures if it is dry, otherwise an order. */

/** The longest lifetime of an order, whatever the request says. */
const maximumLifetimeMillis = 30 * 24 * 60 * 60 * 1_000

const readRequest = bodyReader(QuoteRequest, {
  notJson: intentsMessage.notJson,
  refuse: (sentence) => intentsRefusal(400, sentence),
})

/** An order's lifetime: its deadline is by the client's clock, so only the distance from the real now counts. */
const lifetimeOf = (request: QuoteRequest, now: number): Result.Result<number, Reply> => {
  const lifetime = Math.floor(Date.parse(request.deadline) - now)
  return lifetime > 0
    ? Result.succeed(Math.min(lifetime, maximumLifetimeMillis))
    : Result.fail(intentsRefusal(400, intentsMessage.deadlinePassed))
}

const feesAsAsked = Effect.map(Faults.does("ownFees"), (takes) => !takes)

const dryQuote = Effect.fnUntraced(function* (request: QuoteRequest) {
  const world = yield* World
  const written = yield* manner
  const areFeesAsAsked = yield* feesAsAsked
  return yield* World.read(({ intents }) =>
    Result.match(quote(intents, request, areFeesAsAsked), {
      onFailure: requestRefusal,
      onSuccess: (quoted) =>
        json(201, writeDryQuote(quoted, written, { seed: world.seed, time: intents.time })),
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

const postQuote = Effect.fn("sandbox.nearIntents.quote")(function* (body: string) {
  const now = yield* Clock.currentTimeMillis
  const read = Result.flatMap(
    readRequest(body),
    (request) => Result.map(lifetimeOf(request, now), (lifetime) => ({ request, lifetime })),
  )
  if (Result.isFailure(read)) return read.failure
  const { lifetime, request } = read.success
  return yield* request.dry ? dryQuote(request) : order(request, lifetime)
})

/** The REST API of 1Click (near-intents/wire.md 1). */

/** Names that tokens have given themselves anew, at the same contract. */
const symbols: Partial<Readonly<Record<AssetId, string>>> = { "usdt.pol": "USDT0" }

/** The rows of an asset: one of its former id goes before, and an id that names a coin has a word for its contract. */
const rowsOf = ({ asset, assetId, blockchain, contractAddress, formerId }: Token, areAllFormer: boolean) => {
  const symbol = symbols[asset] ?? factsOf(asset).ticker
  const row = { asset, blockchain, ...(contractAddress === undefined ? {} : { contractAddress }) }
  const newest = assetId.endsWith(`:${coinWord}`)
    ? { ...row, assetId, symbol: `${symbol}(OMNI)`, contractAddress: coinWord }
    : { ...row, assetId, symbol }
  const former = formerId === undefined ? [] : [{ ...row, assetId: formerId, symbol }]
  return areAllFormer && formerId !== undefined ? former : [...former, newest]
}

/** `GET /v0/tokens`: the catalogue, at the present reference prices. */
const getTokens = Effect.gen(function* () {
  const areAllFormer = yield* Faults.does("formerIds")
  return yield* World.read(({ intents, network }) => {
    const priceUpdatedAt = isoTime(intents.time)
    const traded = tokens.flatMap((token) => rowsOf(token, areAllFormer)).map(({ asset, ...row }) => ({
      decimals: factsOf(asset).decimals,
      ...row,
      price: usdNumber(assetState(network, asset).price),
      priceUpdatedAt,
    }))
    return json(200, [...traded, ...otherRows.map((row) => ({ ...row, price: 1, priceUpdatedAt }))])
  })
})

export const serveNearIntents = serveRest({
  provider: "near-intents",
  routes: [
    route("GET /v0/tokens", () => getTokens),
    route(
      "POST /v0/quote",
      ({ body }) => postQuote(body),
      opensWith(Schema.Struct({ dry: Schema.Literal(false) })),
    ),
    route("GET /v0/status", ({ query }) => getStatus(query), "status"),
    route("POST /v0/deposit/submit", ({ body }) => submitDeposit(body)),
  ],
  elsewhere: ({ method }, path) => intentsRefusal(404, intentsMessage.nothingHere(method, path)),
  refusal: ({ authorization }) =>
    authorization === "Bearer wrong" ? intentsRefusal(401, intentsMessage.unauthorized) : undefined,
  fault: (code) => faults[code],
  finish: dated,
})
