import type { FaultCode } from "#api/SandboxFaults.ts"
import { Match } from "effect"
import { json, type Reply } from "../Wire.ts"
import type { ReindexRefusal, RequestRefusal } from "./engine/State.ts"

/** A refusal with its code (relay/wire.md 1, errors). */
export const relayRefusal = (status: number, errorCode: string, message: string): Reply =>
  json(status, { message, errorCode })

/** A refusal that has no code. */
export const plainRefusal = (status: number, message: string): Reply => json(status, { message })

const amountTooLow = relayRefusal(
  400,
  "AMOUNT_TOO_LOW",
  "Swap output amount is too small to cover fees required to execute swap",
)
const noLiquidity = relayRefusal(
  400,
  "INSUFFICIENT_LIQUIDITY",
  "Solver has insufficient liquidity for this swap",
)
export const tooManyQuotes = plainRefusal(429, "You reached the rate limit for POST /quote/v2.")

/** The answer to a request that there is no quote for. */
export const requestRefusal: (refusal: RequestRefusal) => Reply = Match.type<RequestRefusal>().pipe(
  Match.tagsExhaustive({
    UnsupportedChain: () => relayRefusal(400, "UNSUPPORTED_CHAIN", "Chain is not supported"),
    ChainDisabled: () => relayRefusal(400, "CHAIN_DISABLED", "Chain is currently disabled"),
    InvalidCurrency: ({ side }) =>
      relayRefusal(400, `INVALID_${side}_CURRENCY`, "Invalid input or output currency"),
    UnsupportedCurrency: () => relayRefusal(400, "UNSUPPORTED_CURRENCY", "Unsupported currency"),
    InvalidAddress: ({ member }) => relayRefusal(400, "INVALID_ADDRESS", `Invalid address: ${member}`),
    InsufficientFunds: () => relayRefusal(400, "INSUFFICIENT_FUNDS", "Insufficient funds"),
    RefundToMissing: () => plainRefusal(400, "refundTo is required for strict deposit addresses"),
    InvalidSlippage: () =>
      relayRefusal(400, "INVALID_SLIPPAGE_TOLERANCE", "slippageTolerance must be between 0 and 10000"),
    AppFeesTooHigh: () => plainRefusal(400, "appFees are too high"),
    AmountTooLow: () => amountTooLow,
    NoLiquidity: () => noLiquidity,
  }),
)

/** The answer to a look for deposits that is not made. */
export const reindexRefusal: (refusal: ReindexRefusal) => Reply = Match.type<ReindexRefusal>().pipe(
  Match.tagsExhaustive({
    UnknownDepositAddress: () => plainRefusal(404, "Deposit address not found"),
    ReindexedTooRecently: () => plainRefusal(429, "Deposit address was reindexed too recently"),
  }),
)

/**
 * What each code of the catalogue (decision 33) is on Relay's wire. Where Relay has none of that meaning, the nearest
 * stands in; 499 can come from any server or proxy.
 */
const faults: Readonly<Record<FaultCode, Reply>> = {
  amount_below_minimum: amountTooLow,
  egress_below_minimum: amountTooLow,
  egress_fee_not_covered: amountTooLow,
  insufficient_liquidity: noLiquidity,
  quoting_maintenance: relayRefusal(503, "PRICE_FETCH_FAILED", "Failed to fetch prices"),
  swapping_maintenance: relayRefusal(503, "SERVICE_UNAVAILABLE", "Service is temporarily unavailable"),
  deposit_channel_failed: relayRefusal(
    400,
    "UNSUPPORTED_EXECUTION_TYPE",
    "Deposit address could not be created",
  ),
  too_many_channels: tooManyQuotes,
  asset_disabled: relayRefusal(400, "CHAIN_DISABLED", "Chain is currently disabled"),
  upstream_error: relayRefusal(500, "UNKNOWN_ERROR", "Unknown error"),
  provider_unavailable: tooManyQuotes,
  request_cancelled: plainRefusal(499, "client closed request"),
  route_disabled: relayRefusal(403, "FORBIDDEN", "Not permitted"),
}

/** The refusal of any call for a code. */
export const relayFault = (code: FaultCode): Reply => faults[code]
