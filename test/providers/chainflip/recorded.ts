import { Result, Schema } from "effect"
import {
  WireBitcoinEncoding,
  WireEvmEncoding,
  WireSolanaEncoding,
  WireTronEncoding,
} from "#providers/chainflip/payloads.ts"
import { WireQuote } from "#providers/chainflip/quotes.ts"
import { WireSwap } from "#providers/chainflip/records.ts"
import { transactionsIn, WireWitnessed } from "#providers/chainflip/status.ts"
import { decode } from "#providers/upstream/values.ts"
import { type Reading, readingsOf } from "../recorded.ts"

/** A quote's answer: the kind and the output of each. */
const quotes: ReadonlyArray<
  readonly [name: string, all: ReadonlyArray<readonly [type: string, output: bigint]>]
> = [
  ["quote-dca-boost-btc-eth", [["REGULAR", 4082976513112383071n], ["DCA", 4082978824588206358n]]],
  ["quote-dca-eth-sol", [["REGULAR", 145118751424n], ["DCA", 145118751172n]]],
  ["quote-eth-btc-broker-perseverance", [["REGULAR", 14808665n]]],
  ["quote-regular-boost-btc-eth", [["REGULAR", 533584963872668039n]]],
  ["quote-upstream-dca-boost-broker", [["REGULAR", 100000000000000000n], ["DCA", 100000000000000000n]]],
  ["quote-upstream-dca-only", [["DCA", 100000000n]]],
  ["quote-upstream-usdc-one-leg", [["REGULAR", 100000000n]]],
]

type Amount = bigint | undefined

/** A swap: its state, and what was paid out, back, or by another way. */
const swaps: ReadonlyArray<
  readonly [name: string, state: string, payout: Amount, refund: Amount, fallback: Amount]
> = [
  // Its source has left out what was paid.
  ["chainflip-swap-sol-btc-two-brokers-2026-02", "COMPLETED", undefined, undefined, undefined],
  ["swap-boosted", "SWAPPING", undefined, undefined, undefined],
  ["swap-completed-dca-part-refunded", "COMPLETED", 4019045226454466531050n, 765258262n, undefined],
  ["swap-completed-dca", "COMPLETED", 4192707216034n, undefined, undefined],
  ["swap-completed-upstream", "COMPLETED", 4192707216034n, undefined, undefined],
  ["swap-completed-usdc-btc-live", "COMPLETED", 89187n, undefined, undefined],
  ["swap-completed-vault-upstream", "COMPLETED", 4192707216034n, undefined, undefined],
  ["swap-failed-broadcast-aborted", "FAILED", 4192707216034n, undefined, undefined],
  ["swap-failed-dca-refund-egress", "FAILED", 4192707216034n, 999844999999160000n, undefined],
  ["swap-failed-deposit-ignored", "FAILED", undefined, undefined, undefined],
  ["swap-failed-deposit-rejected", "FAILED", undefined, 1000000n, undefined],
  ["swap-failed-solana-fallback", "FAILED", 608892437n, undefined, 608878437n],
  ["swap-on-chain", "COMPLETED", undefined, undefined, undefined],
  ["swap-receiving-channel", "RECEIVING", undefined, undefined, undefined],
  ["swap-receiving-vault", "RECEIVING", undefined, undefined, undefined],
  ["swap-refunded-fok", "COMPLETED", undefined, 999844999999160000n, undefined],
  ["swap-sending", "SENDING", 4192707216034n, undefined, undefined],
  ["swap-sent", "SENT", 4192707216034n, undefined, undefined],
  ["swap-swapping-dca", "SWAPPING", undefined, undefined, undefined],
  ["swap-swapping-executed", "SWAPPING", undefined, undefined, undefined],
  ["swap-swapping", "SWAPPING", undefined, undefined, undefined],
  ["swap-waiting-expired", "WAITING", undefined, undefined, undefined],
  ["swap-waiting", "WAITING", undefined, undefined, undefined],
]

const encodings = [
  ["broker-encode-bitcoin-docs-v0", "Bitcoin"],
  ["broker-encode-bitcoin-v1-live", "Bitcoin"],
  ["broker-encode-evm-ccm-docs", "Ethereum"],
  ["broker-encode-evm-token", "Ethereum"],
  ["broker-encode-solana-docs", "Solana"],
  ["broker-encode-solana-live", "Solana"],
  ["broker-encode-tron-built", "Tron"],
] as const

const Encoding = Schema.Union([WireBitcoinEncoding, WireTronEncoding, WireEvmEncoding, WireSolanaEncoding])
/** The kind of a quote, with all of its other members. */
const Kind = Schema.StructWithRest(Schema.Struct({ type: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown),
])

const Reply = Schema.Struct({ result: Schema.Unknown })

const readings: ReadonlyArray<Reading> = [
  ...quotes.map(([name, expected]): Reading => ({
    name,
    operation: "quote",
    read: ({ body }) =>
      Result.getOrThrow(decode(Schema.Array(Kind), Array.isArray(body) ? body : [body])).map((one) => [
        one.type,
        BigInt(Result.getOrThrow(decode(WireQuote, one)).egressAmount),
      ]),
    expected,
  })),
  ...swaps.map(([name, ...expected]): Reading => ({
    name,
    operation: "status",
    read: ({ body }) => {
      const wire = Result.getOrThrow(decode(WireSwap, body))
      return [wire.state, wire.swapEgress?.amount, wire.refundEgress?.amount, wire.fallbackEgress?.amount]
    },
    expected,
  })),
  ...encodings.map(([name, expected]): Reading => ({
    name,
    operation: "encode",
    read: ({ body }) =>
      Result.getOrThrow(decode(Encoding, Result.getOrThrow(decode(Reply, body)).result)).chain,
    expected,
  })),
  {
    name: "node-witnessed-events-upstream",
    operation: "treasury",
    read: ({ body }) =>
      transactionsIn(
        "Ethereum",
        (account) => account === "5CT5jwBEAhveEjgiSCQbkaKcKcUyF3VJ8qNXM9rXsuQyn3Kd",
        Result.getOrThrow(decode(WireWitnessed, Result.getOrThrow(decode(Reply, body)).result)),
      ),
    expected: [`0x${"10".repeat(32)}`],
  },
]

/** Recorded answers of Chainflip. */
export const recorded = readingsOf("chainflip", readings)
