import type { FaultCode } from "#api/SandboxFaults.ts"
import { follow } from "../follow.ts"
import { json, type Reply } from "../Wire.ts"
import type { Family } from "./families.ts"
import dust from "./recorded/error-dust.json" with { type: "json" }
import memoTooLong from "./recorded/error-memo-too-long.json" with { type: "json" }
import noPool from "./recorded/error-pool-not-found.json" with { type: "json" }
import halted from "./recorded/error-trading-halted.json" with { type: "json" }
import wrongDestination from "./recorded/error-wrong-destination.json" with { type: "json" }
import fees from "./recorded/maya-error-fees.json" with { type: "json" }
import requirements from "./recorded/maya-error-requirements.json" with { type: "json" }

/** A recorded text without what nodes wrap around every refusal. */
const plain = (text: string): string => text.split(/: (?:invalid|unknown) request/)[0] ?? text

/** What nodes say when they refuse (thorchain/wire.md 6): there are no codes, only texts. Some were not recorded. */
export const vaultMessage = {
  dust: plain(dust.body.message),
  feeNotCovered: fees.body.error,
  outboundTooLittle: requirements.body.error,
  halted: plain(halted.body.message),
  liquidity: "failed to simulate swap: not enough liquidity",
  noPool: (name: string) => noPool.body.error.replace(/pool \S+/, `pool ${name}`),
  badDestination: plain(wrongDestination.body.message),
  badRefund: "bad refund address: unknown address format",
  badAmount: "bad amount: strconv.ParseUint: invalid syntax",
  affiliateTooHigh: "total affiliate fee must not be more than 1000 bps",
  memoTooLong: plain(memoTooLong.body.message),
  unknown: "internal error",
} as const

/** An answer of a node that says no more than a text, in the form of its network. */
export const vaultRefusal = ({ isDetailed }: Family, status: number, message: string): Reply =>
  json(
    status,
    isDetailed
      ? follow(dust.body, [["message", `${message}: invalid request`]])
      : follow(fees.body, [["error", message]]),
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

export const vaultFault = (family: Family, code: FaultCode): Reply => {
  const [status, message] = faults[code]
  return vaultRefusal(family, status, message)
}
