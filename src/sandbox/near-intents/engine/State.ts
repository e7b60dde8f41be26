import type { OrderTrap } from "#api/SandboxCommands.ts"
import type { Address } from "#domain/chains/Address.ts"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Prices, SideNetwork } from "../../engine/sideNetworks.ts"
import type { QuoteRequest } from "./Command.ts"
import type { Token } from "./tokens.ts"

/** The terms of a request, with its tokens from the catalogue. */
export interface OrderTerms {
  readonly origin: Token
  readonly destination: Token
  readonly amount: SwapAmount
  readonly slippageBps: Bps
  /** What each account gets, in basis points of the input, from which it is taken. */
  readonly fees: ReadonlyArray<{ readonly recipient: string; readonly fee: Bps }>
  /** Whether a deposit below the amount that is sent is incomplete, and the part above it is refunded. */
  readonly isExact: boolean
}

/** The figures of a quote, each amount in smallest units of its asset. */
export interface Offer {
  readonly amountIn: bigint
  readonly minimumAmountIn: bigint
  /** The output before the withdraw fee. */
  readonly grossOut: bigint
  readonly amountOut: bigint
  readonly minimumAmountOut: bigint
  readonly withdrawFee: bigint
  readonly refundFee: bigint
  readonly timeEstimateSeconds: number
  /** The prices that the figures are based on. */
  readonly prices: Prices
}

/** A transaction to the deposit address of an order. */
export interface OrderDeposit {
  readonly amount: NativeAmount
  readonly transactionReference: string
  /** The time of the block that includes the transaction. */
  readonly includedAt: EpochMillis
  isIncluded: boolean
  isConfirmed: boolean
}

/** The reason of a refund, as `refundReason` reports it. */
export type RefundReason =
  | "PARTIAL_DEPOSIT"
  | "LATE_DEPOSIT"
  | "EXCESS_DEPOSIT"
  | "PRICE_MOVED"
  | "NO_LIQUIDITY"
  | "SOLVER_FAILED"

/** The amount of a payout, and its transaction. */
export interface Payout {
  readonly amount: bigint
  readonly transactionReference: string
}

/** The state of an order. */
export type Progress =
  | { readonly _tag: "PendingDeposit" }
  | { readonly _tag: "KnownDeposit" }
  | { readonly _tag: "IncompleteDeposit" }
  /** Without a payout until one was sent. */
  | { readonly _tag: "Processing"; readonly input: bigint; readonly payout?: Payout }
  | { readonly _tag: "Success"; readonly input: bigint; readonly payout: Payout }
  | { readonly _tag: "Refunded" }
  /** The deposit does not even cover the refund fee. */
  | { readonly _tag: "Failed" }

/** The refunded amount, net of the refund fee, and the reason for its last part. */
interface Refund {
  readonly amount: bigint
  readonly reason: RefundReason
}

/** An order from a quote that was not dry, with its progress. */
export interface Order {
  readonly number: number
  readonly createdAt: EpochMillis
  readonly depositAddress: Address
  readonly request: QuoteRequest
  readonly terms: OrderTerms
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

/** The order of events at the same moment: deposits count before a deadline at that moment. */
export const phases = ["include", "confirm", "detect", "deadline", "settle", "arrive"] as const

/** All orders. */
export interface Intents extends SideNetwork<typeof phases[number], OrderTrap> {
  /** The orders by their deposit address, in the order of opening. */
  readonly orders: Map<string, Order>
}

/** Why there is no quote or order. Nothing was changed. */
export type RequestRefusal =
  /** The token is not in the catalogue, or is the same on both sides. */
  | { readonly _tag: "InvalidToken"; readonly member: "tokenIn" | "tokenOut" }
  | { readonly _tag: "InvalidAddress"; readonly member: "recipient" | "refundTo" }
  /** An account that the bridge cannot pay, as it names no tags. */
  | { readonly _tag: "TagDemanded" }
  | { readonly _tag: "AppFeesTooHigh" }
  /** `minimum` is in smallest units of the asset that the amount is of. */
  | { readonly _tag: "AmountTooLow"; readonly minimum: bigint }
  | { readonly _tag: "NoLiquidity" }

/** No order has this deposit address. */
export interface UnknownOrder {
  readonly _tag: "UnknownOrder"
  readonly address: string
}
