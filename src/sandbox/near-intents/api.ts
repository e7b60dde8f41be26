import { Effect } from "effect"
import type { FaultOperation } from "../../api/SandboxFaults.ts"
import { factsOf } from "../../domain/Asset.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply, type WireAnswer, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import { isoTime, usdNumber } from "./encode.ts"
import { coinWord, type Token, tokens } from "./engine/tokens.ts"
import { intentsFault, intentsMessage, intentsRefusal } from "./refusals.ts"
import { asksForOrder, postQuote } from "./quote.ts"
import { getStatus, submitDeposit } from "./status.ts"

/** The REST API of 1Click (near-intents/wire.md 1). */

interface Route {
  /** The operations of the request that faults can affect; none: faults do not affect it. */
  readonly operations: (request: WireRequest) => ReadonlyArray<FaultOperation>
  readonly handle: (request: WireRequest) => Effect.Effect<Reply, UnusableLog, World | Faults>
}

/** The routes by method and path after the base URL. */
const routes: Readonly<Record<string, Route>> = {
  "GET /v0/tokens": { operations: () => [], handle: () => getTokens },
  "POST /v0/quote": {
    operations: ({ body }) => [asksForOrder(body) ? "open" : "quote"],
    handle: ({ body }) => postQuote(body),
  },
  "GET /v0/status": { operations: () => ["status"], handle: ({ query }) => getStatus(query) },
  "POST /v0/deposit/submit": { operations: () => [], handle: ({ body }) => submitDeposit(body) },
}

/** The only token that is refused; requests need no token. */
const rejectedAuthorization = "Bearer wrong"

/** Adds the simulated time as an HTTP date, so that clients can tell whether a deadline has passed. */
const dated = Effect.fnUntraced(function* (reply: Reply): Effect.fn.Return<Reply, never, World> {
  const time = yield* World.read(({ intents }) => intents.time)
  return { ...reply, headers: { ...reply.headers, date: new Date(time).toUTCString() } }
})

/** Answers a request to 1Click; `path` is the part after its base URL. */
export const serveNearIntents = Effect.fnUntraced(function* (
  path: string,
  request: WireRequest,
): Effect.fn.Return<WireAnswer, UnusableLog, World | Faults> {
  const route = routes[`${request.method} ${path}`]
  if (route === undefined) return intentsRefusal(404, intentsMessage.nothingHere(request.method, path))
  if (request.authorization === rejectedAuthorization) {
    return intentsRefusal(401, intentsMessage.unauthorized)
  }
  const faults = yield* Faults
  return yield* faults.disturb({
    provider: "near-intents",
    operations: route.operations(request),
    act: Effect.flatMap(route.handle(request), dated),
    refuse: (code) => dated(intentsFault(code)),
  })
})

/** The rows of an asset: one of its former id goes before, and an id that names a coin has a word for its contract. */
const rowsOf = ({ asset, assetId, blockchain, contractAddress, formerId }: Token) => {
  const symbol = factsOf(asset).ticker
  const row = { asset, blockchain, ...(contractAddress === undefined ? {} : { contractAddress }) }
  const newest = assetId.endsWith(`:${coinWord}`)
    ? { ...row, assetId, symbol: `${symbol}(OMNI)`, contractAddress: coinWord }
    : { ...row, assetId, symbol }
  return formerId === undefined ? [newest] : [{ ...row, assetId: formerId, symbol }, newest]
}

/** `GET /v0/tokens`: the catalogue, at the present reference prices. */
const getTokens: Effect.Effect<Reply, never, World> = Effect.gen(function* () {
  return yield* World.read(({ intents, network }) => {
    const priceUpdatedAt = isoTime(intents.time)
    return json(
      200,
      tokens.flatMap(rowsOf).map(({ asset, ...row }) => ({
        decimals: factsOf(asset).decimals,
        ...row,
        price: usdNumber(network.assets[asset].price),
        priceUpdatedAt,
      })),
    )
  })
})
