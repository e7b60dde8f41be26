import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect, Result, Schema } from "effect"
import { factsOf } from "#domain/chains/Asset.ts"
import { lessOf } from "../engine/pools.ts"
import { digest } from "../engine/identifiers.ts"
import { Faults } from "../Faults.ts"
import { bodyReader, dated, opensWith, route, serveRest } from "../rest.ts"
import { json, type Reply, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import * as Answers from "./answers.ts"
import { QuoteRequest } from "./engine/Command.ts"
import { currencies, relayChains } from "./engine/currencies.ts"
import * as Relay from "./engine/Relay.ts"
import type { Offer, ReindexRefusal, RelayRequest, RequestRefusal } from "./engine/State.ts"
import { quote } from "./engine/offer.ts"
import { asVersion3 } from "./version3.ts"
import type { FaultCode } from "#api/SandboxFaults.ts"
import { follow } from "../follow.ts"
import funds from "./recorded/refusal-insufficient-funds-built.json" with { type: "json" }
import currency from "./recorded/refusal-invalid-input-currency-docs.json" with { type: "json" }
import key from "./recorded/refusal-401-built.json" with { type: "json" }
import limit from "./recorded/refusal-429-quote-built.json" with { type: "json" }
import liquidity from "./recorded/refusal-insufficient-liquidity-built.json" with { type: "json" }
import low from "./recorded/refusal-amount-too-low-2026-10-01.json" with { type: "json" }
import noKey from "./recorded/relay-refusal-validation-api-key-2026-09.json" with { type: "json" }
import keyless from "./recorded/relay-refusal-unauthorized-quote-2026-09.json" with { type: "json" }
import unsupported from "./recorded/refusal-unsupported-currency-built.json" with { type: "json" }

/** The REST API of Relay (relay/wire.md 1). */

const recorded = ({ body, status }: { readonly status: number; readonly body: unknown }): Reply =>
  json(status, body)

/** A refusal with its code, which was not recorded (relay/wire.md 1, errors). */
const relayRefusal = (status: number, errorCode: string, message: string): Reply =>
  json(status, { message, errorCode })

const plainRefusal = (status: number, message: string): Reply => json(status, { message })

const tooManyQuotes = recorded(limit)
const unauthorized = recorded(key)
/** The answers to who asks for requests, and for a quote, without a key. */
const keyMissing = recorded(noKey)
const keyWanted = recorded(keyless)

const invalidAddress = (member: string): Reply =>
  relayRefusal(400, "INVALID_ADDRESS", `Invalid address: ${member}`)

/** The answers to a request that there is no quote for, and to a look for deposits that is not made. */
const refusals: Readonly<Record<(RequestRefusal | ReindexRefusal)["_tag"], Reply>> = {
  UnsupportedChain: relayRefusal(400, "UNSUPPORTED_CHAIN", "Chain is not supported"),
  ChainDisabled: relayRefusal(400, "CHAIN_DISABLED", "Chain is currently disabled"),
  InvalidInputCurrency: recorded(currency),
  InvalidOutputCurrency: json(400, follow(currency.body, [["errorCode", "INVALID_OUTPUT_CURRENCY"]])),
  UnsupportedCurrency: recorded(unsupported),
  InvalidUser: invalidAddress("user"),
  InvalidRecipient: invalidAddress("recipient"),
  InvalidRefundTo: invalidAddress("refundTo"),
  InsufficientFunds: recorded(funds),
  RefundToMissing: plainRefusal(400, "refundTo is required for strict deposit addresses"),
  InvalidSlippage: relayRefusal(
    400,
    "INVALID_SLIPPAGE_TOLERANCE",
    "slippageTolerance must be between 0 and 10000",
  ),
  AppFeesTooHigh: plainRefusal(400, "appFees are too high"),
  AmountTooLow: recorded(low),
  NoLiquidity: recorded(liquidity),
  UnknownDepositAddress: plainRefusal(404, "Deposit address not found"),
  ReindexedTooRecently: plainRefusal(429, "Deposit address was reindexed too recently"),
}

/** Each code of the catalogue (decision 33) on Relay's wire; the nearest stands in where Relay has none. */
const faults: Readonly<Record<FaultCode, Reply>> = {
  amount_below_minimum: recorded(low),
  egress_below_minimum: recorded(low),
  egress_fee_not_covered: recorded(low),
  insufficient_liquidity: recorded(liquidity),
  quoting_maintenance: relayRefusal(503, "PRICE_FETCH_FAILED", "Failed to fetch prices"),
  swapping_maintenance: relayRefusal(503, "SERVICE_UNAVAILABLE", "Service is temporarily unavailable"),
  deposit_channel_failed: relayRefusal(
    400,
    "UNSUPPORTED_EXECUTION_TYPE",
    "Deposit address could not be created",
  ),
  too_many_channels: tooManyQuotes,
  asset_disabled: refusals.ChainDisabled,
  upstream_error: relayRefusal(500, "UNKNOWN_ERROR", "Unknown error"),
  provider_unavailable: tooManyQuotes,
  request_cancelled: plainRefusal(499, "client closed request"),
  route_disabled: relayRefusal(403, "FORBIDDEN", "Not permitted"),
}

const readBody = bodyReader(QuoteRequest, {
  notJson: "the body is not JSON",
  refuse: (sentence) => plainRefusal(400, sentence),
})

/** Wallets that hold more than any amount, as Relay's own pages ask with. Every other wallet counts as empty. */
const fullWallets: ReadonlyArray<string> = [
  "0x000000000000000000000000000000000000dead",
  "34xp4vrocgjym3xr7ycvpfhocnxv4twseo",
  "cbkggvkljfb8bbrf58dnakdryx6ubewvytn7x957ywnr",
  "tha7bwopfacfiela63pbmm3g5pgkymtjyt",
]

const withLess = (offer: Offer): Offer => ({
  ...offer,
  amountOut: lessOf(offer.amountOut),
  minimumAmountOut: lessOf(offer.minimumAmountOut),
})

const postQuote = Effect.fn("sandbox.relay.quote")(function* (body: string, version: string) {
  const read = readBody(body).pipe(
    // Open addresses are another product: they quote anew for whatever arrives.
    Result.filterOrFail(
      ({ strict, useDepositAddress }) => useDepositAddress !== true || strict === true,
      () => plainRefusal(400, "open deposit addresses are not simulated"),
    ),
  )
  if (Result.isFailure(read)) return read.failure
  const request = read.success
  const { seed } = yield* World
  const offered = yield* World.read(({ relay }) => quote(relay, request))
  if (Result.isFailure(offered)) return refusals[offered.failure._tag]
  if (!fullWallets.includes(request.user.toLowerCase()) && (yield* Faults.does("balanceRule"))) {
    return refusals.InsufficientFunds
  }
  const hasLess = request.tradeType === "EXACT_OUTPUT" && (yield* Faults.does("lessOutput"))
  const answer = (quoted: Answers.WrittenQuote, time: number): Reply => {
    const written = Answers.writeQuote(hasLess ? { ...quoted, offer: withLess(quoted.offer) } : quoted, time)
    return json(200, version === "v3" ? asVersion3(written) : written)
  }
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

const getStatus = Effect.fn("sandbox.relay.status")(function* (query: URLSearchParams) {
  const id = query.get("requestId")
  if (id === null || id === "") return plainRefusal(400, "requestId is required")
  const isBare = yield* Faults.does("bareWaiting")
  return yield* World.read(({ relay }) => {
    const request = Relay.findRequest(relay, id)
    return request === undefined ? plainRefusal(404, "Request not found") : json(
      200,
      isBare && request.state === "waiting" ? Answers.writeBareStatus(request) : Answers.writeStatus(request),
    )
  })
})

/** Answers with a request and, where that is asked for, with those that came of it. */
const getRequests = Effect.fn("sandbox.relay.requests")(function* (query: URLSearchParams) {
  const hasOtherRefunds = yield* Faults.does("otherRefunds")
  return yield* World.read(({ relay }) => {
    const request = Relay.findRequest(relay, query.get("id") ?? "")
    const found = request === undefined
      ? []
      : [request, ...(query.get("includeChildRequests") === "true" ? request.children : [])]
    return json(200, Answers.writeRequests(found, hasOtherRefunds))
  })
})

const readAddress = Schema.decodeUnknownResult(Schema.fromJsonString(
  Schema.Struct({ chainId: Schema.Int, depositAddress: Schema.NonEmptyString }),
))

const postReindex = Effect.fn("sandbox.relay.reindex")(function* (body: string) {
  const address = readAddress(body)
  if (Result.isFailure(address)) return plainRefusal(400, "chainId and depositAddress are required")
  const { chainId, depositAddress } = address.success
  return Result.match(yield* World.perform({ _tag: "Reindex", chainId, address: depositAddress }), {
    onFailure: ({ _tag }) => refusals[_tag],
    onSuccess: ({ balance, request: { terms: { origin } } }) =>
      json(200, {
        message: balance === 0n ? "No balances found" : "Reindex triggered",
        triggeredCurrencies: balance === 0n
          ? []
          : [{ currency: origin.address, symbol: factsOf(origin.asset).ticker, balance: `${balance}` }],
        checkedCurrencies: 1,
        failedCurrencies: 0,
      }),
  })
})

/** `GET /app-fees/{wallet}/balances`: commission, which is added up in USDC (relay/wire.md 1). */

const dollar = 10n ** 6n

/** What a request that was filled has earned a wallet, in native usdc.eth at the prices of its quote. */
const earnedBy = (wallet: string) => (request: RelayRequest): bigint => {
  const { offer, terms: { origin } } = request
  const share = Relay.feesPaidBy(request)
    .filter(({ account }) => account.toLowerCase() === wallet.toLowerCase())
    .reduce((sum, { amount }) => sum + amount, 0n)
  return share * offer.prices.origin / 10n ** BigInt(factsOf(origin.asset).decimals)
}

const getAppFees = Effect.fn("sandbox.relay.appFees")(function* (wallet: string) {
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) return plainRefusal(400, "Invalid wallet")
  return yield* World.read(({ relay }) => {
    const sum = Relay.allRequests(relay).reduce((sum, request) => sum + earnedBy(wallet)(request), 0n)
    const total = Number(sum) / Number(dollar)
    return json(200, {
      balances: sum === 0n
        ? []
        : currencies.filter(({ asset }) => asset === "usdc.eth").map((usdc) =>
          Answers.amountMembers(usdc, dollar, sum)
        ),
      totalBalanceUsd: total,
      outstandingFastFillBalanceUsd: 0,
      availableBalanceUsd: total,
    })
  })
})

/** Quotes and openings together (relay/wire.md 1). */
const quoteLimit = { most: 50 }

const limitedQuote = Effect.fnUntraced(function* ({ apiKey, body }: WireRequest, version: string) {
  if (version === "v3" && apiKey === undefined) return keyWanted
  return (yield* Faults.isTooMany("relay quote", quoteLimit))
    ? tooManyQuotes
    : yield* postQuote(body, version)
})

/** `GET /chains`: the chains with their currencies. */
const getChains = World.read(({ relay }) =>
  json(200, {
    chains: [
      Answers.otherChain,
      ...relayChains.map((chain) => Answers.writeChain(chain, relay.disabledChains.has(chain.chain))),
    ],
  })
)

export const serveRelay = serveRest({
  provider: "relay",
  routes: [
    route("GET /chains", () => getChains),
    route(
      "POST /quote/(v2|v3)",
      limitedQuote,
      opensWith(Schema.Struct({ useDepositAddress: Schema.Literal(true) })),
    ),
    route("GET /intents/status/v3", ({ query }) => getStatus(query), "status"),
    route(
      "GET /requests/v3",
      ({ apiKey, query }) => apiKey === undefined ? Effect.succeed(keyMissing) : getRequests(query),
      "status",
    ),
    route("POST /transactions/deposit-address/reindex", ({ body }) => postReindex(body)),
    route("GET /app-fees/([^/]+)/balances", (_, wallet) => getAppFees(wallet), "treasury"),
  ],
  elsewhere: ({ method }, path) => plainRefusal(404, `Route ${method}:${path} not found`),
  refusal: ({ apiKey }) => apiKey === "wrong" ? unauthorized : undefined,
  fault: (code) => faults[code],
  finish: dated,
})
