import type { FaultCode } from "#api/SandboxFaults.ts"
import { Match } from "effect"
import { json, type Reply } from "../Wire.ts"
import { maximumAppFeeBps } from "./engine/Command.ts"
import type { RequestRefusal } from "./engine/State.ts"

/** The texts of 1Click's refusals (near-intents/wire.md 1, errors), which have no codes. */
export const intentsMessage = {
  unauthorized: "Unauthorized",
  noLiquidity: "No liquidity available",
  deadlinePassed: "deadline must be in the future",
  notJson: "the body is not JSON",
  internal: "Internal server error",
  appFeesTooHigh: `appFees must not exceed ${maximumAppFeeBps} bps in total`,
  amountTooLow: (minimum: bigint) => `Amount is too low for bridge, try at least ${minimum}`,
  invalid: (member: string) => `${member} is not valid`,
  unknownAddress: (address: string) => `Deposit address ${address} not found`,
  nothingHere: (method: string, path: string) => `Cannot ${method} ${path}`,
} as const

export const intentsRefusal = (status: number, message: string): Reply => json(status, { message })

export const requestRefusal: (refusal: RequestRefusal) => Reply = Match.type<RequestRefusal>().pipe(
  Match.tagsExhaustive({
    InvalidToken: ({ member }) => intentsRefusal(400, intentsMessage.invalid(member)),
    InvalidAddress: ({ member }) => intentsRefusal(400, intentsMessage.invalid(member)),
    TagDemanded: () => intentsRefusal(400, intentsMessage.internal),
    AppFeesTooHigh: () => intentsRefusal(400, intentsMessage.appFeesTooHigh),
    AmountTooLow: ({ minimum }) => intentsRefusal(400, intentsMessage.amountTooLow(minimum)),
    NoLiquidity: () => intentsRefusal(400, intentsMessage.noLiquidity),
  }),
)

/** Each code of the catalogue (decision 33) as 1Click's text; the nearest stands in (near-intents/wire.md 1, errors). */

/** Amounts in messages of refusals without real figures. */
const figure = { lower: 1n, higher: 2n } as const

const faults: Readonly<Record<FaultCode, Reply>> = {
  amount_below_minimum: intentsRefusal(400, intentsMessage.amountTooLow(figure.higher)),
  egress_below_minimum: intentsRefusal(
    400,
    `Output amount (${figure.lower}) is below the minimum withdrawal amount (${figure.higher})`,
  ),
  egress_fee_not_covered: intentsRefusal(
    400,
    `Output amount does not cover the withdrawal fee (${figure.higher})`,
  ),
  insufficient_liquidity: intentsRefusal(400, intentsMessage.noLiquidity),
  quoting_maintenance: intentsRefusal(503, "quoting is paused for maintenance"),
  swapping_maintenance: intentsRefusal(503, "swaps are paused for maintenance"),
  deposit_channel_failed: intentsRefusal(500, "Failed to create deposit address"),
  too_many_channels: intentsRefusal(400, "too many active deposit addresses"),
  asset_disabled: intentsRefusal(400, "Token is disabled"),
  upstream_error: intentsRefusal(500, intentsMessage.internal),
  provider_unavailable: json(429, { message: "ThrottlerException: Too Many Requests", statusCode: 429 }),
  request_cancelled: intentsRefusal(499, "client closed request"),
  route_disabled: intentsRefusal(403, "pair is not enabled for this account"),
}

export const intentsFault = (code: FaultCode): Reply => faults[code]
