import { follow, type Row } from "../follow.ts"
import { answersOf, unlessZero } from "./answers.ts"
import { blockMillis, coinOf, gasCoin } from "./engine/prices.ts"
import type { Outbound, Payment, Vaults } from "./engine/State.ts"
import { findPayment } from "./engine/Vaults.ts"
import { chainOfCode, unprefixed } from "./families.ts"
import observed from "./recorded/maya-status-pending.json" with { type: "json" }
import swapped from "./recorded/status-completed-bnb-avax-direct-affiliate.json" with { type: "json" }
import swapping from "./recorded/status-pending-btc-usdt.json" with { type: "json" }
import kept from "./recorded/status-rune-affiliate-not-paid.json" with { type: "json" }
import streaming from "./recorded/status-streaming-swapping.json" with { type: "json" }
import unknown from "./recorded/status-unknown.json" with { type: "json" }

/** `GET /tx/status/{hash}` (thorchain/wire.md 7). */

const coinRows = (
  path: string,
  { amount, asset, decimals }: Pick<Outbound, "amount" | "asset" | "decimals">,
): ReadonlyArray<Row> => [
  [`${path}.asset`, asset],
  [`${path}.amount`, `${amount}`],
  [`${path}.decimals?`, decimals],
]

/** The share of an affiliate is paid on the network itself, and by it. */
const outTx = (vaults: Vaults, { id, vault }: Payment, outbound: Outbound): unknown => {
  const { payout, share } = answersOf[vaults.family.name]
  const chain = chainOfCode(vaults.family, outbound.chain)
  return follow(chain === undefined ? share : payout, [
    ["id", outbound.id],
    ["to_address", unprefixed(outbound.to)],
    ...coinRows("coins.0", outbound),
    ["memo", `${outbound.isRefund ? "REFUND" : "OUT"}:${id}`],
    ...(chain === undefined ? [] : [
      ["chain", outbound.chain],
      ["from_address", unprefixed(vault)],
      ...coinRows("gas.0", gasCoin(vaults, chain)),
    ] as const),
  ])
}

const planned = ({ family }: Vaults, { amount, asset, chain, isRefund, to }: Outbound): unknown =>
  follow(answersOf[family.name].planned, [
    ["chain", chain],
    ["to_address", unprefixed(to)],
    ["coin.asset", asset],
    ["coin.amount", `${amount}`],
    ["refund", isRefund],
  ])

/** A recorded status at the stage of a payment, with its members that follow how far that is. */
const stageOf = (
  { time }: Vaults,
  { ask, count, dueAt, isFinalised, isSeen, isSwapped, quantity }: Payment,
): readonly [recorded: unknown, rows: ReadonlyArray<Row>] => {
  if (!isFinalised) return [observed.body, []]
  if (!isSwapped && quantity < 2) return [swapping.body, []]
  if (!isSwapped) {
    const interval = unlessZero(ask?.streaming?.interval ?? 0)
    return [streaming.body, [
      ["stages.swap_status.streaming", { interval, quantity, count: unlessZero(count) }],
    ]]
  }
  if (dueAt === undefined) return [kept.body, []]
  const left = Math.max(0, dueAt - time)
  return [swapped.body, [
    ["stages.outbound_delay.remaining_delay_blocks?", unlessZero(Math.ceil(left / blockMillis))],
    ["stages.outbound_delay.remaining_delay_seconds?", unlessZero(Math.ceil(left / 1_000))],
    ["stages.outbound_delay.completed", left === 0],
    ["stages.outbound_signed.completed", isSeen],
  ]]
}

const unlessEmpty = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> | undefined =>
  all.length === 0 ? undefined : all

/** What a node says of a transaction: the recorded answer to an unknown hash, where it has not seen it. */
export const statusOf = (vaults: Vaults, id: string): unknown => {
  const payment = findPayment(vaults, id.toUpperCase())
  if (payment === undefined) return unknown.body
  const { amount, asset, chain, memo, outbounds, sender, vault } = payment
  const [recorded, rows] = stageOf(vaults, payment)
  const sent = outbounds.filter(({ id }) => id !== undefined)
  return follow(recorded, [
    ["tx.id", payment.id],
    ["tx.chain", vaults.family.chains[chain]],
    ["tx.from_address", unprefixed(sender)],
    ["tx.to_address", unprefixed(vault)],
    ...coinRows("tx.coins.0", { ...coinOf(vaults, asset), amount }),
    ...coinRows("tx.gas.0", gasCoin(vaults, chain)),
    ["tx.memo", memo],
    ["planned_out_txs?", unlessEmpty(outbounds.map((outbound) => planned(vaults, outbound)))],
    ["out_txs?", unlessEmpty(sent.map((outbound) => outTx(vaults, payment, outbound)))],
    ...rows,
  ])
}
