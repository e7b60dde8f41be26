import type { OrderTrap } from "#api/SandboxCommands.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { Ledger, Order, Prices } from "../../engine/ledger.ts"
import type { QuoteRequest } from "./Command.ts"
import type { Token } from "./tokens.ts"

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
  readonly prices: Prices
}

export interface Quoted {
  readonly request: QuoteRequest
  readonly terms: OrderTerms
  readonly offer: Offer
}

export type IntentsOrder = Order<Quoted, OrderTrap>

/** All orders, on the chains and at the reference prices of the engine's network, in the same virtual time. */
export type Intents = Ledger<Quoted, OrderTrap>

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

export interface UnknownOrder {
  readonly _tag: "UnknownOrder"
  readonly address: string
}
