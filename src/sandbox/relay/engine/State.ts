import type { RequestTrap } from "#api/SandboxCommands.ts"
import type { Address } from "#domain/chains/Address.ts"
import type { Bps } from "#domain/money/Bps.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import type { SwapAmount } from "#domain/quotes/ExactOutput.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { Payment, Prices, SideNetwork } from "../../engine/ledger.ts"
import type { QuoteRequest } from "./Command.ts"
import type { Currency } from "./currencies.ts"

export interface OrderTerms {
  readonly origin: Currency
  readonly destination: Currency
  readonly amount: SwapAmount
  readonly recipient: string
  readonly slippageBps: Bps
  /** All application fees together, taken from the input. */
  readonly appFeeBps: Bps
}

/** What the depositing transaction costs its sender: in smallest units of the coin of its chain, which has a price. */
export interface SenderGas {
  readonly coin: Currency
  readonly amount: bigint
  readonly price: bigint
}

/** The figures of a quote. Fees in smallest units of the origin currency. */
export interface Offer {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly minimumAmountOut: bigint
  readonly gasFee: bigint
  readonly serviceFee: bigint
  readonly senderGas: SenderGas
  readonly appFee: bigint
  /** Seconds, also fractions of one. */
  readonly timeEstimate: number
  readonly prices: Prices
}

/** Where a request stands, in Relay's own words. */
export type RequestState = "waiting" | "pending" | "delayed" | "submitted" | "success" | "refund" | "failure"

export interface Quoted {
  readonly terms: OrderTerms
  readonly offer: Offer
}

/** A quote with a strict deposit address, or a request that came of one, and what became of it. */
export interface RelayRequest extends Quoted {
  readonly id: string
  readonly createdAt: EpochMillis
  readonly depositAddress: Address
  readonly request: QuoteRequest
  /** What is not filled by then is refunded. */
  readonly ttlEnd: EpochMillis
  readonly trap?: RequestTrap
  /** The requests of further deposits to its address, and the one under which the money went on. */
  readonly children: Array<RelayRequest>
  readonly unnoticed: Array<Payment>
  reindexedAt?: EpochMillis
  /** The only one that it takes. */
  deposit?: Payment
  state: RequestState
  updatedAt: EpochMillis
  /** The request under which the money went on. */
  supersededBy?: RelayRequest
  payout?: Payment
  /** What went back: all of a deposit that was not filled, or what was above the amount. */
  refund?: Payment
  /** A transaction of the protocol's own beside the refund. */
  settlement?: Payment
  /** Why money was not filled, in Relay's own words. */
  failReason?: string
  refundFailReason?: "AMOUNT_TOO_LOW_TO_REFUND"
}

/** The order of events of the same moment. */
export const phases = ["include", "confirm", "fill", "arrive"] as const

export interface Relay extends SideNetwork<typeof phases[number], RequestTrap> {
  readonly requests: Map<string, RelayRequest>
  readonly requestsByAddress: Map<string, RelayRequest>
  readonly disabledChains: Set<Chain>
}

/** Why there is no quote and no request. Nothing has changed. */
export interface RequestRefusal {
  readonly _tag:
    | "UnsupportedChain"
    | "ChainDisabled"
    | "InvalidInputCurrency"
    | "InvalidOutputCurrency"
    /** Deposit addresses do not take the currency. */
    | "UnsupportedCurrency"
    | "InvalidUser"
    | "InvalidRecipient"
    | "InvalidRefundTo"
    /** The balance of `user` does not exceed the amount. */
    | "InsufficientFunds"
    | "RefundToMissing"
    | "InvalidSlippage"
    | "AppFeesTooHigh"
    | "AmountTooLow"
    | "NoLiquidity"
}

export interface ReindexRefusal {
  readonly _tag: "UnknownDepositAddress" | "ReindexedTooRecently"
}
