import { Schema } from "effect"
import { maybe } from "../../upstream/values.ts"

/** The switches of one asset; `asset` is its internal id, such as `ArbUsdc` (chainflip/wire.md 3.8). */
const WireSwitches = Schema.Struct({
  asset: Schema.String,
  vaultSwapDepositsEnabled: maybe(Schema.Boolean),
  depositChannelDepositsEnabled: Schema.Boolean,
  depositChannelCreationEnabled: Schema.Boolean,
  egressEnabled: Schema.Boolean,
})
export type WireSwitches = typeof WireSwitches.Type

/** The answer of `GET /api/networkInfo`. */
export const WireNetworkInfo = Schema.Struct({ assets: Schema.Array(WireSwitches) })
