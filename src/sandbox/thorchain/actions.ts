import { coinOf } from "./engine/prices.ts"
import type { Payment, Vaults } from "./engine/State.ts"

/** Midgard's list of actions (thorchain/wire.md 9). */

const actionOf = (vaults: Vaults, payment: Payment) => {
  const { amount, ask, asset, id, memo, outbounds, sender } = payment
  const isRefund = outbounds.length > 0 && outbounds.every((outbound) => outbound.isRefund)
  const told = { affiliateAddress: ask?.affiliate ?? "", affiliateFee: `${ask?.affiliateBps ?? 0}`, memo }
  return {
    date: `${vaults.time}000000`,
    height: "1",
    in: [{ address: sender, coins: [{ ...coinOf(vaults, asset), amount: `${amount}` }], txID: id }],
    metadata: isRefund ? { refund: told } : { swap: told },
    out: outbounds.flatMap(({ amount, asset, id: txID, to }) =>
      txID === undefined ? [] : [{ address: to, coins: [{ amount: `${amount}`, asset }], txID }]
    ),
    pools: [],
    status: payment.isSeen ? "success" : "pending",
    type: isRefund ? "refund" : "swap",
  }
}

/** `GET /v2/actions`: what the affiliate of the query earns of, the latest first. A token is how many were told before. */
export const actionsOf = (vaults: Vaults, query: URLSearchParams): unknown => {
  const affiliate = query.get("affiliate")
  const limit = Number(query.get("limit") ?? "50")
  const begin = Number(query.get("nextPageToken") ?? "0")
  const all = [...vaults.payments.values()].filter(({ ask, isFinalised }) =>
    isFinalised && ask?.affiliate === affiliate
  ).toReversed()
  return {
    actions: all.slice(begin, begin + limit).map((payment) => actionOf(vaults, payment)),
    count: `${all.length}`,
    meta: { nextPageToken: `${begin + limit}`, prevPageToken: "" },
  }
}
