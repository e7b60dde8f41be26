import { Context } from "effect"

export class RpcLimits extends Context.Service<RpcLimits, {
  readonly batchMost: number
  /** How many calls of a batch are under way at a time. */
  readonly batchConcurrency: number
}>()("swap-broker/http/rpc/RpcLimits") {}
