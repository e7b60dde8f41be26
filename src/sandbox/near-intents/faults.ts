import type { ProblemCode } from "../../domain/ProblemCode.ts"
import { json, type Reply } from "../Wire.ts"
import { intentsMessage, intentsRefusal } from "./refusals.ts"

/**
 * What each code of the catalogue (decision 33) is on 1Click's wire. It has no codes: clients tell refusals by
 * these texts. Where 1Click has none that is known (near-intents/wire.md 1, errors), the nearest stands in; 403, 499
 * and 429 can come from any server or proxy.
 */

/** Seconds that a rate-limited client is asked to wait. */
const retryAfterSeconds = 5

/** Amounts that stand in messages of refusals which have no real figures behind them. */
const figure = { lower: 1n, higher: 2n } as const

const faults: Readonly<Record<ProblemCode, Reply>> = {
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
  asset_disabled: intentsRefusal(400, `${intentsMessage.invalid("tokenIn")}: asset is disabled`),
  upstream_error: intentsRefusal(500, "Internal server error"),
  provider_unavailable: json(429, { message: "Too Many Requests" }, {
    "retry-after": `${retryAfterSeconds}`,
  }),
  request_cancelled: intentsRefusal(499, "client closed request"),
  route_disabled: intentsRefusal(403, "pair is not enabled for this account"),
}

/** The refusal of any call for a code. */
export const intentsFault = (code: ProblemCode): Reply => faults[code]
