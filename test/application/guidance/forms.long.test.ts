import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Server } from "#interfaces/http/server/Server.ts"
import type { OwnWorld } from "#test/support/broker.ts"
import { addresses } from "#test/contract/support/addresses.ts"
import { call, withOwnBroker } from "#test/contract/support/call.ts"
import { type Json, textAt } from "#test/contract/support/Json.ts"
import {
  clearFaults,
  deposit,
  during,
  network,
  openSwap,
  pass,
  passToBitcoinBlock,
  recordOf,
  type SwapQuery,
} from "#test/contract/support/swaps.ts"
import { eventually } from "#test/durability/eventually.ts"
import { unknownTransaction } from "#application/guidance/guidanceOf.ts"
import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import { assertForm, lookAsPayer, passUntilPhase, phaseIn, printForms } from "./support.ts"

type Way = Effect.Effect<Json, never, Server | OwnWorld>

const oneEther = "1000000000000000001"
const someBitcoin = "10000000"
const fromArbitrum = { sourceAsset: "eth.arb", destinationAsset: "eth.eth" }
const limited = (retryDurationInBlocks: string, changes: SwapQuery = {}): SwapQuery => ({
  ...fromArbitrum,
  minimumPrice: "40",
  refundAddress: addresses.arb,
  retryDurationInBlocks,
  ...changes,
})
const order = (platform: string, changes: SwapQuery = {}): SwapQuery => ({
  platform,
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amountNative: someBitcoin,
  refundAddress: addresses.btc,
  ...changes,
})
const dca = { ...fromArbitrum, numberOfChunks: "4", chunkIntervalBlocks: "10" }
const boosted = { boostFee: "10" }

const begun = (terms: SwapQuery, amountNative: string) =>
  Effect.tap(openSwap(terms), (opened) => deposit(opened, amountNative))

/** A swap with a deposit, once it is in a phase. */
const until = (phase: string, terms: SwapQuery, amountNative: string, step?: number): Way =>
  Effect.flatMap(begun(terms, amountNative), (opened) => passUntilPhase(opened, phase, step))

const throwSwitch = (what: Readonly<Record<string, unknown>>, enabled: boolean) =>
  Effect.map(
    call("POST", "/providers/chainflip/switch", { body: { ...what, enabled, reason: "for the test" } }),
    ({ status, text }) => assert.strictEqual(status, 200, text),
  )

/** Does something while the world is another. */
const whileIt = (
  begin: Effect.Effect<unknown, never, Server | OwnWorld>,
  effect: Way,
  end: Effect.Effect<unknown, never, Server | OwnWorld>,
): Way => Effect.acquireUseRelease(begin, () => Effect.tap(effect, lookAsPayer), () => end)

type Members = Readonly<Record<string, unknown>>
const withAsset = (asset: string, during: Members, after: Members, effect: Way): Way =>
  whileIt(network("setAsset", { asset, ...during }), effect, network("setAsset", { asset, ...after }))

/** The record of a swap, once what is known of its provider has led to a phase. */
const inPhase = (opened: Json, phase: string): Way =>
  eventually(recordOf(opened), (record) => phaseIn(record) === phase)

const dust = { egressDustLimit: "100000000000000000000000" }

/** A phase, and a way to it. */
type Row = readonly [phase: SwapPhase, way: Way]

const beforeTheDeposit: ReadonlyArray<Row> = [
  [
    "waiting_for_deposit",
    Effect.flatMap(openSwap(fromArbitrum), (opened) => recordOf(opened)),
  ],
  [
    "channel_closing",
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      yield* pass(86_400 - 300)
      return yield* recordOf(opened)
    }),
  ],
  [
    "channel_expired",
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      yield* pass(2 * 86_400)
      return yield* recordOf(opened)
    }),
  ],
  [
    "provider_switched_off",
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      return yield* whileIt(throwSwitch({}, false), recordOf(opened), throwSwitch({}, true))
    }),
  ],
  [
    "network_halted",
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      return yield* withAsset(
        "eth.arb",
        { depositEnabled: false },
        { depositEnabled: true },
        inPhase(opened, "network_halted"),
      )
    }),
  ],
  [
    "deposit_unnoticed",
    Effect.gen(function* () {
      yield* network("nextOrder", { outcome: "stuckPending" })
      return yield* until("deposit_unnoticed", order("near-intents"), someBitcoin, 120)
    }),
  ],
]

const theDeposit: ReadonlyArray<Row> = [
  [
    "deposit_seen",
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("deposit_seen", { sourceAsset: "btc.btc" }, someBitcoin)
    }),
  ],
  [
    "deposit_incomplete",
    until("deposit_incomplete", order("near-intents", { minimumPrice: "30" }), "100000", 300),
  ],
  [
    "deposit_confirmed",
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("deposit_confirmed", { sourceAsset: "btc.btc" }, someBitcoin, 6)
    }),
  ],
  [
    "deposit_waits_for_network",
    Effect.gen(function* () {
      const opened = yield* begun(fromArbitrum, oneEther)
      const waits = Effect.andThen(pass(60), inPhase(opened, "deposit_waits_for_network"))
      return yield* withAsset("eth.arb", { depositEnabled: false }, { depositEnabled: true }, waits)
    }),
  ],
  [
    "late_deposit_seen",
    Effect.gen(function* () {
      const opened = yield* openSwap(order("near-intents"))
      yield* pass(2 * 86_400)
      yield* deposit(opened, someBitcoin)
      return yield* passUntilPhase(opened, "late_deposit_seen", 60)
    }),
  ],
  [
    "boost_pending",
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("boost_pending", { sourceAsset: "btc.btc", ...boosted }, someBitcoin)
    }),
  ],
  [
    "boost_skipped",
    Effect.gen(function* () {
      for (const tierBps of [5, 10, 30]) yield* network("setBoostPool", { tierBps, available: "0" })
      yield* passToBitcoinBlock
      const record = yield* until("boost_skipped", { sourceAsset: "btc.btc", ...boosted }, someBitcoin)
      for (const tierBps of [5, 10, 30]) {
        yield* network("setBoostPool", { tierBps, available: "100000000000" })
      }
      return record
    }),
  ],
]

const theSwap: ReadonlyArray<Row> = [
  [
    "swapping",
    until("swapping", fromArbitrum, oneEther),
  ],
  [
    "swapping_boosted",
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("swapping_boosted", { sourceAsset: "btc.btc", ...boosted }, someBitcoin)
    }),
  ],
  [
    "waiting_for_price",
    until("waiting_for_price", limited("100"), oneEther),
  ],
  [
    "waiting_for_liquidity",
    until("waiting_for_liquidity", {
      sourceAsset: "eth.arb",
      destinationAsset: "flip.eth",
      retryDurationInBlocks: "100",
    }, "100000000000000000000000"),
  ],
  [
    "swap_paused",
    Effect.gen(function* () {
      const opened = yield* begun(fromArbitrum, oneEther)
      return yield* whileIt(
        network("setSwaps", { enabled: false }),
        passUntilPhase(opened, "swap_paused"),
        network("setSwaps", { enabled: true }),
      )
    }),
  ],
  [
    "swap_waits_for_network",
    Effect.gen(function* () {
      const opened = yield* begun({
        sourceAsset: "eth.arb",
        destinationAsset: "usdc.sol",
        numberOfChunks: "4",
        chunkIntervalBlocks: "10",
      }, oneEther)
      yield* passUntilPhase(opened, "dca_between_chunks")
      return yield* withAsset(
        "usdc.sol",
        { egressEnabled: false },
        { egressEnabled: true },
        inPhase(opened, "swap_waits_for_network"),
      )
    }),
  ],
  ["dca_starting", until("dca_starting", dca, oneEther)],
  [
    "dca_between_chunks",
    until("dca_between_chunks", dca, oneEther),
  ],
  [
    "dca_waiting_for_price",
    until("dca_waiting_for_price", { ...dca, ...limited("100") }, oneEther),
  ],
]

const thePayments: ReadonlyArray<Row> = [
  [
    "payout_scheduled",
    until("payout_scheduled", fromArbitrum, oneEther),
  ],
  [
    "payout_sent",
    until("payout_sent", fromArbitrum, oneEther),
  ],
  [
    "refund_scheduled",
    until("refund_scheduled", limited("0"), oneEther),
  ],
  [
    "refund_sent",
    until(
      "refund_sent",
      limited("0", { sourceAsset: "eth.eth", destinationAsset: "eth.arb", refundAddress: addresses.arb }),
      oneEther,
    ),
  ],
  [
    "both_payments_under_way",
    Effect.gen(function* () {
      const opened = yield* begun({ ...dca, ...limited("0", { minimumPrice: "0.9" }) }, oneEther)
      yield* passUntilPhase(opened, "dca_between_chunks")
      yield* network("movePrice", { asset: "eth.arb", bps: -5_000 })
      const record = yield* passUntilPhase(opened, "both_payments_under_way")
      yield* network("movePrice", { asset: "eth.arb", bps: 10_000 })
      return record
    }),
  ],
  [
    "fallback_under_way",
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "sol.sol", outcome: "fallback" })
      return yield* until(
        "fallback_under_way",
        { sourceAsset: "eth.arb", destinationAsset: "sol.sol" },
        oneEther,
      )
    }),
  ],
]

const theEnds: ReadonlyArray<Row> = [
  [
    "completed",
    until("completed", fromArbitrum, oneEther, 30),
  ],
  [
    "refunded",
    Effect.gen(function* () {
      yield* network("nextOrder", { outcome: "successThatIsRefund" })
      return yield* until("refunded", order("near-intents"), someBitcoin, 300)
    }),
  ],
  [
    "refunded_for_price",
    until("refunded_for_price", limited("0"), oneEther, 30),
  ],
  [
    "completed_rest_refunded",
    Effect.gen(function* () {
      const { amountNative: _, ...terms } = order("near-intents")
      const opened = yield* openSwap({ ...terms, amountOut: "0.5", minimumPrice: "0.000001" })
      yield* deposit(opened, textAt(opened, "payment", "amountNative"))
      return yield* passUntilPhase(opened, "completed_rest_refunded", 300)
    }),
  ],
  [
    "refunded_partly",
    Effect.gen(function* () {
      const opened = yield* begun({ ...dca, ...limited("0", { minimumPrice: "0.9" }) }, oneEther)
      yield* passUntilPhase(opened, "dca_between_chunks")
      yield* network("movePrice", { asset: "eth.arb", bps: -5_000 })
      const record = yield* passUntilPhase(opened, "refunded_partly", 30)
      yield* network("movePrice", { asset: "eth.arb", bps: 10_000 })
      return record
    }),
  ],
  [
    "late_deposit_refunded",
    Effect.gen(function* () {
      const opened = yield* openSwap(order("near-intents"))
      yield* pass(2 * 86_400)
      yield* deposit(opened, someBitcoin)
      return yield* passUntilPhase(opened, "late_deposit_refunded", 600)
    }),
  ],
  [
    "deposit_too_small",
    until("deposit_too_small", fromArbitrum, "3899999999999999"),
  ],
  [
    "deposit_below_fees",
    withAsset("usdt.arb", { minimumDeposit: "0", ingressFee: "2000000" }, {
      minimumDeposit: "10000000",
      ingressFee: "10000",
    }, until("deposit_below_fees", { sourceAsset: "usdt.arb", destinationAsset: "eth.eth" }, "1000000")),
  ],
  [
    "deposit_rejected_refunded",
    Effect.gen(function* () {
      const opened = yield* openSwap(limited("0"))
      yield* network("rejectNextDeposit", { address: textAt(opened, "address") })
      yield* deposit(opened, oneEther)
      return yield* passUntilPhase(opened, "deposit_rejected_refunded", 30)
    }),
  ],
  [
    "deposit_under_review",
    Effect.gen(function* () {
      yield* network("nextRequest", { outcome: "blockedWallet" })
      return yield* until(
        "deposit_under_review",
        order("relay", {
          sourceAsset: "eth.arb",
          amountNative: oneEther,
          refundAddress: addresses.arb,
          sourceAddress: addresses.arb,
        }),
        oneEther,
      )
    }),
  ],
  [
    "deposit_rejected",
    Effect.gen(function* () {
      yield* network("nextRequest", { outcome: "refundFails" })
      return yield* until(
        "deposit_rejected",
        order("relay", {
          sourceAsset: "eth.arb",
          amountNative: oneEther,
          refundAddress: addresses.arb,
          sourceAddress: addresses.arb,
        }),
        oneEther,
      )
    }),
  ],
  [
    "refund_too_small",
    withAsset(
      "usdc.arb",
      dust,
      { egressDustLimit: "1" },
      until("refund_too_small", {
        sourceAsset: "usdc.arb",
        destinationAsset: "eth.eth",
        minimumPrice: "1",
        retryDurationInBlocks: "0",
        refundAddress: addresses.arb,
      }, "1000000001"),
    ),
  ],
  [
    "refund_failed",
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "eth.arb", outcome: "abort" })
      return yield* until("refund_failed", limited("0"), oneEther)
    }),
  ],
  [
    "payout_too_small",
    withAsset(
      "usdc.sol",
      dust,
      { egressDustLimit: "1" },
      until("payout_too_small", { sourceAsset: "eth.arb", destinationAsset: "usdc.sol" }, oneEther),
    ),
  ],
  [
    "payout_failed",
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "sol.sol", outcome: "abort" })
      return yield* until("payout_failed", { sourceAsset: "eth.arb", destinationAsset: "sol.sol" }, oneEther)
    }),
  ],
  [
    "payout_callable",
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "eth.eth", outcome: "abort" })
      return yield* until("payout_callable", fromArbitrum, oneEther)
    }),
  ],
  [
    "fallback_paid",
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "sol.sol", outcome: "fallback" })
      return yield* until("fallback_paid", { sourceAsset: "eth.arb", destinationAsset: "sol.sol" }, oneEther)
    }),
  ],
]

const theTroubles: ReadonlyArray<Row> = [
  [
    "provider_not_followed",
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      const status = { operation: "status" }
      return yield* whileIt(throwSwitch(status, false), recordOf(opened), throwSwitch(status, true))
    }),
  ],
  [
    "provider_silent",
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      return yield* during(
        { provider: "chainflip", operation: "status", kind: "malformed" },
        Effect.tap(inPhase(opened, "provider_silent"), lookAsPayer),
      )
    }),
  ],
  [
    "provider_contradicts",
    Effect.gen(function* () {
      yield* network("nextOrder", { outcome: "changedAddress" })
      const opened = yield* during(
        { provider: "near-intents", operation: "status", kind: "http_500" },
        openSwap(order("near-intents")),
      )
      return yield* inPhase(opened, "provider_contradicts")
    }),
  ],
]

const rows = [beforeTheDeposit, theDeposit, theSwap, thePayments, theEnds, theTroubles].flat()

withOwnBroker({
  PROVIDERS: "chainflip,near-intents,relay,thorchain",
  ASSETS_MAX_AGE: "0 seconds",
  STATUS_MAX_AGE: "0 seconds",
})("what people are told of a swap", (it) => {
  for (const [phase, way] of rows) {
    it.effect(`is of its form, for the integrator and for who pays: ${phase}`, function* () {
      const record = yield* way
      assertForm(record, phase)
      yield* lookAsPayer(record)
    })
  }

  it.effect("says of an unknown transaction what to compare", function* () {
    const { body, status } = yield* call("GET", "/status-by-transaction-hash", {
      query: { transactionHash: `0x${"ab".repeat(32)}` },
    })
    assert.strictEqual(status, 404)
    assert.include(textAt(body, "detail"), unknownTransaction.text.replace(/\.$/, ""))
  })

  it.effect("is printed where that is wanted", () => Effect.andThen(clearFaults, printForms))
})
