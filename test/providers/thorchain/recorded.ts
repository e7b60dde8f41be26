import { Option, Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { EpochMillis } from "#domain/Time.ts"
import { WireActions } from "#providers/thorchain/status.ts"
import { WirePools } from "#providers/thorchain/conditions.ts"
import { answerReason } from "#providers/thorchain/client.ts"
import { nativeOf } from "#providers/thorchain/amounts.ts"
import { type Family, findAsset, maya, thorchain } from "#providers/thorchain/networks.ts"
import { WireQuote } from "#providers/thorchain/quotes.ts"
import { readStage, toFacts, WireStatus } from "#providers/thorchain/stages.ts"
import { WireInbound } from "#providers/thorchain/vaults.ts"
import { decode } from "#providers/upstream/values.ts"
import { answerOf, type Reading, readingsOf } from "../recorded.ts"

/** A quote: its output, the least amount, and when it ends in seconds since the epoch, where it says so. */
const quotes: ReadonlyArray<
  readonly [name: string, output: bigint, least: bigint | undefined, expiry: number | undefined]
> = [
  ["maya-quote-btc-eth-xchainjs", 1740667871n, undefined, undefined],
  ["maya-quote-btc-zec-2026-10", 63176359n, 2188n, undefined],
  ["maya-quote-eth-btc-streaming-xchainjs", 5248264n, 691576n, 1721775525],
  ["maya-quote-zec-btc-2026-10", 1574493n, 138456n, undefined],
  ["quote-base-eth-usdc-2026-04", 87376000n, 36189n, 1777561352],
  ["quote-btc-eth-2026-06", 6768430n, 7761n, 1782589433],
  ["quote-btc-eth-2026-07", 335463741n, 7575n, 1785516746],
  ["quote-btc-eth-2026-10", 3157691359n, 6309n, 1791338843],
  ["quote-btc-eth-docs", 1531908900n, 74260n, 1722575809],
  ["quote-btc-zec-streaming-2026-10", 643267087n, 9258n, undefined],
  ["quote-eth-trx-router-2026-06", 12546254700n, 98391n, 1782589475],
]

/**
 * A status: the planned payments, with whether each is a refund, how many were made, and, where the assets are ours, the
 * state, what was paid out and what was sent back.
 */
const statuses: ReadonlyArray<
  readonly [
    name: string,
    planned: ReadonlyArray<readonly [asset: string, amount: bigint, refund: boolean]>,
    made: number,
    end?: readonly [state: string, payout: bigint | undefined, refund: bigint | undefined],
  ]
> = [
  [
    "maya-status-completed-usdc-arb-usdc",
    [[
      "ARB.USDC-0XAF88D065E77C8CC2239327C5EDB3A432268E5831",
      984476615900n,
      false,
    ], ["MAYA.CACAO", 4553329330200n, false]],
    2,
    ["completed", 9844766159n, undefined],
  ],
  ["maya-status-pending", [], 0],
  ["maya-status-unknown", [], 0],
  [
    "status-completed-bnb-avax-direct-affiliate",
    [["AVAX.AVAX", 106083736n, false], [
      "THOR.RUNE",
      683105n,
      false,
    ]],
    2,
    ["completed", 1060837360000000000n, undefined],
  ],
  ["status-completed-bnb-trx", [["TRON.TRX", 4307055600n, false], ["THOR.RUNE", 15555500n, false]], 2, [
    "completed",
    43070556n,
    undefined,
  ]],
  [
    "status-completed-bnb-usdt",
    [
      ["ETH.USDT-0XDAC17F958D2EE523A2206206994597C13D831EC7", 1297378100n, false],
      ["THOR.RUNE", 15742200n, false],
    ],
    2,
    ["completed", 12973781n, undefined],
  ],
  ["status-completed-ltc-eth", [["ETH.ETH", 124368n, false], ["THOR.RUNE", 3352043n, false]], 2, [
    "completed",
    1243680000000000n,
    undefined,
  ]],
  ["status-completed-usdt-btc-2026-10", [["BTC.BTC", 652312n, false]], 1, ["completed", 652312n, undefined]],
  ["status-part-refunded-tcy-usdt", [
    ["ETH.USDT-0XDAC17F958D2EE523A2206206994597C13D831EC7", 380962656200n, false],
    ["THOR.TCY", 7749189472011n, true],
    ["THOR.RUNE", 12636775600n, false],
  ], 3],
  ["status-pending-bnb-trx", [["TRON.TRX", 4307055600n, false], ["THOR.RUNE", 15555500n, false]], 1, [
    "sending",
    43070556n,
    undefined,
  ]],
  ["status-pending-btc-usdt", [], 0],
  ["status-refund-only", [["BTC.BTC", 998897n, true]], 1, ["completed", undefined, 998897n]],
  ["status-rune-affiliate-not-paid", [["THOR.RUNE", 533821733n, false]], 1],
  ["status-streaming-swapping", [], 0],
  ["status-traded-bch-usdc-2026-10-07", [
    ["ETH~USDC-0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48", 12449632300n, false],
  ], 1],
  ["status-unknown", [], 0],
  ["thor-status-eth-btc-200-eth", [["BTC.BTC", 729777955n, false]], 1, ["completed", 729777955n, undefined]],
  ["thor-status-rune-sol-trade-2026-05-15", [["SOL~SOL", 61164077n, false]], 1],
]

/** How far a payment is, and what the payer gets of it: read as one of ours to whom it pays; of assets of ours alone. */
const endOf = (family: Family, { planned_out_txs = [], ...wire }: WireStatus) => {
  const [coin] = wire.tx?.coins ?? []
  const [planned] = planned_out_txs
  const sourceAsset = coin === undefined ? undefined : findAsset(family, coin.asset)
  const destinationAsset = planned === undefined ? undefined : findAsset(family, planned.coin.asset)
  const amount = sourceAsset === undefined ? undefined : nativeOf(sourceAsset, coin?.amount ?? 0n)
  if (sourceAsset === undefined || destinationAsset === undefined || amount === undefined) return undefined
  const facts = toFacts(family, { planned_out_txs, ...wire }, {
    sourceAsset,
    amount,
    sender: wire.tx?.from_address ?? "",
    terms: { destinationAsset, destination: planned?.to_address ?? "", limit: 0n },
  })
  const { state } = readStage(facts, Option.none(), EpochMillis.make(0))
  return [state, facts.payout?.amount, facts.refund?.amount]
}

/** Lists, and how many rows each has. */
const lists = [
  ["inbound-addresses-2026-10", 2],
  ["inbound-addresses-described-2026", 7],
  ["inbound-addresses-halted-2026", 2],
  ["inbound-addresses-tron-halted-2026-06", 3],
  ["maya-inbound-addresses-2026", 7],
  ["maya-inbound-addresses-announced-1136", 4],
  ["maya-inbound-addresses-halted-arb", 1],
  ["maya-inbound-addresses-zec-halted-2026-09", 3],
  ["maya-pools-2026", 1],
  ["maya-pools-built", 5],
  ["pools-2026-10", 1],
] as const

/** A refusal of a quote, and what it means. */
const refusals: ReadonlyArray<readonly [name: string, meaning: string]> = [
  ["error-bad-asset", "AssetNotListed"],
  ["error-dust", "AmountBelowMinimum"],
  ["error-memo-too-long", "RequestRefused"],
  ["error-minimum-although-enough", "InsufficientLiquidity"],
  ["error-minimum", "DepositBelowMinimum"],
  ["error-pool-not-found", "AssetNotListed"],
  ["error-price-limit", "RequestRefused"],
  ["error-recommended-minimum", "InsufficientLiquidity"],
  ["error-trading-halted", "AssetDisabled"],
  ["error-wrong-destination", "RequestRefused"],
  ["maya-error-fees", "EgressFeeNotCovered"],
  ["maya-error-pool-not-found", "AssetNotListed"],
  ["maya-error-requirements", "EgressFeeNotCovered"],
  ["maya-status-bad-hash", "UpstreamFailed"],
]

type Action = readonly [date: string, transaction: string, memo: string | undefined]

/** Actions, the payment and the memo of each, and the token of the next page: a refund may lack the memo. */
const actionsOf: ReadonlyArray<
  readonly [name: string, actions: ReadonlyArray<Action>, nextPageToken: string | undefined]
> = [
  [
    "midgard-actions-part-refunded-2024",
    ["1706002574512802534", "1706002446523711665"].map((date): Action => [
      date,
      "9FB10E490AF1B763563CFC12FB08E5F32E387FBB6398884E742BF0178FAD6D88",
      "=:ETH.THOR:0xAAA3bFb53d5D5116FAeDc5Dd457531f8465f78af:7463736088132/3/8:t:30",
    ]),
    "143926579000000028",
  ],
  [
    "thor-midgard-refund-pair-2025-08",
    [
      ["1755661674309259261", undefined],
      ["1755661459352002000", "=:ETH.USDT:0x12AaDFAF716D02698aAe7967D9E28176b1Cb225A:0/1/0:g1:50"],
    ].map(([date = "", memo]): Action => [
      date,
      "E4324376B92DAD306117CD7A2EBC3BCB79689560D06E0BCCB1CC67F341570D90",
      memo,
    ]),
    undefined,
  ],
]

const subject = {
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: NativeAmount.make(10_000n),
  paying: true,
} as const

const readings: ReadonlyArray<Reading> = [
  ...quotes.map(([name, ...expected]): Reading => ({
    name,
    operation: "quote",
    read: ({ body }) => {
      const wire = Result.getOrThrow(decode(WireQuote, body))
      return [wire.expected_amount_out, wire.recommended_min_amount_in, wire.expiry]
    },
    expected,
  })),
  ...statuses.map(([name, planned, made, end]): Reading => ({
    name,
    operation: "status",
    read: ({ body }) => {
      const wire = Result.getOrThrow(decode(WireStatus, body))
      const planned = (wire.planned_out_txs ?? []).map((
        { coin, refund },
      ) => [coin.asset, coin.amount, refund === true])
      return [planned, wire.out_txs?.length ?? 0, endOf(name.startsWith("maya-") ? maya : thorchain, wire)]
    },
    expected: [planned, made, end],
  })),
  ...lists.map(([name, expected]): Reading => ({
    name,
    operation: "assets",
    read: ({ body }) => {
      const rows = name.includes("inbound") ? decode(WireInbound, body) : decode(WirePools, body)
      return Result.getOrThrow<ReadonlyArray<unknown>, unknown>(rows).length
    },
    expected,
  })),
  ...refusals.map(([name, expected]): Reading => ({
    name,
    operation: "encode",
    read: (answer) => answerReason(thorchain.endpoint)(answerOf(answer), { subject })._tag,
    expected,
  })),
  ...actionsOf.map(([name, actions, nextPageToken]): Reading => ({
    name,
    operation: "treasury",
    read: ({ body }) => {
      const { actions, meta } = Result.getOrThrow(decode(WireActions, body))
      return [
        actions.map(({ date, in: [paid], metadata }) => [
          date,
          paid?.txID,
          (metadata?.swap ?? metadata?.refund)?.memo,
        ]),
        meta?.nextPageToken,
      ]
    },
    expected: [actions, nextPageToken],
  })),
]

const all = readingsOf("thorchain", readings)

/** Recorded answers of one of the two networks. */
export const recordedOf = (network: "thorchain" | "maya") =>
  all.filter(({ name }) => name.startsWith("maya-") === (network === "maya"))
