import type { FaultCode } from "#api/SandboxFaults.ts"
import { json, type Reply } from "../Wire.ts"
import type { Family } from "./families.ts"

/** What nodes say when they refuse (thorchain/wire.md 6): there are no codes, only texts. */
export const vaultMessage = {
  dust: "amount less than dust threshold",
  minimum: (minimum: bigint) => `amount less than min swap amount (recommended_min_amount_in: ${minimum})`,
  feeNotCovered: "failed to simulate swap: not enough asset to pay for fees",
  outboundTooLittle: "outbound amount does not meet requirements (1/2)",
  halted: "failed to simulate swap: failed to simulate handler: trading is halted, can't process swap",
  priceLimit: "failed to simulate swap: emit asset 1 less than price limit 2",
  liquidity: "failed to simulate swap: not enough liquidity",
  noPool: (name: string) => `failed to simulate swap: pool ${name} doesn't exist`,
  badDestination:
    "failed to simulate swap: failed to validate message: swap destination address is not the same chain " +
    "as the target asset",
  badRefund: "bad refund address: unknown address format",
  badAmount: "bad amount: strconv.ParseUint: invalid syntax",
  affiliateTooHigh: "total affiliate fee must not be more than 1000 bps",
  memoTooLong: "generated memo too long for source chain",
  unknown: "internal error",
} as const

/** An answer of a node that says no more than a text, in the form of its network. */
export const vaultRefusal = (
  { tellsMore }: Family,
  status: number,
  message: string,
): Reply =>
  json(
    status,
    tellsMore
      ? {
        code: 3,
        message: `${message}: invalid request`,
        details: [],
      }
      : { error: message },
  )

/** What each code of the catalogue (decision 33) is on the wire; the nearest stands in where there is none. */
const faults: Readonly<Record<FaultCode, readonly [status: number, message: string]>> = {
  amount_below_minimum: [400, vaultMessage.dust],
  egress_below_minimum: [400, vaultMessage.outboundTooLittle],
  egress_fee_not_covered: [400, vaultMessage.feeNotCovered],
  insufficient_liquidity: [400, vaultMessage.liquidity],
  quoting_maintenance: [400, vaultMessage.halted],
  swapping_maintenance: [400, vaultMessage.halted],
  deposit_channel_failed: [500, vaultMessage.unknown],
  too_many_channels: [500, vaultMessage.unknown],
  asset_disabled: [400, vaultMessage.noPool("BTC.BTC")],
  upstream_error: [500, vaultMessage.unknown],
  provider_unavailable: [429, "too many requests"],
  request_cancelled: [499, "client closed request"],
  route_disabled: [403, "forbidden"],
}

/** The refusal of any call for a code. */
export const vaultFault = (family: Family, code: FaultCode): Reply => {
  const [status, message] = faults[code]
  return vaultRefusal(family, status, message)
}
