import { Schema } from "effect"

/** The switches of one asset; `asset` is its internal id, such as `ArbUsdc` (chainflip.md 3.8). */
const WireSwitches = Schema.Struct({
  asset: Schema.String,
  depositChannelDepositsEnabled: Schema.Boolean,
  depositChannelCreationEnabled: Schema.Boolean,
  egressEnabled: Schema.Boolean,
})
export type WireSwitches = typeof WireSwitches.Type

/** The answer of `GET /api/networkInfo`. */
export const WireNetworkInfo = Schema.Struct({ assets: Schema.Array(WireSwitches) })
