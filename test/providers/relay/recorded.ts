import { Option, Result, Schema } from "effect"
import { answerReason } from "#providers/relay/client.ts"
import { WireQuote } from "#providers/relay/answer.ts"
import { WireRequest, WireStatus } from "#providers/relay/requests.ts"
import { decode } from "#providers/upstream/values.ts"
import { answerOf, type Reading, readingsOf, recordedOf } from "../recorded.ts"

/** A quote, and its output. */
const quotes: ReadonlyArray<readonly [name: string, output: bigint]> = [
  ["quote-arb-usdc-eth-usdc-2026-09-25", 98518n],
  ["quote-base-op-eth-open-deposit-address-2026-04-09", 99980224916533275n],
  ["quote-base-op-eth-strict-deposit-address-2026-03-05", 99980217346383433n],
  ["quote-base-usdc-btc-2026-02-05", 12759n],
  ["quote-btc-base-usdc-deposit-address-2026-02-05", 71567150n],
  ["quote-btc-base-usdc-psbt-2026-02-05", 72469395n],
  ["quote-eth-usdc-robinhood-usdg-2026-10-01", 999595489n],
  ["quote-robinhood-usdg-eth-usdc-funded-2026-10-01", 4763755n],
  ["quote-ttl-robinhood-usdg-eth-usdc-2026-10-01", 998237332n],
  ["relay-quote-refunds-in-another-currency-2026-10-03", 4446066043319117656878n],
  ["relay-quote-sol-base-usdc-2026-09", 10084073n],
  ["relay-quote-tron-usdt-base-usdc-2026-09", 976767n],
]

const Part = Schema.StructWithRest(
  Schema.Struct({
    details: Schema.StructWithRest(
      Schema.Struct({ currencyOut: Schema.Record(Schema.String, Schema.Unknown) }),
      [
        Schema.Record(Schema.String, Schema.Unknown),
      ],
    ),
  }),
  [Schema.Record(Schema.String, Schema.Unknown)],
)

const partOf = (body: unknown) => Result.getOrThrow(decode(Part, body))

const { details: whole } = partOf(recordedOf("relay")("quote-arb-usdc-eth-usdc-2026-09-25").body)

/** A quote; where its source has a part alone, with the details of a whole one around it. */
const quoteIn = (body: unknown) => {
  const { details, ...part } = partOf(body)
  const currencyOut = { ...whole.currencyOut, ...details.currencyOut }
  return Result.getOrThrow(decode(WireQuote, { ...part, details: { ...whole, ...details, currencyOut } }))
}

/** A status, and how many transactions it names, in and out. */
const statuses: ReadonlyArray<readonly [name: string, status: string, ins: number, outs: number]> = [
  ["status-pending-2026-10-01", "pending", 1, 0],
  ["status-refund-2026-10-01", "refund", 1, 1],
  ["status-success-2026-10-01", "success", 1, 1],
  ["status-success-base-bsc-docs", "success", 1, 1],
  ["status-success-base-solana-docs", "success", 1, 1],
  ["status-waiting-2026-10-01", "waiting", 0, 0],
  ["relay-status-success-base-monad-2026-09", "success", 1, 1],
]

/** Requests, and the status of each. */
const requests: ReadonlyArray<readonly [name: string, statuses: ReadonlyArray<string>]> = [
  ["requests-v3-app-fee-eth-usdc-avax-2026-09-29", ["success"]],
  ["requests-v3-arb-eth-base-eth-2026-08-09", ["success"]],
  ["requests-v3-one-docs-2026-07-22", ["success"]],
  ["requests-v3-strict-refund-built", ["refund"]],
  ["relay-request-base-usdc-btc-2026", ["success"]],
  ["relay-request-nulls-of-another-key-2026-09-30", ["success"]],
  ["relay-request-same-chain-success-2026-08-09", ["success"]],
  ["relay-request-ton-robinhood-2026-09-04", ["success"]],
]

const subject = Option.some(
  {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    addresses: ["destinationAddress", "refundAddress"],
  } as const,
)

/** A refusal, and what it means for a quote and for an opening. */
const refusals: ReadonlyArray<readonly [name: string, onQuote: string, onOpening: string]> = [
  ["refusal-401-built", "UpstreamFailed", "DepositChannelFailed"],
  ["relay-refusal-unauthorized-quote-2026-09", "UpstreamFailed", "DepositChannelFailed"],
  ["relay-refusal-validation-api-key-2026-09", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-429-quote-built", "RateLimited", "RateLimited"],
  ["refusal-429-requests-v2-2026-08-05", "RateLimited", "RateLimited"],
  ["refusal-amount-too-high-2026-10-01", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-amount-too-low-2026-10-01", "AmountBelowMinimum", "AmountBelowMinimum"],
  ["refusal-amount-too-low-with-block-2026-08-03", "AmountBelowMinimum", "AmountBelowMinimum"],
  ["refusal-destination-tx-failed-docs-2025-07-01", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-insufficient-funds-built", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-insufficient-liquidity-built", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-invalid-input-currency-docs", "AssetDisabled", "AssetDisabled"],
  ["refusal-no-swap-routes-found-2026-10-01", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-no-swap-routes-found-docs", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-solana-tx-too-large-docs-2026-08-13", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-swap-impact-too-high-built", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-unsupported-currency-built", "AssetDisabled", "AssetDisabled"],
]

const Body = Schema.Struct({ requests: Schema.Array(Schema.Unknown) })

const readings: ReadonlyArray<Reading> = [
  ...quotes.map(([name, expected]): Reading => ({
    name,
    operation: "quote",
    read: ({ body }) => quoteIn(body).details?.currencyOut?.amount,
    expected,
  })),
  ...statuses.map(([name, ...expected]): Reading => ({
    name,
    operation: "status",
    read: ({ body }) => {
      const wire = Result.getOrThrow(decode(WireStatus, body))
      return [wire.status, wire.inTxHashes?.length ?? 0, wire.txHashes?.length ?? 0]
    },
    expected,
  })),
  ...requests.map(([name, expected]): Reading => ({
    name,
    operation: "status",
    read: ({ body }) =>
      Result.getOrElse(decode(Body, body), () => ({ requests: [body] })).requests
        .map((one) => Result.getOrThrow(decode(WireRequest, one)).status),
    expected,
  })),
  ...refusals.map(([name, ...expected]): Reading => ({
    name,
    operation: "open",
    read: (answer) =>
      [false, true].map((opening) => answerReason(answerOf(answer), { opening, subject })._tag),
    expected,
  })),
]

/** Recorded answers of Relay. */
export const recorded = readingsOf("relay", readings)
