import { Data, Schema } from "effect"
import type { JsonText } from "../JsonText.ts"

/** The methods that are passed on to an upstream's node: all of them only read (chainflip/wire.md 1). */
export const NodeMethod = Schema.Literals([
  "cf_environment",
  "cf_swap_rate_v3",
  "cf_supported_assets",
  "cf_available_pools",
  "cf_boost_pools_depth",
])
export type NodeMethod = typeof NodeMethod.Type

/** A JSON-RPC call to pass on to an upstream's node. */
export interface NodeCall {
  readonly method: NodeMethod
  /** The parameters as the client wrote them; absent where it gave none. */
  readonly params?: JsonText
}

/** The reply of the node, as it wrote it: the `result`, or the `error` object. */
export type NodeReply = Data.TaggedEnum<{
  Result: { readonly json: JsonText }
  Error: { readonly json: JsonText }
}>
export const NodeReply = Data.taggedEnum<NodeReply>()
