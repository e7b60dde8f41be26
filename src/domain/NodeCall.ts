import { Data, Schema } from "effect"
import type { JsonText } from "./JsonText.ts"

/** The methods of an upstream's node that are passed on: they only read (chainflip/wire.md 1). */
export const NodeMethod = Schema.Literals([
  "cf_environment",
  "cf_swap_rate_v3",
  "cf_supported_assets",
  "cf_available_pools",
  "cf_boost_pools_depth",
])
export type NodeMethod = typeof NodeMethod.Type

/** A JSON-RPC call that is passed on to an upstream's node. */
export interface NodeCall {
  readonly method: NodeMethod
  /** As the client wrote them; absent where it gave none. */
  readonly params?: JsonText
}

/** What the node replied, as it wrote it: the `result`, or the `error` object. */
export type NodeReply = Data.TaggedEnum<{
  Result: { readonly json: JsonText }
  Error: { readonly json: JsonText }
}>
export const NodeReply = Data.taggedEnum<NodeReply>()
