import { Schema } from "effect"
import { Address } from "../chains/Address.ts"
import { NativeAmount } from "../money/Amount.ts"
import { type Chain, chainFacts, chains } from "../chains/Chain.ts"
import type { Fee } from "../money/Fee.ts"
import type { ProviderName } from "../ProviderName.ts"
import type { RefundsTo } from "./RefundsTo.ts"
import { SwapRequest } from "./SwapRequest.ts"
import type { EpochMillis } from "../Time.ts"

/** The kinds of transactions that payloads are made for, by the paths of the contract (decision 13). */
export const PayloadKind = Schema.Literals(["bitcoin", "evm", "solana", "tron", "xrpl"])
export type PayloadKind = typeof PayloadKind.Type

/** The kind of transaction of payloads from a chain, by its family; undefined where there is none. */
export const kindOf = (chain: Chain): PayloadKind | undefined =>
  PayloadKind.literals.find((kind) => kind === chainFacts(chain).family._tag)

/** The chains of each kind (decision 13). */
export const payloadChains = (kind: PayloadKind): ReadonlyArray<Chain> =>
  chains().filter((chain) => kindOf(chain) === kind)

const chainOfKind = (kind: PayloadKind): Schema.Codec<Chain> =>
  Schema.suspend(() => Schema.Literals(payloadChains(kind)))

/** 32 bytes that tell a Solana payload from every other payload of the same sender. */
export const Seed = Schema.String
  .check(Schema.isPattern(/^0x[0-9a-fA-F]{64}$/))
  .pipe(Schema.brand("Seed"))
export type Seed = typeof Seed.Type

/** The sender's address, if the request names it: some upstreams make payloads for one sender only. */
const knownSender = { address: Schema.optionalKey(Address) }

/** The sender, as far as the payload depends on it: on Solana it names accounts of its sender. */
export const PayloadSender = Schema.Union([
  Schema.TaggedStruct("bitcoin", knownSender),
  Schema.TaggedStruct("evm", knownSender),
  Schema.TaggedStruct("solana", {
    address: Address,
    seed: Seed,
    /** Absent: the sender's own account of the token. */
    tokenAccount: Schema.optionalKey(Address),
  }),
  Schema.TaggedStruct("tron", knownSender),
  Schema.TaggedStruct("xrpl", knownSender),
])
export type PayloadSender = typeof PayloadSender.Type

/** A payload request after all rules of decisions 2 to 13: a swap with a known amount and its sender. */
export const VaultSwapRequest = Schema.Struct({
  ...SwapRequest.fields,
  amount: NativeAmount,
  sender: PayloadSender,
})
export type VaultSwapRequest = typeof VaultSwapRequest.Type

/** A contract or program that a provider's payloads may call on a chain. */
export interface VaultAddress {
  readonly platform: ProviderName
  readonly chain: Chain
  readonly address: Address
}

/** Bytes as 0x and two hexadecimal digits for each. */
export const HexBytes = Schema.String.check(
  Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})*$/, { expected: "0x and pairs of hexadecimal digits" }),
)

/** What an output of a transaction of Bitcoin's family is for. */
export const OutputRole = Schema.Literals(["deposit", "nulldata", "change"])

/** A Bitcoin transaction: unless said, it pays `depositAddress` first, then has `nulldataPayload`, then change. */
export const BitcoinPayload = Schema.Struct({
  _tag: Schema.tagDefaultOmit("bitcoin"),
  network: chainOfKind("bitcoin"),
  depositAddress: Address,
  /** At most 80 bytes. */
  nulldataPayload: HexBytes,
  /** The amount to pay, in native units of the chain's coin. */
  amountNative: NativeAmount,
  /** The outputs in the order in which the upstream reads them, where that is another. */
  outputs: Schema.optionalKey(Schema.Array(OutputRole)),
  /** The whole transaction for its sender to sign, in base64, if the upstream made it (BIP 174). */
  psbt: Schema.optionalKey(Schema.String.check(Schema.isBase64())),
})
export type BitcoinPayload = typeof BitcoinPayload.Type

/** A call of the vault's contract on an EVM chain. */
export const EvmPayload = Schema.Struct({
  _tag: Schema.tagDefaultOmit("evm"),
  network: chainOfKind("evm"),
  to: Address,
  calldata: HexBytes,
  /** The amount of the chain's own coin, in native units: the swapped amount, with fees that are paid in the coin. */
  value: NativeAmount,
  /** The token that must first be approved for `spender`; absent where the chain's own coin is swapped. */
  sourceTokenAddress: Schema.optionalKey(Address),
  /** The contract that takes the token; absent: `to`. */
  spender: Schema.optionalKey(Address),
})
export type EvmPayload = typeof EvmPayload.Type

/** An account that an instruction reads or writes. */
export const SolanaAccount = Schema.Struct({
  pubkey: Address,
  isSigner: Schema.Boolean,
  isWritable: Schema.Boolean,
}).annotate({ identifier: "SolanaAccount" })
export type SolanaAccount = typeof SolanaAccount.Type

export const SolanaInstruction = Schema.Struct({
  programId: Address,
  accounts: Schema.Array(SolanaAccount),
  data: HexBytes,
}).annotate({ identifier: "SolanaInstruction" })
export type SolanaInstruction = typeof SolanaInstruction.Type

/** The instructions of a Solana transaction, in their order. The first one's program is that of the swap. */
export const SolanaPayload = Schema.Struct({
  _tag: Schema.tagDefaultOmit("solana"),
  network: chainOfKind("solana"),
  instructions: Schema.NonEmptyArray(SolanaInstruction),
})
export type SolanaPayload = typeof SolanaPayload.Type

/** A Tron transaction with a note: a transfer of TRX to `to`, or a call of the token that transfers to it. */
export const TronPayload = Schema.Struct({
  _tag: Schema.tagDefaultOmit("tron"),
  network: chainOfKind("tron"),
  to: Address,
  /** The calldata for `sourceTokenAddress`; empty where TRX is swapped. */
  calldata: HexBytes,
  /** The amount of TRX, in native units. */
  value: NativeAmount,
  note: HexBytes,
  sourceTokenAddress: Schema.optionalKey(Address),
})
export type TronPayload = typeof TronPayload.Type

/** A payment on the XRP Ledger with this memo, no other one, and no destination tag. */
export const XrplPayload = Schema.Struct({
  _tag: Schema.tagDefaultOmit("xrpl"),
  network: chainOfKind("xrpl"),
  depositAddress: Address,
  /** The amount to pay, in drops. */
  amountNative: NativeAmount,
  /** The memo's data in the ledger's own spelling, without 0x. */
  memoData: Schema.String.check(
    Schema.isPattern(/^(?:[0-9A-F]{2})+$/, { expected: "pairs of hexadecimal digits in capitals" }),
  ),
})
export type XrplPayload = typeof XrplPayload.Type

/** A payload for the sender's wallet (decision 13, chainflip/wire.md 2.3). It opens and reserves nothing. */
export const VaultSwapPayload = Schema.Union([
  BitcoinPayload,
  EvmPayload,
  SolanaPayload,
  TronPayload,
  XrplPayload,
])
export type VaultSwapPayload = typeof VaultSwapPayload.Type

/**
 * The mark of a payload that its provider finds again in the transaction made of it, such as a memo, the hash of the
 * calldata or the null data: text that is compared as it is. Two payloads of one provider may have the same mark, and
 * everyone can read it once the transaction is on its chain.
 */
export const PayloadMark = Schema.NonEmptyString.pipe(Schema.brand("PayloadMark"))
export type PayloadMark = typeof PayloadMark.Type

/** A payload with the facts that its sender needs. */
export interface EncodedPayload {
  readonly payload: VaultSwapPayload
  /** Absent where the upstream's record of a swap has nothing by which its payload can be recognised. */
  readonly mark?: PayloadMark
  /** Whether the paid or called address may change, so that the provider itself compares it, and who takes a token. */
  readonly recipientChanges?: boolean
  /** Where the money goes back to if it is not swapped, as this very payload says. */
  readonly refundsTo: RefundsTo
  /** The payload is stale from then on: a transaction made of it may be lost, or swapped at an outdated price. */
  readonly expiresAt: EpochMillis
  /** The least amount that is credited, in native units of the source asset; 0 where there is no minimum. */
  readonly minimumDeposit: NativeAmount
  /** The time from the transaction to the payout, in milliseconds. */
  readonly estimatedDuration: number
  /** The fees that the upstream states, taken from the swap or paid on top. */
  readonly fees: ReadonlyArray<Fee>
}
