import { Schema } from "effect"
import { optional } from "#domain/optional.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Chain } from "#domain/chains/Chain.ts"

const Natural = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A broker that shares in the commission, by its ss58 account (chainflip/wire.md 2.2). */
const AffiliateFee = Schema.Struct({ account: Schema.String, commissionBps: Natural })

/** Fill-or-kill: the price limit, and when and to which address the deposit is refunded (chainflip/wire.md 2.2). */
export const RefundParameters = Schema.Struct({
  retryDurationBlocks: Natural,
  refundAddress: Schema.String,
  /** Q128 fixed point of smallest destination units for each smallest source unit; 0 accepts any price. */
  minimumPriceX128: Schema.BigInt.check(Schema.isGreaterThanOrEqualToBigInt(0n)),
  maximumOraclePriceSlippageBps: optional(Natural),
})

/** The number of chunks and the blocks between them, as the caller wrote them; the network checks both. */
const ChunkParameters = Schema.Struct({ numberOfChunks: Natural, chunkIntervalBlocks: Natural })

/** A message for the receiving contract; the gas budget is in the destination chain's gas asset. */
const ChannelMetadata = Schema.Struct({
  gasBudget: NativeAmount,
  /** 0x-hex. */
  message: Schema.String,
})

/** The members that requests for channels and for vault swaps share (chainflip/wire.md 2.2, 2.3). */
const requested = {
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Schema.String,
  brokerCommissionBps: Natural,
  /** The highest boost fee that the user accepts; 0 means no boost. */
  boostFeeBps: Natural,
  affiliates: Schema.Array(AffiliateFee),
  refund: RefundParameters,
  /** Absent, or with a single chunk: a regular swap. */
  dca: optional(ChunkParameters),
  ccm: optional(ChannelMetadata),
}
export const RequestedSwap = Schema.Struct(requested)
export type RequestedSwap = typeof RequestedSwap.Type

/** Everything that `broker_request_swap_deposit_address` takes (chainflip/wire.md 2.2). */
export const OpenChannel = Schema.TaggedStruct("OpenChannel", {
  ...requested,
  /** Whether the backend's own broker opens the channel (chainflip/wire.md 3.8): only it caps open channels. */
  openedThroughBackend: Schema.Boolean,
  expectedDepositAmount: optional(NativeAmount),
})
export type OpenChannel = typeof OpenChannel.Type

/** A transaction to a deposit address, which enters the source chain's next block. */
export const Deposit = Schema.TaggedStruct("Deposit", {
  address: Schema.String,
  amount: NativeAmount,
  /** Another asset than the address takes; absent: the one that it takes. */
  wrongAsset: optional(AssetId),
})
export type Deposit = typeof Deposit.Type

/** A transaction to a vault that itself says what is to be swapped. It enters the source chain's next block. */
export const VaultSwap = Schema.TaggedStruct("VaultSwap", { ...requested, amount: NativeAmount })
export type VaultSwap = typeof VaultSwap.Type

/** An account becomes an affiliate as a payload names it (chainflip/wire.md 2.3). */
export const RegisterAffiliate = Schema.TaggedStruct("RegisterAffiliate", { account: Schema.String })
export type RegisterAffiliate = typeof RegisterAffiliate.Type

/** Pays everything that the operator has earned in an asset to this address (chainflip/wire.md 2.7). */
export const WithdrawFees = Schema.TaggedStruct("WithdrawFees", {
  asset: AssetId,
  destination: Schema.String,
})
export type WithdrawFees = typeof WithdrawFees.Type

/** The operator registers an affiliate, whose share is paid to this address on Ethereum (chainflip/wire.md 2.7). */
export const AddAffiliate = Schema.TaggedStruct("AddAffiliate", { withdrawalAddress: Schema.String })
export type AddAffiliate = typeof AddAffiliate.Type

export const RemoveAffiliate = Schema.TaggedStruct("RemoveAffiliate", { account: Schema.String })
export type RemoveAffiliate = typeof RemoveAffiliate.Type

/** Pays everything that an affiliate has earned to its address. */
export const WithdrawAffiliate = Schema.TaggedStruct("WithdrawAffiliate", { account: Schema.String })
export type WithdrawAffiliate = typeof WithdrawAffiliate.Type

/** The operator opens or closes its private channel for vault swaps from Bitcoin. */
export const OpenPrivateChannel = Schema.TaggedStruct("OpenPrivateChannel", {})
export const ClosePrivateChannel = Schema.TaggedStruct("ClosePrivateChannel", {})

export const BindAddress = Schema.TaggedStruct("BindAddress", { address: Schema.String })
export type BindAddress = typeof BindAddress.Type

/** The operator sets the least commission of its own in a vault swap. */
export const SetMinimumFee = Schema.TaggedStruct("SetMinimumFee", { bps: Natural })
export type SetMinimumFee = typeof SetMinimumFee.Type

/** The transactions of the operator's account on the state chain, but for channels. */
export const OperatorCommand = Schema.Union([
  WithdrawFees,
  AddAffiliate,
  RemoveAffiliate,
  WithdrawAffiliate,
  OpenPrivateChannel,
  ClosePrivateChannel,
  BindAddress,
  SetMinimumFee,
])

/** Moves the reference price of an asset by so many bps of itself; -10 000 and below are refused. */
export const MovePrice = Schema.TaggedStruct("MovePrice", { asset: AssetId, bps: Schema.Int })

/** Sets the pool of an asset to this much USDC, and the same value of the asset. */
export const SetDepth = Schema.TaggedStruct("SetDepth", {
  asset: AssetId,
  /** In native units of usdc.eth. */
  usdc: NativeAmount,
})

/** Changes the network's figures of an asset; absent members stay as they are. */
export const SetAsset = Schema.TaggedStruct("SetAsset", {
  asset: AssetId,
  /** Off: deposits are credited only once it is on again, and no quotes are given. */
  depositEnabled: optional(Schema.Boolean),
  /** Off: no quotes are given. Payments under way go on. */
  egressEnabled: optional(Schema.Boolean),
  /** Off: no channels are opened, and no quotes are given. */
  creationEnabled: optional(Schema.Boolean),
  /** Off: no boost quotes, and boosts are skipped. */
  boostEnabled: optional(Schema.Boolean),
  /** This and the following figures are in native units of the asset. */
  minimumDeposit: optional(NativeAmount),
  maximumSwap: optional(NativeAmount),
  ingressFee: optional(NativeAmount),
  egressFee: optional(NativeAmount),
  egressDustLimit: optional(NativeAmount),
})

/** Sets the state chain's safe mode: while swaps are off, due chunks are postponed (SafeModeActive). */
export const SetSwaps = Schema.TaggedStruct("SetSwaps", { enabled: Schema.Boolean })

/** Sets the backend's two maintenance modes (chainflip/wire.md 3.5). */
export const SetMaintenance = Schema.TaggedStruct("SetMaintenance", {
  quoting: optional(Schema.Boolean),
  swapping: optional(Schema.Boolean),
})

/** Makes the broker reject the next deposit that is to be credited at this address. */
export const RejectNextDeposit = Schema.TaggedStruct("RejectNextDeposit", { address: Schema.String })

/** Sets the outcome of the next payment of an asset that is to be broadcast. */
export const NextEgress = Schema.TaggedStruct("NextEgress", {
  asset: AssetId,
  outcome: Schema.Literals(["abort", "fallback"]),
})

/** Sets the amount that a boost pool can lend; a tier that does not exist is created. */
export const SetBoostPool = Schema.TaggedStruct("SetBoostPool", {
  tierBps: Schema.Int,
  /** In native units of btc.btc. */
  available: NativeAmount,
})

/** Sets the operator's FLIP that is not bonded, in native units. */
export const SetFlip = Schema.TaggedStruct("SetFlip", { free: NativeAmount })

/** Sets the price of a channel from a chain, in native units of flip.eth. */
export const SetOpeningFee = Schema.TaggedStruct("SetOpeningFee", { chain: Chain, fee: NativeAmount })

/** Sets the part of the safe mode that is about withdrawals. */
export const SetWithdrawals = Schema.TaggedStruct("SetWithdrawals", { enabled: Schema.Boolean })

export const SetNode = Schema.TaggedStruct("SetNode", { inSync: Schema.Boolean })

/** Changes what the operator has earned in an asset by so many native units, so that it differs from its swaps. */
export const ShiftEarned = Schema.TaggedStruct("ShiftEarned", { asset: AssetId, difference: Schema.BigInt })

export const Control = Schema.Union([
  MovePrice,
  SetDepth,
  SetAsset,
  SetSwaps,
  SetMaintenance,
  RejectNextDeposit,
  NextEgress,
  SetBoostPool,
  SetFlip,
  SetOpeningFee,
  SetWithdrawals,
  SetNode,
  ShiftEarned,
])
export type Control = typeof Control.Type

/** Everything that changes the network but time. Accepted commands with their times rebuild it exactly. */
export const Command = Schema.Union([
  OpenChannel,
  Deposit,
  VaultSwap,
  RegisterAffiliate,
  ...OperatorCommand.members,
  ...Control.members,
])
export type Command = typeof Command.Type
