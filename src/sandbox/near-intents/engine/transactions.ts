import type { Address } from "../../../domain/Address.ts"
import { type AssetId, chainOf } from "../../../domain/Asset.ts"
import { depositAddress, transactionReference } from "../../engine/identifiers.ts"
import { chainHeight } from "../../engine/blocks.ts"
import type { Intents } from "./State.ts"

/** The names of this network are made as if with another seed, so that none is one of Chainflip's. */
const seedOf = (intents: Intents, purpose = ""): string => `${intents.network.seed}/near-intents${purpose}`

/** The address that an order's deposits go to. */
export const addressOfOrder = (intents: Intents, origin: AssetId, number: number): Address =>
  depositAddress(seedOf(intents), chainOf(origin), number)

/** Another address of the sandbox, which a changed order shows. */
export const changedAddress = (intents: Intents, origin: AssetId, number: number): Address =>
  depositAddress(seedOf(intents, "/changed"), chainOf(origin), number)

/** The reference of a transaction that is sent now; the next block of the asset's chain holds it. */
export const nextTransaction = (intents: Intents, asset: AssetId): string => {
  const chain = chainOf(asset)
  const block = chainHeight(intents.network, chain, intents.time) + 1
  return transactionReference(chain, { seed: seedOf(intents), block, number: ++intents.transactionCount })
}
