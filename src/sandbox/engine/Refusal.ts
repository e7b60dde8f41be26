import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"

/** Errors of the state chain's modules, with their documentation. */
export const moduleErrors = {
  BrokerCommissionBpsTooHigh: "The broker commission and the affiliates' exceed 1000 bps together.",
  RetryDurationTooHigh: "The retry duration exceeds the maximum.",
  ZeroNumberOfChunksNotAllowed: "The number of chunks must be at least 1.",
  ChunkIntervalTooLow: "The chunk interval must be at least 1 block.",
  SwapRequestDurationTooLong: "The chunks would take longer than a swap request may.",
  InvalidDestinationAddress: "The destination address is not one of the destination chain.",
  InvalidRefundAddress: "The refund address is not one of the source chain.",
  InvalidCcm: "The message is not one that the destination chain can carry.",
  CcmUnsupportedForTargetChain: "The destination chain does not support messages.",
  PoolDoesNotExist: "There is no pool for this pair of assets.",
  DepositChannelCreationDisabled: "Deposit channels cannot be opened at present.",
  BoostFeeTooHigh: "The boost fee does not fit into a byte.",
  BrokerFeeTooHigh: "The broker fee does not fit into a byte.",
  AffiliateFeeTooHigh: "An affiliate fee does not fit into a byte.",
  WithdrawalsDisabled: "Withdrawals are switched off by the safe mode.",
  NoFundsAvailable: "The account has earned nothing that could be withdrawn.",
  DestinationNotAllowed: "The account may not withdraw to this address.",
  BelowEgressDustLimit: "The amount is below the least that is paid out.",
  BrokerAlreadyBound: "The broker has an address that its withdrawals are bound to.",
  AffiliateShortIdOutOfBounds: "The broker has as many affiliates as there are short ids.",
  AffiliateNotRegisteredForBroker: "The account is not an affiliate of this broker.",
  AffiliateEarnedFeesNotWithdrawn: "The affiliate has earned fees that are not withdrawn.",
  PrivateChannelExistsForBroker: "The broker has a private channel.",
  NoPrivateChannelExistsForBroker: "The broker has no private channel.",
  InsufficientFunds: "The account has too little FLIP for the bond.",
  InsufficientLiquidity: "The account has too little FLIP that is not bonded.",
  EarnedFeesNotWithdrawn: "The broker has earned fees that are not withdrawn.",
  BrokerRegistrationDisabled: "Brokers cannot be registered at present.",
} as const

export type ModuleErrorName = keyof typeof moduleErrors

/** The modules of errors that are not the swapping module's own. */
const pallets: Readonly<Partial<Record<ModuleErrorName, string>>> = {
  PoolDoesNotExist: "LiquidityPools",
  DestinationNotAllowed: "AssetBalances",
  InsufficientLiquidity: "Flip",
  BelowEgressDustLimit: "EthereumIngressEgress",
}

/** An extrinsic that failed in a module of the state chain (chainflip/wire.md 2.6). */
interface ModuleError {
  readonly _tag: ModuleErrorName
  /** Such as `Swapping` or `BitcoinIngressEgress`. */
  readonly pallet: string
  readonly docs: string
}

export const moduleError = (name: ModuleErrorName, pallet = pallets[name] ?? "Swapping"): ModuleError => ({
  _tag: name,
  pallet,
  docs: moduleErrors[name],
})

/** The operator's FLIP does not pay for a transaction on the state chain, or for what that does. Nothing was changed. */
export type FundsRefusal = ModuleError | { readonly _tag: "CannotPayFees" }

/** Why a transaction of the operator's was refused. Nothing was changed. */
export type OperatorRefusal =
  | FundsRefusal
  /** It is no address of the asset's chain. */
  | { readonly _tag: "InvalidAddress"; readonly address: string }

/** Why an account is no affiliate: too many, or no ss58 account of the network (-32602, chainflip/wire.md 2.5). */
export type AffiliateRefusal =
  | { readonly _tag: "TooManyAffiliates" }
  | { readonly _tag: "InvalidAffiliateAccount"; readonly account: string }

/** Why a request for a swap was refused. Nothing was changed. */
export type SwapRefusal =
  | ModuleError
  | AffiliateRefusal
  /** A commission or boost fee is not a u16 (-32602). */
  | { readonly _tag: "InvalidBps"; readonly bps: number }
  /** The backend's cap of open channels with one destination, pair and message is reached (chainflip/wire.md 3.5). */
  | { readonly _tag: "TooManyChannels" }

/** Why a channel was not opened. Nothing was changed. */
export type OpenRefusal = SwapRefusal | FundsRefusal

type ZeroAmount = { readonly _tag: "ZeroAmount" }

/** No channel was ever opened with this address. */
type UnknownAddress = { readonly _tag: "UnknownAddress"; readonly address: string }

/** Why a vault swap was not encoded or not sent. Nothing was changed. */
export type VaultSwapRefusal =
  | SwapRefusal
  | ZeroAmount
  /** The chain has no vault for swaps (chainflip/wire.md 2.3). */
  | { readonly _tag: "NoVault"; readonly chain: Chain }

/** Why a deposit was not sent. Nothing was changed. */
export type DepositRefusal = UnknownAddress | ZeroAmount

export type ControlRefusal =
  | UnknownAddress
  /** The asset is usdc.eth, which prices all others and has no pool itself. */
  | { readonly _tag: "NoPool"; readonly asset: AssetId }
  /** A figure that no network could have; `detail` names it and its range. */
  | { readonly _tag: "ImpossibleFigure"; readonly detail: string }

/** Why there is no quote; each refusal stands for one row of chainflip/wire.md 3.5. Figures are in native units. */
export type QuoteRefusal =
  | { readonly _tag: "QuotingMaintenance" }
  | { readonly _tag: "AssetsCannotBeSwapped" }
  | { readonly _tag: "AssetDisabled"; readonly asset: AssetId }
  | { readonly _tag: "BelowMinimum"; readonly minimum: NativeAmount }
  | { readonly _tag: "AboveMaximum"; readonly maximum: NativeAmount }
  | { readonly _tag: "IngressFeeNotCovered"; readonly ingressFee: NativeAmount }
  | { readonly _tag: "InsufficientLiquidity" }
  | { readonly _tag: "EgressFeeNotCovered"; readonly egressFee: NativeAmount }
  | { readonly _tag: "EgressBelowMinimum"; readonly amount: NativeAmount; readonly minimum: NativeAmount }

/** Why the node's simulation (`cf_swap_rate_v3`) gave no rate (chainflip/wire.md 1.7). */
export type RateRefusal =
  | { readonly _tag: "ZeroInput" }
  | { readonly _tag: "AssetsCannotBeSwapped" }
  | { readonly _tag: "IngressFeeNotCovered"; readonly ingressFee: NativeAmount }
  | { readonly _tag: "InsufficientLiquidity" }
