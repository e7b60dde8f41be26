import { Schema } from "effect"
import { Address } from "./Address.ts"
import { NativeAmount } from "./Amount.ts"
import type { Chain } from "./Chain.ts"
import type { ProviderName } from "./ProviderName.ts"
import { SwapRequest } from "./SwapRequest.ts"
import type { EpochMillis } from "./Time.ts"

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

/** A contract or program that payloads of a provider may call on a chain. */
export interface VaultAddress {
  readonly platform: ProviderName
  readonly chain: Chain
  readonly address: Address
}

/** Bytes as 0x and two hexadecimal digits for each. */
export const HexBytes = Schema.String.check(
  Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})*$/, { expected: "0x and pairs of hexadecimal digits" }),
)

/** A Bitcoin transaction: pays `depositAddress` first, says `nulldataPayload` second, and gives change third. */
export const BitcoinPayload = Schema.Struct({
  network: Schema.Literal("Bitcoin"),
  depositAddress: Address,
  /** At most 80 bytes. */
  nulldataPayload: HexBytes,
  /** What is to be paid, in native units of btc.btc. */
  amountNative: NativeAmount,
})
export type BitcoinPayload = typeof BitcoinPayload.Type

/** A call of the vault's contract on an EVM chain. */
export const EvmPayload = Schema.Struct({
  network: Schema.Literals(["Ethereum", "Arbitrum"]),
  to: Address,
  calldata: HexBytes,
  /** Of the chain's own coin, in native units. */
  value: NativeAmount,
  /** The token that `to` has to be approved for first; absent where the chain's own coin is swapped. */
  sourceTokenAddress: Schema.optionalKey(Address),
})
export type EvmPayload = typeof EvmPayload.Type

/** An account that an instruction reads or writes. */
export const SolanaAccount = Schema.Struct({
  pubkey: Address,
  isSigner: Schema.Boolean,
  isWritable: Schema.Boolean,
})
export type SolanaAccount = typeof SolanaAccount.Type

/** An instruction of a Solana transaction. */
export const SolanaPayload = Schema.Struct({
  network: Schema.Literal("Solana"),
  programId: Address,
  accounts: Schema.Array(SolanaAccount),
  data: HexBytes,
})
export type SolanaPayload = typeof SolanaPayload.Type

/** A Tron transaction with a note: a transfer of TRX to `to`, or a call of the token that transfers to it. */
export const TronPayload = Schema.Struct({
  network: Schema.Literal("Tron"),
  to: Address,
  /** Of the call of `sourceTokenAddress`; empty where TRX is swapped. */
  calldata: HexBytes,
  /** Of TRX, in native units. */
  value: NativeAmount,
  note: HexBytes,
  sourceTokenAddress: Schema.optionalKey(Address),
})
export type TronPayload = typeof TronPayload.Type

/**
 * What the sender's wallet makes a transaction of that says itself what is to be swapped (decision 13,
 * chainflip/wire.md 2.3). It opens and reserves nothing.
 */
export const VaultSwapPayload = Schema.Union([BitcoinPayload, EvmPayload, SolanaPayload, TronPayload])
export type VaultSwapPayload = typeof VaultSwapPayload.Type

/**
 * What a provider marks a payload with and finds again in the transaction made of it, such as a memo, the hash of the
 * calldata or the null data: text that is compared as it is. Two payloads of one provider may have the same mark, and
 * once a transaction is on its chain anybody can read it there.
 */
export const PayloadMark = Schema.NonEmptyString.pipe(Schema.brand("PayloadMark"))
export type PayloadMark = typeof PayloadMark.Type

/** A payload, and what its sender has to know of it. */
export interface EncodedPayload {
  readonly payload: VaultSwapPayload
  /** Absent where the upstream tells nothing of a swap by which its payload could be known again. */
  readonly mark?: PayloadMark
  /** From then on the payload is stale: a transaction made of it may be lost, or swapped at a price of long ago. */
  readonly expiresAt: EpochMillis
  /** Transactions that move less are not credited; native units of the source asset, 0 where there is no minimum. */
  readonly minimumDeposit: NativeAmount
  /** From the transaction to the payout, in milliseconds. */
  readonly estimatedDuration: number
}
