import type { OrderTrap } from "../../../api/SandboxCommands.ts"
import type { Address } from "../../../domain/Address.ts"
import type { NativeAmount } from "../../../domain/Amount.ts"
import type { Bps } from "../../../domain/Bps.ts"
import type { EpochMillis } from "../../../domain/Time.ts"
import type { EventQueue } from "../../engine/EventQueue.ts"
import type { Network } from "../../engine/State.ts"
import type { QuoteRequest } from "./Command.ts"
import type { Token } from "./tokens.ts"

/** The terms of a request, its tokens looked up in the catalogue. */
export interface Terms {
  readonly origin: Token
  readonly destination: Token
  readonly amount: NativeAmount
  readonly slippageBps: Bps
  /** All application fees together, taken from the input. */
  readonly appFeeBps: Bps
  /** Below `amount` a deposit is incomplete, and what is above goes back. */
  readonly isExact: boolean
}

/** Reference prices: native usdc.eth for one whole unit. */
export interface Prices {
  readonly origin: bigint
  readonly destination: bigint
}

/** The figures of a quote. Amounts in smallest units of the asset that they are of. */
export interface Offer {
  readonly amountIn: bigint
  readonly minimumAmountIn: bigint
  /** Before the withdraw fee. */
  readonly grossOut: bigint
  readonly amountOut: bigint
  readonly minimumAmountOut: bigint
  readonly withdrawFee: bigint
  readonly refundFee: bigint
  readonly timeEstimateSeconds: number
  /** The prices that the figures were made with. */
  readonly prices: Prices
}

/** A transaction to the deposit address of an order. */
export interface OrderDeposit {
  readonly amount: NativeAmount
  readonly transactionReference: string
  /** When the block comes that holds it. */
  readonly includedAt: EpochMillis
  isIncluded: boolean
  isConfirmed: boolean
}

/** The reason for which money went back, as `refundReason` says it. */
export type RefundReason =
  | "PARTIAL_DEPOSIT"
  | "LATE_DEPOSIT"
  | "EXCESS_DEPOSIT"
  | "PRICE_MOVED"
  | "NO_LIQUIDITY"
  | "SOLVER_FAILED"

/** The amount that is paid out, and the transaction that pays it. */
export interface Payout {
  readonly amount: bigint
  readonly transactionReference: string
}

/** Where an order stands. */
export type Progress =
  | { readonly _tag: "PendingDeposit" }
  | { readonly _tag: "KnownDeposit" }
  | { readonly _tag: "IncompleteDeposit" }
  /** Without a payout until it has been sent. */
  | { readonly _tag: "Processing"; readonly input: bigint; readonly payout?: Payout }
  | { readonly _tag: "Success"; readonly input: bigint; readonly payout: Payout }
  | { readonly _tag: "Refunded" }
  /** The deposit does not even cover the fee of sending it back. */
  | { readonly _tag: "Failed" }

/** The amount that went back, net of the refund fee, and the reason for the last part of it. */
interface Refund {
  readonly amount: bigint
  readonly reason: RefundReason
}

/** A quote that was not dry, and what became of it. */
export interface Order {
  readonly number: number
  readonly createdAt: EpochMillis
  readonly depositAddress: Address
  readonly request: QuoteRequest
  readonly terms: Terms
  readonly offer: Offer
  readonly deadline: EpochMillis
  readonly trap?: OrderTrap
  readonly deposits: Array<OrderDeposit>
  progress: Progress
  updatedAt: EpochMillis
  /** False while a stuck order does not see its deposits. */
  isDetecting: boolean
  refund?: Refund
}

/** An event that falls due at some time. */
export type IntentsEvent =
  | { readonly _tag: "IncludeDeposit"; readonly order: Order; readonly deposit: OrderDeposit }
  | { readonly _tag: "ConfirmDeposit"; readonly order: Order; readonly deposit: OrderDeposit }
  | { readonly _tag: "Detect"; readonly order: Order }
  | { readonly _tag: "PassDeadline"; readonly order: Order }
  | { readonly _tag: "Settle"; readonly order: Order }
  | { readonly _tag: "Arrive"; readonly order: Order; readonly input: bigint; readonly payout: Payout }

/** All orders. Chains, prices and the beginning of time are those of the engine's network. */
export interface Intents {
  readonly network: Network
  time: EpochMillis
  readonly events: EventQueue<IntentsEvent>
  /** In the order of opening. */
  readonly orders: Map<string, Order>
  readonly plannedTraps: Array<OrderTrap>
  transactionCount: number
}

/** Why there is no quote and no order. Nothing has changed. */
export type RequestRefusal =
  /** The token is not in the catalogue, or the same on both sides. */
  | { readonly _tag: "InvalidToken"; readonly member: "tokenIn" | "tokenOut" }
  | { readonly _tag: "InvalidAddress"; readonly member: "recipient" | "refundTo" }
  | { readonly _tag: "AppFeesTooHigh" }
  /** `minimum` in smallest units of the origin asset. */
  | { readonly _tag: "AmountTooLow"; readonly minimum: bigint }
  | { readonly _tag: "NoLiquidity" }

/** No order has this deposit address. */
export interface UnknownOrder {
  readonly _tag: "UnknownOrder"
  readonly address: string
}
