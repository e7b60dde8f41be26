import { Effect } from "effect"
import { Chain } from "../../domain/Chain.ts"
import type { ChannelId } from "../../domain/Channel.ts"
import { toIsoDate } from "../../domain/Time.ts"
import type { SwapView } from "../engine/View.ts"
import * as Network from "../engine/Network.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { backendMessage, backendRefusal } from "./refusals.ts"
import { writeSwap } from "./swapRecord.ts"

/** `GET /v2/swaps/:id` (chainflip/wire.md 3.6). */

/** What an id can be: the coordinates of a channel, the number of a swap request, or a transaction. */
type SwapKey =
  | { readonly _tag: "Channel"; readonly id: ChannelId }
  | { readonly _tag: "Request"; readonly id: string }
  | { readonly _tag: "Transaction"; readonly reference: string }

/** The id's meaning, or the name of a chain that does not exist. */
const readKey = (id: string): SwapKey | { readonly _tag: "UnknownChain"; readonly name: string } => {
  const [, issuedBlock, name, channelId] = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/.exec(id) ?? []
  if (name === undefined) {
    return /^[0-9]+$/.test(id) ? { _tag: "Request", id } : { _tag: "Transaction", reference: id }
  }
  const network = Chain.literals.find((chain) => chain.toLowerCase() === name.toLowerCase())
  return network === undefined
    ? { _tag: "UnknownChain", name }
    : { _tag: "Channel", id: { issuedBlock: Number(issuedBlock), network, channelId: Number(channelId) } }
}

const find = (network: Network.Network, key: SwapKey): SwapView | undefined => {
  if (key._tag === "Channel") return Network.swapOfChannel(network, key.id)
  return key._tag === "Request"
    ? Network.swapOfRequest(network, key.id)
    : Network.swapOfTransaction(network, key.reference)
}

/** Answers a look-up by channel, swap request or deposit transaction. */
export const getSwap = Effect.fn("sandbox.backend.swap")(function* (
  id: string,
): Effect.fn.Return<Reply, never, World> {
  const key = readKey(id)
  if (key._tag === "UnknownChain") return backendRefusal(400, `Invalid chain: ${key.name}`)
  const world = yield* World
  const swap = yield* world.read((network) => find(network, key))
  if (swap === undefined) return backendRefusal(404, backendMessage.notFound)
  const updated = swap.lastStateChainUpdateAt
  return json(
    200,
    writeSwap(swap),
    updated === undefined ? {} : { "x-chainflip-last-statechain-update": toIsoDate(updated) },
  )
})
