import { Schema } from "effect"
import { Address } from "../../../domain/Address.ts"
import { HexBytes } from "../../../domain/VaultSwapPayload.ts"
import { Amount, maybe } from "../../upstream/values.ts"

/** The results of `broker_request_swap_parameter_encoding` (chainflip/wire.md 2.3). */

/** Of a Bitcoin transaction. */
export const WireBitcoinEncoding = Schema.Struct({
  chain: Schema.Literal("Bitcoin"),
  nulldata_payload: HexBytes,
  deposit_address: Address,
})
export type WireBitcoinEncoding = typeof WireBitcoinEncoding.Type

const call = {
  calldata: HexBytes,
  value: Amount,
  to: Address,
  source_token_address: maybe(Address),
}

/** Of a call on an EVM chain. */
export const WireEvmEncoding = Schema.Struct({ chain: Schema.Literals(["Ethereum", "Arbitrum"]), ...call })
export type WireEvmEncoding = typeof WireEvmEncoding.Type

/** Of an instruction on Solana. */
export const WireSolanaEncoding = Schema.Struct({
  chain: Schema.Literal("Solana"),
  program_id: Address,
  data: HexBytes,
  accounts: Schema.NonEmptyArray(Schema.Struct({
    pubkey: Address,
    is_signer: Schema.Boolean,
    is_writable: Schema.Boolean,
  })),
})
export type WireSolanaEncoding = typeof WireSolanaEncoding.Type

/** Of a Tron transaction with a note. */
export const WireTronEncoding = Schema.Struct({ chain: Schema.Literal("Tron"), ...call, note: HexBytes })
export type WireTronEncoding = typeof WireTronEncoding.Type
