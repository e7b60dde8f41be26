import { Effect, Result } from "effect"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { internalIdOf, networkAssets } from "#domain/chains/payload/contractNumbers.ts"
import * as Network from "../engine/Network.ts"
import type { AssetView } from "../engine/View.ts"
import { Faults } from "../Faults.ts"
import { type Handled, route, serveRest } from "../rest.ts"
import { json, text, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import { openThroughBackend, sourceAssetOfBody } from "./openThroughBackend.ts"
import { getQuote, sourceAssetOf } from "./quote.ts"
import { backendFault, backendMessage, backendRefusal } from "./refusals.ts"
import { getSwap } from "./status.ts"

/** The swap backend's REST API (chainflip/wire.md 3). */

/** Closes a route during the swap service's maintenance: all of `/api`, but neither quotes nor status. */
const gated = (handled: Handled): Handled =>
  Effect.flatMap(
    World.read(({ network }) => Network.switches(network).swappingMaintenance),
    (isClosed) =>
      isClosed ? Effect.succeed(backendRefusal(503, backendMessage.swappingMaintenance)) : handled,
  )

/** Quotes a minute of one client, and unknown swaps (chainflip/wire.md 3.5). */
const quoteLimit = { most: 100, restMillis: 5 * 60_000 }
const unknownLimit = { most: 10, restMillis: 10 * 60_000 }

const tooMany = backendRefusal(429, backendMessage.tooManyRequests)

const limitedQuote = Effect.fnUntraced(function* (query: URLSearchParams) {
  return (yield* Faults.isTooMany("quote", quoteLimit)) ? tooMany : yield* getQuote(query)
})

/** A look-up of a swap; those that find nothing count. */
const limitedSwap = Effect.fnUntraced(function* (id: string) {
  const reply = yield* getSwap(id, {
    isSparse: yield* Faults.does("sparseRecords"),
    isBatched: yield* Faults.does("batches"),
  })
  return reply.status === 404 && (yield* Faults.isTooMany("unknown swap", unknownLimit)) ? tooMany : reply
})

const decodeText = (encoded: string) => Result.try(() => decodeURIComponent(encoded))

/** `GET /api/networkInfo` (chainflip/wire.md 3.8). */
const getNetworkInfo = World.read(({ network }) => {
  const { asset: viewOf } = Network.environment(network)
  return json(200, {
    assets: networkAssets.map((asset) => writeSwitches(asset, viewOf(asset))),
    cfBrokerCommissionBps: 0,
  })
})

const writeSwitches = (asset: AssetId, view: AssetView) => ({
  asset: internalIdOf(asset),
  // Vault swaps are not possible from Assethub (chainflip/wire.md 2.3).
  vaultSwapDepositsEnabled: view.depositEnabled && chainOf(asset) !== "Assethub",
  depositChannelDepositsEnabled: view.depositEnabled,
  depositChannelCreationEnabled: view.creationEnabled,
  egressEnabled: view.egressEnabled,
  boostDepositsEnabled: view.boostEnabled,
  livePriceProtectionEnabled: view.oracleProtectionBps !== undefined,
})

/** The asset that a fault's message names: the one that a quote or a channel is asked for. */
const namedAsset = ({ body, method, query }: WireRequest): AssetId =>
  (method === "POST" ? sourceAssetOfBody(body) : sourceAssetOf(query)) ?? "btc.btc"

export const serveBackend = serveRest({
  provider: "chainflip",
  routes: [
    route("GET /v2/quote", ({ query }) => limitedQuote(query), "quote"),
    route(
      "GET /v2/swaps/([^/]+)",
      (_, id) =>
        Result.match(decodeText(id), {
          onFailure: () => Effect.succeed(backendRefusal(400, backendMessage.invalidRequest)),
          onSuccess: limitedSwap,
        }),
      "status",
    ),
    route("GET /api/networkInfo", () => gated(getNetworkInfo)),
    route("POST /api/openSwapDepositChannel", ({ body }) => gated(openThroughBackend(body)), "open"),
    route("GET /healthcheck", () => Effect.succeed(text(200, "OK"))),
  ],
  elsewhere: () => backendRefusal(404, backendMessage.notFound),
  fault: (code, request) => backendFault(code, namedAsset(request)),
})
