import { Schema } from "effect"
import { Address } from "../../../domain/Address.ts"
import { Amount, Count } from "../../upstream/values.ts"

/** The result of `broker_request_swap_deposit_address` (chainflip/wire.md 2.2). */
export const WireOpenedChannel = Schema.Struct({
  address: Address,
  issued_block: Count,
  channel_id: Count,
  source_chain_expiry_block: Count,
  channel_opening_fee: Amount,
})
export type WireOpenedChannel = typeof WireOpenedChannel.Type
