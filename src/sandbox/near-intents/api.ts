import { Effect } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { Faults } from "../Faults.ts"
import { json } from "../Wire.ts"
import { World } from "../World.ts"
import { isoTime, usdNumber } from "./encode.ts"
import { coinWord, otherRows, type Token, tokens } from "./engine/tokens.ts"
import { dated, route, serveRest } from "../rest.ts"
import { intentsFault, intentsMessage, intentsRefusal } from "./refusals.ts"
import { asksForOrder, postQuote } from "./quote.ts"
import { getStatus, submitDeposit } from "./status.ts"
import { assetState } from "../engine/assetState.ts"

/** The REST API of 1Click (near-intents/wire.md 1). */

/** The only token that is refused; requests need no token. */
const rejectedAuthorization = "Bearer wrong"

/** Names that tokens have given themselves anew, at the same contract. */
const symbols: Partial<Readonly<Record<AssetId, string>>> = { "usdt.pol": "USDT0" }

/** The rows of an asset: one of its former id goes before, and an id that names a coin has a word for its contract. */
const rowsOf = (
  { asset, assetId, blockchain, contractAddress, formerId }: Token,
  areAllFormer: boolean,
) => {
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
      ({ body }) => asksForOrder(body) ? "open" : "quote",
    ),
    route("GET /v0/status", ({ query }) => getStatus(query), "status"),
    route("POST /v0/deposit/submit", ({ body }) => submitDeposit(body)),
  ],
  elsewhere: ({ method }, path) => intentsRefusal(404, intentsMessage.nothingHere(method, path)),
  refusal: ({ authorization }) =>
    authorization === rejectedAuthorization ? intentsRefusal(401, intentsMessage.unauthorized) : undefined,
  fault: intentsFault,
  finish: dated,
})
