import { Effect } from "effect"
import { type AssetId, assetIds, chainOf, factsOf } from "../../domain/Asset.ts"
import * as Network from "../engine/Network.ts"
import type { AssetView } from "../engine/View.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"

/** `GET /api/networkInfo` (chainflip/wire.md 3.8). */
export const getNetworkInfo: Effect.Effect<Reply, never, World> = Effect.gen(function* () {
  const world = yield* World
  const { assets } = yield* world.read(Network.environment)
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
