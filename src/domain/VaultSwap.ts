import { Schema } from "effect"
import { Address } from "./Address.ts"
import { NativeAmount } from "./Amount.ts"
import type { Chain } from "./Chain.ts"
import { SwapRequest } from "./SwapRequest.ts"

/** The kinds of transactions that payloads are for, by the paths of the contract (decision 13). */
export const PayloadKind = Schema.Literals(["bitcoin", "evm", "solana", "tron"])
export type PayloadKind = typeof PayloadKind.Type

/** The chains of each kind (decision 13). */
export const payloadChains: Readonly<Record<PayloadKind, ReadonlyArray<Chain>>> = {
  bitcoin: ["Bitcoin"],
  evm: ["Ethereum", "Arbitrum"],
  solana: ["Solana"],
  tron: ["Tron"],
}

/** 32 bytes that set a Solana payload apart from any other of the same sender. */
export const Seed = Schema.String
  .check(Schema.isPattern(/^0x[0-9a-fA-F]{64}$/))
  .pipe(Schema.brand("Seed"))
export type Seed = typeof Seed.Type

/** What a payload depends on besides the swap: on Solana it names the accounts of its sender. */
export const PayloadSender = Schema.Union([
  Schema.TaggedStruct("bitcoin", {}),
  Schema.TaggedStruct("evm", {}),
  Schema.TaggedStruct("solana", {
    address: Address,
    seed: Seed,
    /** Absent: the sender's own account of the token. */
    tokenAccount: Schema.optionalKey(Address),
  }),
  Schema.TaggedStruct("tron", {}),
])
export type PayloadSender = typeof PayloadSender.Type

/**
 * A request for a payload after every rule of decisions 2 to 13 has been checked and every default
 * applied: a swap whose amount is known, and who sends it.
 */
export const VaultSwapRequest = Schema.Struct({
  ...SwapRequest.fields,
  amount: NativeAmount,
  sender: PayloadSender,
})
export type VaultSwapRequest = typeof VaultSwapRequest.Type
