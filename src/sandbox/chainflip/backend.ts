import { Effect, Result } from "effect"
import type { FaultOperation } from "../../api/SandboxFaults.ts"
import { type AssetId, assetIds, chainOf, factsOf } from "../../domain/Asset.ts"
import * as Network from "../engine/Network.ts"
import type { AssetView } from "../engine/View.ts"
import type { UnusableLog } from "../EventLog.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply, text, type WireAnswer, type WireRequest } from "../Wire.ts"
import { World } from "../World.ts"
import { openThroughBackend, sourceAssetOfBody } from "./openThroughBackend.ts"
import { getQuote, sourceAssetOf } from "./quote.ts"
import { backendFault, backendMessage, backendRefusal } from "./refusals.ts"
import { getSwap } from "./status.ts"

/** The swap backend's REST API (chainflip/wire.md 3). */

type Handled = Effect.Effect<Reply, UnusableLog, World | Faults>

interface Route {
  readonly method: "GET" | "POST"
  readonly path: RegExp
  /** Absent: faults do not affect the route. */
  readonly operation?: FaultOperation
  /** The asset that a fault's message names. */
  readonly asset: (request: WireRequest) => AssetId | undefined
  /** `parameter` is the group matched in the path. */
  readonly handle: (request: WireRequest, parameter: string) => Handled
}

/** Closes a route during the swap service's maintenance: all of `/api`, but neither quotes nor status. */
const gated = (handle: Route["handle"]): Route["handle"] => (request, parameter) =>
  Effect.gen(function* () {
    const { swappingMaintenance } = yield* World.read(({ network }) => Network.switches(network))
    return swappingMaintenance
      ? backendRefusal(503, backendMessage.swappingMaintenance)
      : yield* handle(request, parameter)
  })

/** Quotes a minute of one client, and unknown swaps (chainflip/wire.md 3.5). */
const quoteLimit = { most: 100, restMillis: 5 * 60_000 }
const unknownLimit = { most: 10, restMillis: 10 * 60_000 }

const tooMany = backendRefusal(429, backendMessage.tooManyRequests)

const limitedQuote: Route["handle"] = Effect.fnUntraced(function* ({ query }) {
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

const noAsset = () => undefined

const routes: ReadonlyArray<Route> = [
  {
    method: "GET",
    path: /^\/v2\/quote$/,
    operation: "quote",
    asset: ({ query }) => sourceAssetOf(query),
    handle: limitedQuote,
  },
  {
    method: "GET",
    path: /^\/v2\/swaps\/([^/]+)$/,
    operation: "status",
    asset: noAsset,
    handle: (_, id) =>
      Result.match(decodeText(id), {
        onFailure: () => Effect.succeed(backendRefusal(400, backendMessage.invalidRequest)),
        onSuccess: limitedSwap,
      }),
  },
  { method: "GET", path: /^\/api\/networkInfo$/, asset: noAsset, handle: gated(() => getNetworkInfo) },
  {
    method: "POST",
    path: /^\/api\/openSwapDepositChannel$/,
    operation: "open",
    asset: ({ body }) => sourceAssetOfBody(body),
    handle: gated(({ body }) => openThroughBackend(body)),
  },
  { method: "GET", path: /^\/healthcheck$/, asset: noAsset, handle: () => Effect.succeed(text(200, "OK")) },
]

/** Answers a request to the backend; `path` is the part after its base URL. */
export const serveBackend = Effect.fnUntraced(function* (
  path: string,
  request: WireRequest,
): Effect.fn.Return<WireAnswer, UnusableLog, World | Faults> {
  const route = routes.find((route) => route.method === request.method && route.path.test(path))
  if (route === undefined) return backendRefusal(404, backendMessage.notFound)
  const parameter = route.path.exec(path)?.[1] ?? ""
  const faults = yield* Faults
  return yield* faults.disturb({
    provider: "chainflip",
    operations: route.operation === undefined ? [] : [route.operation],
    act: route.handle(request, parameter),
    refuse: (code) => Effect.succeed(backendFault(code, route.asset(request) ?? "btc.btc")),
  })
})

/** `GET /api/networkInfo` (chainflip/wire.md 3.8). */
const getNetworkInfo: Effect.Effect<Reply, never, World> = Effect.gen(function* () {
  const { assets } = yield* World.read(({ network }) => Network.environment(network))
  return json(200, {
    assets: assetIds.map((asset) => writeSwitches(asset, assets[asset])),
    cfBrokerCommissionBps: 0,
  })
})

const writeSwitches = (asset: AssetId, view: AssetView) => ({
  asset: factsOf(asset).internalId,
  // Vault swaps are not possible from Assethub (chainflip/wire.md 2.3).
  vaultSwapDepositsEnabled: view.depositEnabled && chainOf(asset) !== "Assethub",
  depositChannelDepositsEnabled: view.depositEnabled,
  depositChannelCreationEnabled: view.creationEnabled,
  egressEnabled: view.egressEnabled,
  boostDepositsEnabled: view.boostEnabled,
  livePriceProtectionEnabled: view.oracleProtectionBps !== undefined,
})
