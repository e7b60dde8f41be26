import { Context } from "effect"

/** Limits of batches. */
export class RpcLimits extends Context.Service<RpcLimits, {
  /** The most calls of one batch. */
  readonly batchMost: number
  /** How many calls of a batch are under way at a time. */
  readonly batchConcurrency: number
}>()("swap-broker/http/rpc/RpcLimits") {}
