import type { PaymentTrap } from "#api/SandboxVaults.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { SideNetwork } from "../../engine/ledger.ts"
import type { Family } from "../families.ts"

/** What a memo asks for; amounts in the network's units. */
export interface Ask {
  readonly destinationAsset: AssetId
  readonly destination: string
  readonly refundAddress?: string
  readonly limit: bigint
  /** Absent where all is swapped at once; a quantity of 0 leaves it to the network. */
  readonly streaming?: { readonly interval: number; readonly quantity: number }
  readonly affiliate?: string
  readonly affiliateBps: number
}

export interface Outbound {
  readonly chain: string
  readonly to: string
  readonly asset: string
  readonly amount: bigint
  readonly isRefund: boolean
  /** Digits of the asset, where it has fewer than the network counts. */
  readonly decimals?: number
  /** Of the transaction; absent until it is sent. */
  id?: string
}

export interface Payment {
  /** In capitals, without 0x. */
  readonly id: string
  readonly asset: AssetId
  readonly chain: Chain
  readonly amount: bigint
  readonly memo: string
  readonly vault: string
  readonly sender: string
  /** What the memo asks for; absent where it cannot be read. */
  readonly ask?: Ask
  readonly trap?: PaymentTrap
  isObserved: boolean
  isFinalised: boolean
  /** Chunks of a swap, and those that were tried. */
  quantity: number
  count: number
  isSwapped: boolean
  swapped: bigint
  returned: bigint
  outbounds: ReadonlyArray<Outbound>
  /** When what goes out is signed. */
  dueAt?: EpochMillis
  isSeen: boolean
}

/** The order of events of the same moment. */
export const phases = ["observe", "finalise", "swap", "sign", "witness"] as const
export type Phase = typeof phases[number]

export interface Vaults extends SideNetwork<Phase, PaymentTrap> {
  /** With the announced chains that it lists by now. */
  family: Family
  readonly payments: Map<string, Payment>
  readonly haltedChains: Set<Chain>
  isPaused: boolean
  /** Since when the network makes no blocks, and for how long it made none before. */
  frozenAt?: EpochMillis | undefined
  frozenMillis: number
  /** What fell due while the network made no blocks. */
  readonly held: Array<() => void>
  churns: number
}

/** Why a payment is not sent. Nothing has changed. */
export type PaymentRefusal =
  | { readonly _tag: "ZeroAmount" }
  /** The contract takes no call after its expiry. */
  | { readonly _tag: "CallExpired" }
