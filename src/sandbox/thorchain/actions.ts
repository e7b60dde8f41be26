import { follow } from "../follow.ts"
import { coinOf } from "./engine/prices.ts"
import type { Outbound, Payment, Vaults } from "./engine/State.ts"
import recorded from "./recorded/midgard-actions-part-refunded-2024.json" with { type: "json" }

/** Midgard's list of actions (thorchain/wire.md 9). */

const [refund, swap] = recorded.body.actions

const paid = ({ amount, asset, id, to }: Outbound): unknown =>
  follow(swap?.out[0], [
    ["address", to],
    ["coins.0.asset", asset],
    ["coins.0.amount", `${amount}`],
    ["txID", id],
  ])

const actionOf = (vaults: Vaults, { amount, ask, asset, id, isSeen, memo, outbounds, sender }: Payment) => {
  const isRefund = outbounds.length > 0 && outbounds.every((outbound) => outbound.isRefund)
  const about = isRefund ? "metadata.refund" : "metadata.swap"
  return follow(isRefund ? refund : swap, [
    ["date", `${vaults.time}000000`],
    ["in.0.address", sender],
    ["in.0.coins.0.asset", coinOf(vaults, asset).asset],
    ["in.0.coins.0.amount", `${amount}`],
    ["in.0.txID", id],
    [`${about}.affiliateAddress`, ask?.affiliate ?? ""],
    [`${about}.affiliateFee`, `${ask?.affiliateBps ?? 0}`],
    [`${about}.memo`, memo],
    // What nobody reads is left out rather than that of another swap.
    [`${about}.networkFees`, []],
    [`${about}.streamingSwapMeta?`, undefined],
    ["out", outbounds.filter(({ id }) => id !== undefined).map(paid)],
    ["status", isSeen ? "success" : "pending"],
  ])
}

/** `GET /v2/actions`: what the affiliate of the query earns of, the latest first. A token is how many came before. */
export const actionsOf = (vaults: Vaults, query: URLSearchParams): unknown => {
  const affiliate = query.get("affiliate")
  const limit = Number(query.get("limit") ?? "50")
  const begin = Number(query.get("nextPageToken") ?? "0")
  const all = [...vaults.payments.values()].filter(({ ask, isFinalised }) =>
    isFinalised && ask?.affiliate === affiliate
  ).toReversed()
  return follow(recorded.body, [
    ["actions", all.slice(begin, begin + limit).map((payment) => actionOf(vaults, payment))],
    ["count", `${all.length}`],
    ["meta.nextPageToken", `${begin + limit}`],
    ["meta.prevPageToken", ""],
  ])
}
