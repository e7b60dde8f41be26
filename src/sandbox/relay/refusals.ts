import type { FaultCode } from "#api/SandboxFaults.ts"
import { follow } from "../follow.ts"
import { json, type Reply } from "../Wire.ts"
import type { ReindexRefusal, RequestRefusal } from "./engine/State.ts"
import funds from "./recorded/refusal-insufficient-funds-built.json" with { type: "json" }
import currency from "./recorded/refusal-invalid-input-currency-docs.json" with { type: "json" }
import key from "./recorded/refusal-401-built.json" with { type: "json" }
import limit from "./recorded/refusal-429-quote-built.json" with { type: "json" }
import liquidity from "./recorded/refusal-insufficient-liquidity-built.json" with { type: "json" }
import low from "./recorded/refusal-amount-too-low-2026-10-01.json" with { type: "json" }
import noKey from "./recorded/relay-refusal-validation-api-key-2026-09.json" with { type: "json" }
import keyless from "./recorded/relay-refusal-unauthorized-quote-2026-09.json" with { type: "json" }
import unsupported from "./recorded/refusal-unsupported-currency-built.json" with { type: "json" }

const recorded = ({ body, status }: { readonly status: number; readonly body: unknown }): Reply =>
  json(status, body)

/** A refusal with its code, which was not recorded (relay/wire.md 1, errors). */
const relayRefusal = (status: number, errorCode: string, message: string): Reply =>
  json(status, { message, errorCode })

export const plainRefusal = (status: number, message: string): Reply => json(status, { message })

export const tooManyQuotes = recorded(limit)
export const unauthorized = recorded(key)
/** The answers to who asks for requests, and for a quote, without a key. */
export const keyMissing = recorded(noKey)
export const keyWanted = recorded(keyless)

const invalidAddress = (member: string): Reply =>
  relayRefusal(400, "INVALID_ADDRESS", `Invalid address: ${member}`)

/** The answers to a request that there is no quote for, and to a look for deposits that is not made. */
export const refusals: Readonly<Record<(RequestRefusal | ReindexRefusal)["_tag"], Reply>> = {
  UnsupportedChain: relayRefusal(400, "UNSUPPORTED_CHAIN", "Chain is not supported"),
  ChainDisabled: relayRefusal(400, "CHAIN_DISABLED", "Chain is currently disabled"),
  InvalidInputCurrency: recorded(currency),
  InvalidOutputCurrency: json(400, follow(currency.body, [["errorCode", "INVALID_OUTPUT_CURRENCY"]])),
  UnsupportedCurrency: recorded(unsupported),
  InvalidUser: invalidAddress("user"),
  InvalidRecipient: invalidAddress("recipient"),
  InvalidRefundTo: invalidAddress("refundTo"),
  InsufficientFunds: recorded(funds),
  RefundToMissing: plainRefusal(400, "refundTo is required for strict deposit addresses"),
  InvalidSlippage: relayRefusal(
    400,
    "INVALID_SLIPPAGE_TOLERANCE",
    "slippageTolerance must be between 0 and 10000",
  ),
  AppFeesTooHigh: plainRefusal(400, "appFees are too high"),
  AmountTooLow: recorded(low),
  NoLiquidity: recorded(liquidity),
  UnknownDepositAddress: plainRefusal(404, "Deposit address not found"),
  ReindexedTooRecently: plainRefusal(429, "Deposit address was reindexed too recently"),
}

/** Each code of the catalogue (decision 33) on Relay's wire; the nearest stands in where Relay has none. */
export const faults: Readonly<Record<FaultCode, Reply>> = {
  amount_below_minimum: recorded(low),
  egress_below_minimum: recorded(low),
  egress_fee_not_covered: recorded(low),
  insufficient_liquidity: recorded(liquidity),
  quoting_maintenance: relayRefusal(503, "PRICE_FETCH_FAILED", "Failed to fetch prices"),
  swapping_maintenance: relayRefusal(503, "SERVICE_UNAVAILABLE", "Service is temporarily unavailable"),
  deposit_channel_failed: relayRefusal(
    400,
    "UNSUPPORTED_EXECUTION_TYPE",
    "Deposit address could not be created",
  ),
  too_many_channels: tooManyQuotes,
  asset_disabled: refusals.ChainDisabled,
  upstream_error: relayRefusal(500, "UNKNOWN_ERROR", "Unknown error"),
  provider_unavailable: tooManyQuotes,
  request_cancelled: plainRefusal(499, "client closed request"),
  route_disabled: relayRefusal(403, "FORBIDDEN", "Not permitted"),
}
