import { assert } from "@effect/vitest"
import { Option, Result, Schema } from "effect"
import { EpochMillis, NativeAmount } from "#exports/domain.ts"
import { readTokens } from "#providers/near-intents/conditions.ts"
import { answerReason } from "#providers/near-intents/client.ts"
import { chargedBy, WireFees } from "#providers/near-intents/fees.ts"
import { WireDryQuote, WireOrder } from "#providers/near-intents/quotes.ts"
import { productionKey, verifyQuote } from "#providers/near-intents/signature.ts"
import { readStage, toOrderFacts, WireStatus } from "#providers/near-intents/status.ts"
import { decode } from "#providers/upstream/values.ts"
import { type Stage, stage } from "#providers/upstream/orderRecord.ts"
import { answerOf, type Reading, readingsOf, recordedOf } from "../recorded.ts"
import { opened } from "./fixtures/records.ts"

const nobody = Option.none<string>()

/** A list of tokens: each asset of ours once, under the newest of its ids, with all of them. */
const tokens: Reading = {
  name: "tokens-2026-08-11",
  operation: "assets",
  read: ({ body }) => {
    const { notices, tokens } = Result.getOrThrow(readTokens(body))
    const of = (asset: string) => [...tokens.values()].find((token) => token.asset === asset)
    return {
      notices,
      listedOfBitcoin: of("btc.btc")?.listed,
      ids: ["btc.btc", "usdt.arb", "bnb.bsc"].map((asset) => of(asset)?.id),
      assets: [...tokens.keys()].toSorted(),
    }
  },
  expected: {
    notices: [],
    listedOfBitcoin: ["nep141:btc.omft.near", "1cs_v1:btc:native:coin"],
    ids: [
      "1cs_v1:btc:native:coin",
      "nep141:arb-0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9.omft.near",
      "nep245:v2_1.omni.hot.tg:56_11111111111111111111",
    ],
    assets: [
      "avax.avax",
      "bch.bch",
      "bnb.bsc",
      "btc.btc",
      "cbbtc.eth",
      "dash.dash",
      "doge.doge",
      "eth.arb",
      "eth.eth",
      "ltc.ltc",
      "pol.pol",
      "sol.sol",
      "trx.tron",
      "usdc.arb",
      "usdc.base",
      "usdc.eth",
      "usdc.sol",
      "usdt.arb",
      "usdt.bsc",
      "usdt.eth",
      "usdt.sol",
      "usdt.tron",
      "wbtc.eth",
      "xrp.xrp",
      "zec.zec",
    ],
  },
}

/** The list after ids of Polygon and Avalanche have moved, with what is called like our assets and is not. */
const movedTokens: Reading = {
  name: "tokens-2026-11-24-described",
  operation: "assets",
  read: ({ body }) => {
    const { contradictions, notices, tokens } = Result.getOrThrow(readTokens(body))
    return { contradictions, notices, count: tokens.size, listed: tokens.get("usdt.pol")?.listed }
  },
  expected: {
    contradictions: [],
    notices: [],
    count: 18,
    listed: [
      "nep245:v2_1.omni.hot.tg:137_3hpYoaLtt8MP1Z2GH1U473DMRKgr",
      "nep141:pol-0xc2132d05d31c914a87c6611c10748aeb04b58e8f.omdep.near",
    ],
  },
}

/** Both ids of BNB Chain's assets as a page of changes has them: the newer one counts. */
const omniTokens: Reading = {
  name: "near-tokens-bnb-omni-2026-11-09",
  operation: "assets",
  read: ({ body }) => {
    const { contradictions, notices, tokens } = Result.getOrThrow(readTokens(body))
    return {
      contradictions,
      notices,
      listed: [...tokens.values()].map(({ id, listed }) => [id, listed.length]),
    }
  },
  expected: {
    contradictions: [],
    notices: [],
    listed: [
      ["nep141:bnb.omdep.near", 2],
      ["nep141:bnb-0x55d398326f99059ff775485246999027b3197955.omdep.near", 1],
    ],
  },
}

/** An account of its own for each order, and no memo. */
const xrp: Reading = {
  name: "quote-xrp-to-eth-2026-09-29-described",
  operation: "open",
  read: ({ body }) => {
    const { quote, quoteRequest } = Result.getOrThrow(decode(WireOrder, body))
    return [quoteRequest.depositMode, quote.depositMemo, quote.depositAddress]
  },
  expected: ["SIMPLE", undefined, "raVWumrwZSv92YG6npapedbJmyiS6snc7u"],
}

/** A quote, its output, the fees of the operator of `recipient` and of the upstream, and whether production signed it. */
const quotes: ReadonlyArray<
  readonly [
    name: string,
    out: bigint,
    recipient: string | undefined,
    received: number,
    kept: number,
    signed: boolean,
  ]
> = [
  ["quote-dry-exact-output-near-usdc-2026-09-04", 1_000n, undefined, 0, 10, true],
  ["quote-dry-sol-usdc-zec-2026-10-02", 8_848_584n, undefined, 0, 20, true],
  ["quote-dry-sol-usdt-zec-2026-10-04", 343_848n, undefined, 0, 20, false],
  ["quote-dry-staging-btc-usdt-2026-06-23", 5_935_024n, undefined, 0, 10, false],
  ["quote-dry-usdc-to-zec-2026-06-13", 23_777_819n, undefined, 0, 10, true],
  ["quote-dry-xlm-usdc-intents-2026-06-18", 13_393_495n, undefined, 0, 10, true],
  ["quote-dry-zec-to-usdc-2026-06-13", 416_412_600n, undefined, 0, 10, true],
  ["quote-flex-input-eth-usdc-base-usdc-2026-08-11", 5_248_240n, undefined, 0, 0, true],
  ["quote-flex-input-wnear-2026-06-03", 999_000_000_000_000_000_000_000_000n, undefined, 0, 10, false],
  [
    "quote-hypercore-to-eth-usdc-2026-09-30",
    99_017_274n,
    "0x0d9dab1a248f63b0a48965ba8435e4de7497a3dc",
    25,
    25,
    false,
  ],
  ["quote-sol-usdc-zec-2026-10-02", 340_565n, undefined, 0, 20, true],
  ["quote-staging-btc-usdt-2026-06-23", 5_931_560n, undefined, 0, 10, false],
  ["quote-xlm-usdc-intents-2026-06-18", 13_307_554n, undefined, 0, 10, false],
]

const quoteReadings = quotes.map(([name, out, recipient, received, kept, signed]): Reading => ({
  name,
  operation: "quote",
  read: ({ body }) => {
    const { quote, quoteRequest } = Result.getOrThrow(decode(WireDryQuote, body))
    return {
      out: quote.amountOut,
      charged: chargedBy(quoteRequest.appFees ?? [], Option.fromUndefinedOr(recipient)),
      signed: Result.isSuccess(verifyQuote(body, productionKey)),
    }
  },
  expected: {
    out,
    charged: { received: received === 0 ? [] : [received], kept: kept === 0 ? [] : [kept] },
    signed,
  },
}))

/** A body of which its source has a part alone, in the answer of that kind that was recorded last. */
const inWhole = (whole: string, part: unknown): unknown =>
  Object.assign({}, recordedOf("near-intents")(whole).body, part)

/** A dry quote without the request. */
const figuresAlone: Reading = {
  name: "near-dry-btc-trx-2026-10-02",
  operation: "quote",
  read: ({ body }) => {
    const whole = inWhole("quote-dry-sol-usdc-zec-2026-10-02", body)
    const { quote } = Result.getOrThrow(decode(WireDryQuote, whole))
    return [quote.amountIn, quote.amountOut, quote.minAmountOut, quote.refundFee, quote.withdrawFee]
  },
  expected: [100_000n, 256_187_229n, 253_625_356n, 1_900n, 290_000n],
}

/** Refunds begin three days before an address goes cold. */
const times: Reading = {
  name: "quote-sol-usdc-zec-2026-10-02",
  operation: "open",
  read: ({ body }) => {
    const { quote, quoteRequest } = Result.getOrThrow(decode(WireOrder, body))
    const days = (later: number | undefined) => ((later ?? 0) - quoteRequest.deadline) / 86_400_000
    return [quote.deadline, quote.timeWhenInactive].map(days)
  },
  expected: [3, 3],
}

const context = {
  known: opened,
  depositChannel: opened.depositChannel ?? assert.fail("a record without a channel"),
  now: EpochMillis.make(Date.parse("2026-10-02T19:00:00Z")),
}

/** A status with the state that we tell, the money that is on its way, and what went in and came out. */
const statuses: ReadonlyArray<readonly [name: string, state: string, course: string, amounts: object]> = [
  ["near-failed-nothing-refunded-2026-09-15", "failed", "lost", {}],
  ["near-success-zec-sol-usdc-2026-09-24", "completed", "payout", {
    depositedAmount: 985_000n,
    amountOut: 14_400_612n,
    payoutTransaction:
      "2VTVZPozrLb9CfcEYM5UNZi3jAYCgKbpFSwu4g4Vwjz2y6uqyX4EkAiAPbUYK1K7MkRyD8qdKaeuUVzQCRkHU9wE",
  }],
  ["status-failed-built", "failed", "lost", { depositedAmount: 5_000_000n }],
  ["status-incomplete-deposit-built", "receiving", "none", { depositedAmount: 4_000_000n }],
  ["status-known-deposit-tx-built", "receiving", "none", {}],
  ["status-pending-deposit-2025-06-22", "waiting", "none", {}],
  ["status-pending-deposit-2026-10-02", "waiting", "none", {}],
  ["status-processing-xlm-usdc-2026-06-18", "swapping", "payout", { depositedAmount: 573_995_009n }],
  ["status-refunded-below-minimum-2025-06-20", "completed", "refund", { refundedAmount: 53_000n }],
  ["status-refunded-two-hashes-built", "completed", "refund", {
    depositedAmount: 5_000_000n,
    refundedAmount: 4_681_166n,
  }],
  ["status-success-exact-output-2025-06-20", "completed", "payout", {
    amountOut: 1_000_000n,
    payoutTransaction: "9oS2NbV1aRyRwQ5CZWN4JpyqiipoWLu1QpL7Vo2kRp2C",
  }],
  ["status-success-xlm-usdc-2026-06-18", "completed", "payout", {
    depositedAmount: 573_995_009n,
    amountOut: 13_327_582n,
    payoutTransaction: "4nMkmkcbJdaHADqNn2dhnAsSzWjXoqvAs8PKpYHAqiu6",
  }],
]

/** What becomes of a status. */
const readStatus = (body: unknown) => {
  const wire = Result.getOrThrow(decode(WireStatus, body))
  const { amountOut, depositedAmount, payoutTransaction, refundedAmount, ...order } = toOrderFacts(
    wire,
    context,
    { feeAccount: nobody, commissionBasis: "charged" },
  )
  const told = { amountOut, depositedAmount, payoutTransaction, refundedAmount }
  const amounts = Object.fromEntries(Object.entries(told).filter(([, amount]) => amount !== undefined))
  return { ...readStage({ ...order, ...told }, context), amounts }
}

const statusReadings = statuses.map(([name, state, course, amounts]): Reading => ({
  name,
  operation: "status",
  read: ({ body }) => readStatus(inWhole("status-failed-built", body)),
  expected: { state, course, notices: [], amounts },
}))

/** A row of the explorer: the members of a status, but for bare hashes and what a refund cost, not what came back. */
const Rows = Schema.Array(Schema.StructWithRest(
  Schema.Struct({
    status: Schema.String,
    appFees: WireFees,
    amountIn: Schema.String,
    refundFee: Schema.optionalKey(Schema.String),
    originChainTxHashes: Schema.Array(Schema.String),
    destinationChainTxHashes: Schema.optionalKey(Schema.Array(Schema.String)),
  }),
  [Schema.Record(Schema.String, Schema.Unknown)],
))

const withHash = (hash: string) => ({ hash })

const gem = Option.some("0x0d9dab1a248f63b0a48965ba8435e4de7497a3dc")

const unproved = "1Click says SUCCESS without an amount and a transaction; not completed yet"

/** Rows of the explorer: the stage of each, and the amounts. */
const explored: ReadonlyArray<
  readonly [name: string, rows: ReadonlyArray<readonly [stage: Stage, amounts: object]>]
> = [
  // Its source has left out the payment, without which a success is not believed.
  ["near-explorer-pol-usdc-ltc-success-2026", [[stage("sending", "payout", unproved), {
    amountOut: 101_438_912n,
  }]]],
  ["near-explorer-tron-ltc-refunded-no-liquidity-2026-09-03", [
    [stage("completed", "refund"), { amountOut: 27_589_639n, refundedAmount: 42_979_289n }],
  ]],
  ["near-explorer-partner-success-2026-09-29", [
    [stage("completed", "payout"), {
      amountOut: 11_875_369n,
      payoutTransaction: "111c34a54b77868e90acbcf2a952f391e05d22801fc1ce7160bd00c87b1cefe9",
    }],
    [stage("completed", "payout"), {
      amountOut: 536_437_765n,
      payoutTransaction: "abf9da8dd265f0e81a28e9dfb7e77956553b88cca13709d57ebbb48f2b296879",
    }],
    [stage("completed", "payout"), {
      amountOut: 2_914_420_008_410_315_470_522n,
      payoutTransaction: "0x039ef59be041c54bd2c3f1ede2f5319d856e41c4aea12f1f104f901b6d07d51e",
    }],
  ]],
]

const exploredReadings = explored.map(([name, rows]): Reading => ({
  name,
  operation: "status",
  read: ({ body }) =>
    Result.getOrThrow(decode(Rows, body)).map(({ appFees, status, ...details }) => {
      const swapDetails = {
        ...details,
        refundedAmount: status === "REFUNDED"
          ? `${BigInt(details.amountIn) - BigInt(details.refundFee ?? 0)}`
          : null,
        originChainTxHashes: details.originChainTxHashes.map(withHash),
        destinationChainTxHashes: (details.destinationChainTxHashes ?? []).map(withHash),
      }
      const read = readStatus(inWhole("status-failed-built", { status, swapDetails }))
      return { ...read, charged: chargedBy(appFees ?? [], gem) }
    }),
  expected: rows.map(([stage, amounts]) => ({ ...stage, amounts, charged: { received: [25], kept: [25] } })),
}))

const subject = Option.some(
  {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    amount: NativeAmount.make(1_000n),
    callersAddresses: true,
  } as const,
)

/** A refusal, with what it means for a quote and for an opening. */
const refusals: ReadonlyArray<readonly [name: string, onQuote: string, onOpening: string]> = [
  ["refusal-400-address-blocked", "RequestRefused", "RequestRefused"],
  ["refusal-400-amount-too-low-bridge", "DepositBelowMinimum", "DepositBelowMinimum"],
  ["refusal-400-deposits-paused", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-failed-to-get-quote", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-400-incorrect-deposit-mode-2026-09-29", "RequestRefused", "RequestRefused"],
  ["refusal-400-internal-server-error", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-400-no-liquidity", "InsufficientLiquidity", "InsufficientLiquidity"],
  ["refusal-400-not-supported-as-origin", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-pair-not-available", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-recipient-not-valid-2026-10-02", "RequestRefused", "RequestRefused"],
  ["refusal-400-recipient-type", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-refundto-not-valid", "RequestRefused", "RequestRefused"],
  ["refusal-400-route-suspended", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-temporary-swap-limits", "AmountBelowMinimum", "AmountBelowMinimum"],
  ["refusal-400-token-disabled", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-tokenin-not-valid", "AssetDisabled", "AssetDisabled"],
  ["refusal-400-validation-2026-06-13", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-400-xrp-too-low-2026-09-29", "DepositBelowMinimum", "DepositBelowMinimum"],
  ["near-refusal-limits-100-tron-2026-10-02", "AmountBelowMinimum", "AmountBelowMinimum"],
  ["near-orders-problem-2026-11", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-401-unauthorized-built", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-403-api-key-disabled-built", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-404-status-unknown-address-2026-06-13", "UpstreamFailed", "DepositChannelFailed"],
  ["refusal-429-throttled-built", "RateLimited", "RateLimited"],
  ["refusal-521-cloudflare-built", "Unreachable", "Unreachable"],
]

const refusalReadings = refusals.map(([name, ...expected]): Reading => ({
  name,
  operation: "open",
  read: (answer) => [false, true].map((opening) => answerReason(answerOf(answer), { opening, subject })._tag),
  expected,
}))

/** Recorded answers of 1Click. */
export const recorded = readingsOf("near-intents", [
  tokens,
  movedTokens,
  omniTokens,
  xrp,
  ...quoteReadings,
  figuresAlone,
  times,
  ...statusReadings,
  ...exploredReadings,
  ...refusalReadings,
])
