import { Effect, Result } from "effect"
import { factsOf } from "#domain/chains/Asset.ts"
import { Faults } from "../Faults.ts"
import { json, type Reply } from "../Wire.ts"
import { World } from "../World.ts"
import { midgardPath } from "../announced.ts"
import { assetState } from "../engine/figures.ts"
import { chainHeight } from "../engine/blocks.ts"
import { follow, type Row } from "../follow.ts"
import { dated, route, serveRest } from "../rest.ts"
import { answersOf, recordedVault, unlessZero } from "./answers.ts"
import type { Outbound, Payment, Vaults } from "./engine/State.ts"
import { findPayment, heightOf, vaultAfter } from "./engine/Vaults.ts"
import { blockMillis, coinOf, gasCoin, reservesOf } from "./engine/settlement.ts"
import * as Families from "./families.ts"
import { quoteFor } from "./quote.ts"
import { vaultFault, vaultRefusal } from "./refusals.ts"

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
const actionsOf = (vaults: Vaults, query: URLSearchParams): unknown => {
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

/** `GET /inbound_addresses`, `/pools` and `/lastblock` (thorchain/wire.md 4, 5). */

/** The list of vaults as it is now. A network that makes no blocks changes none of it. */
const inboundAddresses = (vaults: Vaults) =>
  Families.codesOf(vaults.family).map(([chain, code]) => {
    const { family, haltedChains, isPaused } = vaults
    const isChainHalted = haltedChains.has(chain)
    return follow(recordedVault(family, chain).row, [
      ["chain", code],
      ["address", Families.unprefixed(vaultAfter(family, chain, vaults.churns))],
      ...(Families.hasRouter(chain) ? [["router", Families.routerOf(family, chain)] as const] : []),
      ["halted", isPaused || isChainHalted],
      ...(family.isDetailed
        ? [["global_trading_paused", isPaused], ["chain_trading_paused", isChainHalted]] as const
        : []),
      ["outbound_fee", `${gasCoin(vaults, chain).amount}`],
    ])
  })

/** Every pool at the reference price of its asset. */
const pools = (vaults: Vaults) => {
  const { family, network } = vaults
  return Families.pooledAssets(family).map((asset) => {
    const { asset: balance, native } = reservesOf(vaults, asset)
    const { decimals } = factsOf(asset)
    return follow(answersOf[family.name].pool, [
      ["asset", Families.nameOf(family, asset)],
      ["decimals?", decimals < 8 ? decimals : undefined],
      ["balance_asset", `${balance}`],
      [family.balance, `${native}`],
      ...(family.isDetailed
        ? [
          ["short_code", family.shortCodes[asset]],
          ["asset_tor_price", `${assetState(network, asset).price * 100n}`],
        ] as const
        : []),
    ])
  })
}

/** The latest blocks, of which none were recorded: one row a chain, each with the network's own height. */
const lastBlocks = (vaults: Vaults) =>
  Families.codesOf(vaults.family).map(([chain, code]) => {
    const height = chainHeight(vaults.network, chain, vaults.frozenAt ?? vaults.time)
    return {
      chain: code,
      last_observed_in: height,
      last_signed_out: height,
      [vaults.family.root]: heightOf(vaults),
    }
  })

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
  const chain = Families.chainOfCode(vaults.family, outbound.chain)
  return follow(chain === undefined ? share : payout, [
    ["id", outbound.id],
    ["to_address", Families.unprefixed(outbound.to)],
    ...coinRows("coins.0", outbound),
    ["memo", `${outbound.isRefund ? "REFUND" : "OUT"}:${id}`],
    ...(chain === undefined ? [] : [
      ["chain", outbound.chain],
      ["from_address", Families.unprefixed(vault)],
      ...coinRows("gas.0", gasCoin(vaults, chain)),
    ] as const),
  ])
}

const planned = ({ family }: Vaults, { amount, asset, chain, isRefund, to }: Outbound): unknown =>
  follow(answersOf[family.name].planned, [
    ["chain", chain],
    ["to_address", Families.unprefixed(to)],
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
const statusOf = (vaults: Vaults, id: string): unknown => {
  const payment = findPayment(vaults, id.toUpperCase())
  if (payment === undefined) return unknown.body
  const { amount, asset, chain, memo, outbounds, sender, vault } = payment
  const [recorded, rows] = stageOf(vaults, payment)
  const sent = outbounds.filter(({ id }) => id !== undefined)
  return follow(recorded, [
    ["tx.id", payment.id],
    ["tx.chain", vaults.family.chains[chain]],
    ["tx.from_address", Families.unprefixed(sender)],
    ["tx.to_address", Families.unprefixed(vault)],
    ...coinRows("tx.coins.0", { ...coinOf(vaults, asset), amount }),
    ...coinRows("tx.gas.0", gasCoin(vaults, chain)),
    ["tx.memo", memo],
    ["planned_out_txs?", unlessEmpty(outbounds.map((outbound) => planned(vaults, outbound)))],
    ["out_txs?", unlessEmpty(sent.map((outbound) => outTx(vaults, payment, outbound)))],
    ...rows,
  ])
}

/** The REST API of a node, with Midgard below it (thorchain/wire.md 1, 9). */

/** Calls of any kind, at a public node (thorchain/wire.md 1). */
const callLimit = { most: 60 }

export const serveVaults = (name: Families.FamilyName) => {
  const family = Families.families[name]
  const ask = (answer: (vaults: Vaults) => Reply) => World.read(({ vaults }) => answer(vaults[name]))
  const list = (path: string, read: (vaults: Vaults) => unknown) =>
    route(`GET /${family.root}${path}`, () => ask((vaults) => json(200, read(vaults))))
  const quote = (query: URLSearchParams) =>
    Effect.flatMap(
      Faults.does("noExpiry"),
      (isWithout) =>
        ask((vaults) =>
          Result.match(quoteFor(vaults, query, name !== "maya" || !isWithout), {
            onFailure: (message) => vaultRefusal(family, 400, message),
            onSuccess: (body) => json(200, body),
          })
        ),
    )
  return serveRest({
    provider: name,
    routes: [
      list("/inbound_addresses", inboundAddresses),
      list("/pools", pools),
      list("/lastblock", lastBlocks),
      // A quote with a destination is for a payment.
      route(
        `GET /${family.root}/quote/swap`,
        ({ query }) => quote(query),
        ({ query }) => query.has("destination") ? "encode" : "quote",
      ),
      route(
        `GET /${family.root}/tx/status/([0-9A-Za-z]{1,100})`,
        (_, id) => ask((vaults) => json(200, statusOf(vaults, id))),
        "status",
      ),
      route(
        `GET ${midgardPath}/v2/actions`,
        ({ query }) => ask((vaults) => json(200, actionsOf(vaults, query))),
        "list",
      ),
    ],
    elsewhere: () => vaultRefusal(family, 501, "Not Implemented"),
    isTooMany: Faults.isTooMany(name, callLimit),
    fault: (code) => vaultFault(family, code),
    finish: dated,
  })
}
