import { Context } from "effect"

/** How much a batch may ask for. */
export class RpcLimits extends Context.Service<RpcLimits, {
  /** The most calls of one batch. */
  readonly batchMost: number
  /** How many of them are under way at a time. */
  readonly batchConcurrency: number
}>()("swap-broker/http/rpc/RpcLimits") {}
