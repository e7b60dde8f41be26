import { Effect } from "effect"
import { factsOf } from "../../domain/Asset.ts"
import * as Intents from "./engine/Intents.ts"
import { tokens } from "./engine/tokens.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { isoTime, usdNumber } from "./encode.ts"

/** `GET /v0/tokens`: the catalogue, at the reference prices of now. */
export const getTokens: Effect.Effect<Reply, never, World> = Effect.gen(function* () {
  const world = yield* World
  return yield* world.read((network, intents) => {
    const priceUpdatedAt = isoTime(Intents.time(intents))
    return json(
      200,
      tokens.map(({ asset, assetId, blockchain, contractAddress }) => ({
        assetId,
        decimals: factsOf(asset).decimals,
        blockchain,
        symbol: factsOf(asset).ticker,
        price: usdNumber(network.assets[asset].price),
        priceUpdatedAt,
        ...(contractAddress === undefined ? {} : { contractAddress }),
      })),
    )
  })
})
