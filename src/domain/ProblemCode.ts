import { Schema } from "effect"

/** The codes of problems (decision 33). A published code is never renamed or given another meaning. */
export const ProblemCode = Schema.Literals([
  "amount_below_minimum",
  "egress_below_minimum",
  "egress_fee_not_covered",
  "insufficient_liquidity",
  "quoting_maintenance",
  "swapping_maintenance",
  "deposit_channel_failed",
  "too_many_channels",
  "asset_disabled",
  "upstream_error",
  "provider_unavailable",
  "request_cancelled",
  "route_disabled",
])
export type ProblemCode = typeof ProblemCode.Type
