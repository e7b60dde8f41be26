import { Result } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { WireActions } from "#providers/thorchain/actions.ts"
import { WirePools } from "#providers/thorchain/conditions.ts"
import { answerReason } from "#providers/thorchain/errors.ts"
import { thorchain } from "#providers/thorchain/networks.ts"
import { WireQuote } from "#providers/thorchain/quotes.ts"
import { WireStatus } from "#providers/thorchain/stages.ts"
import { WireInbound } from "#providers/thorchain/vaults.ts"
import { decode } from "#providers/upstream/decode.ts"
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

/** A status: the planned payments, with whether each is a refund, and how many were made. */
const statuses: ReadonlyArray<
  readonly [
    name: string,
    planned: ReadonlyArray<readonly [asset: string, amount: bigint, refund: boolean]>,
    made: number,
  ]
> = [
  ["maya-status-completed-usdc-arb-usdc", [[
    "ARB.USDC-0XAF88D065E77C8CC2239327C5EDB3A432268E5831",
    984476615900n,
    false,
  ], ["MAYA.CACAO", 4553329330200n, false]], 2],
  ["maya-status-pending", [], 0],
  ["maya-status-unknown", [], 0],
  ["status-completed-bnb-avax-direct-affiliate", [["AVAX.AVAX", 106083736n, false], [
    "THOR.RUNE",
    683105n,
    false,
  ]], 2],
  ["status-completed-bnb-trx", [["TRON.TRX", 4307055600n, false], ["THOR.RUNE", 15555500n, false]], 2],
  ["status-completed-bnb-usdt", [
    ["ETH.USDT-0XDAC17F958D2EE523A2206206994597C13D831EC7", 1297378100n, false],
    ["THOR.RUNE", 15742200n, false],
  ], 2],
  ["status-completed-ltc-eth", [["ETH.ETH", 124368n, false], ["THOR.RUNE", 3352043n, false]], 2],
  ["status-completed-usdt-btc-2026-10", [["BTC.BTC", 652312n, false]], 1],
  ["status-part-refunded-tcy-usdt", [
    ["ETH.USDT-0XDAC17F958D2EE523A2206206994597C13D831EC7", 380962656200n, false],
    ["THOR.TCY", 7749189472011n, true],
    ["THOR.RUNE", 12636775600n, false],
  ], 3],
  ["status-pending-bnb-trx", [["TRON.TRX", 4307055600n, false], ["THOR.RUNE", 15555500n, false]], 1],
  ["status-pending-btc-usdt", [], 0],
  ["status-refund-only", [["BTC.BTC", 998897n, true]], 1],
  ["status-rune-affiliate-not-paid", [["THOR.RUNE", 533821733n, false]], 1],
  ["status-streaming-swapping", [], 0],
  ["status-unknown", [], 0],
]

/** Lists, and how many rows each has. */
const lists = [
  ["inbound-addresses-2026-10", 2],
  ["inbound-addresses-described-2026", 7],
  ["inbound-addresses-halted-2026", 2],
  ["inbound-addresses-tron-halted-2026-06", 3],
  ["maya-inbound-addresses-2026", 7],
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
  ...statuses.map(([name, ...expected]): Reading => ({
    name,
    operation: "status",
    read: ({ body }) => {
      const wire = Result.getOrThrow(decode(WireStatus, body))
      const planned = (wire.planned_out_txs ?? []).map((
        { coin, refund },
      ) => [coin.asset, coin.amount, refund === true])
      return [planned, wire.out_txs?.length ?? 0]
    },
    expected,
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
  {
    name: "midgard-actions-part-refunded-2024",
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
    expected: [
      ["1706002574512802534", "1706002446523711665"].map((date) => [
        date,
        "9FB10E490AF1B763563CFC12FB08E5F32E387FBB6398884E742BF0178FAD6D88",
        "=:ETH.THOR:0xAAA3bFb53d5D5116FAeDc5Dd457531f8465f78af:7463736088132/3/8:t:30",
      ]),
      "143926579000000028",
    ],
  },
]

const all = readingsOf("thorchain", readings)

/** Recorded answers of one of the two networks. */
export const recordedOf = (network: "thorchain" | "maya") =>
  all.filter(({ name }) => name.startsWith("maya-") === (network === "maya"))
