import { chainOf } from "#domain/chains/Asset.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { isAddressOn } from "../../engine/identifiers.ts"
import { type Family, findPooled } from "../families.ts"
import type { Ask } from "./State.ts"

/** The most that all shares together may take, in basis points. */
export const mostAffiliateBps = 1_000

/** Digits, or digits with an exponent: `161e6` is 161000000. */
const amountIn = (text: string): bigint | undefined => {
  const [, digits = "", exponent = "0"] = /^([0-9]{1,30})(?:e([0-9]{1,2}))?$/.exec(text) ?? []
  return digits === "" ? undefined : BigInt(digits) * 10n ** BigInt(exponent)
}

const streamingIn = (parts: ReadonlyArray<string>): Ask["streaming"] => {
  const [, interval, quantity] = parts
  return interval === undefined
    ? undefined
    : { interval: Number(interval), quantity: Number(quantity ?? "0") }
}

const commands = ["=", "s", "swap"]

/** What a memo asks the network for; undefined where the network cannot read it (thorchain/wire.md 3). */
export const readAsk = (family: Family, memo: string): Ask | undefined => {
  const [command = "", asset = "", to = "", limits = "", affiliate = "", bps = "0"] = memo.split(":")
  const destinationAsset = findPooled(family, asset)
  const [destination = "", refundAddress] = to.split("/")
  const limitParts = limits.split("/")
  const limit = limits === "" ? 0n : amountIn(limitParts[0] ?? "")
  if (!commands.includes(command.toLowerCase()) || destinationAsset === undefined || limit === undefined) {
    return undefined
  }
  const affiliateBps = Number(bps)
  const isAddress = isAddressOn(chainOf(destinationAsset), destination)
  if (!isAddress || !Number.isInteger(affiliateBps) || affiliateBps > mostAffiliateBps) return undefined
  return {
    destinationAsset,
    destination,
    ...defined({ refundAddress, streaming: streamingIn(limitParts), affiliate: affiliate || undefined }),
    limit,
    affiliateBps: affiliate === "" ? 0 : affiliateBps,
  }
}
