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

/** A phase, words of its text alone, and a way to it. */
type Row = readonly [phase: string, says: RegExp, way: Way]

const beforeTheDeposit: ReadonlyArray<Row> = [
  [
    "waiting_for_deposit",
    /^The swap waits for its deposit: ETH on Arbitrum to 0x[0-9a-fA-F]{40}, before 20\d\d-/,
    Effect.flatMap(openSwap(fromArbitrum), (opened) => recordOf(opened)),
  ],
  [
    "channel_closing",
    /too soon for another deposit/,
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      yield* pass(86_400 - 300)
      return yield* recordOf(opened)
    }),
  ],
  [
    "channel_expired",
    /^The channel expired at .* is lost\.$/,
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      yield* pass(2 * 86_400)
      return yield* recordOf(opened)
    }),
  ],
  [
    "provider_switched_off",
    /taken chainflip out of service/,
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      return yield* whileIt(throwSwitch({}, false), recordOf(opened), throwSwitch({}, true))
    }),
  ],
  [
    "network_halted",
    /takes no deposits of ETH on Arbitrum at present/,
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
    /was seen.*but near-intents has not taken it up yet/,
    Effect.gen(function* () {
      yield* network("nextOrder", { outcome: "stuckPending" })
      return yield* until("deposit_unnoticed", order("near-intents"), someBitcoin, 120)
    }),
  ],
]

const theDeposit: ReadonlyArray<Row> = [
  [
    "deposit_seen",
    /^The deposit of 0\.1 BTC was seen on Bitcoin in transaction [0-9a-f]{64}, and gathers confirmations: \d+ of \d+\.$/,
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("deposit_seen", { sourceAsset: "btc.btc" }, someBitcoin)
    }),
  ],
  [
    "deposit_incomplete",
    /^The deposit of 0\.001 BTC was seen, which is less than the 0\.1 BTC/,
    until("deposit_incomplete", order("near-intents", { minimumPrice: "30" }), "100000", 300),
  ],
  [
    "deposit_confirmed",
    /^The deposit of 0\.1 BTC has all its confirmations/,
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("deposit_confirmed", { sourceAsset: "btc.btc" }, someBitcoin, 6)
    }),
  ],
  [
    "deposit_waits_for_network",
    /credits no deposits of ETH on Arbitrum at present/,
    Effect.gen(function* () {
      const opened = yield* begun(fromArbitrum, oneEther)
      const waits = Effect.andThen(pass(60), inPhase(opened, "deposit_waits_for_network"))
      return yield* withAsset("eth.arb", { depositEnabled: false }, { depositEnabled: true }, waits)
    }),
  ],
  [
    "late_deposit_seen",
    /was seen.* after the channel had expired/,
    Effect.gen(function* () {
      const opened = yield* openSwap(order("near-intents"))
      yield* pass(2 * 86_400)
      yield* deposit(opened, someBitcoin)
      return yield* passUntilPhase(opened, "late_deposit_seen", 60)
    }),
  ],
  [
    "boost_pending",
    /may credit it ahead of its confirmations/,
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("boost_pending", { sourceAsset: "btc.btc", ...boosted }, someBitcoin)
    }),
  ],
  [
    "boost_skipped",
    /^The deposit of 0\.1 BTC was not boosted/,
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
    /^The deposit of 1\.000000000000000001 ETH was credited, and is being swapped to ETH on Ethereum\.$/,
    until("swapping", fromArbitrum, oneEther),
  ],
  [
    "swapping_boosted",
    /^The deposit of 0\.1 BTC was boosted/,
    Effect.gen(function* () {
      yield* passToBitcoinBlock
      return yield* until("swapping_boosted", { sourceAsset: "btc.btc", ...boosted }, someBitcoin)
    }),
  ],
  [
    "waiting_for_price",
    /below the price limit of 40\. It is tried again for 10 minutes/,
    until("waiting_for_price", limited("100"), oneEther),
  ],
  [
    "waiting_for_liquidity",
    /it would move the price too far/,
    until("waiting_for_liquidity", {
      sourceAsset: "eth.arb",
      destinationAsset: "flip.eth",
      retryDurationInBlocks: "100",
    }, "100000000000000000000000"),
  ],
  [
    "swap_paused",
    /has paused all swaps for safety/,
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
    /pays out no USDC on Solana at present/,
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
  ["dca_starting", /in 4 chunks\.$/, until("dca_starting", dca, oneEther)],
  [
    "dca_between_chunks",
    /^1 of 4 chunks were swapped to ETH on Ethereum: 0\.\d+ ETH, and 0\.\d+ ETH to go/,
    until("dca_between_chunks", dca, oneEther),
  ],
  [
    "dca_waiting_for_price",
    /^0 of 4 chunks were swapped\. The next one waits/,
    until("dca_waiting_for_price", { ...dca, ...limited("100") }, oneEther),
  ],
]

const thePayments: ReadonlyArray<Row> = [
  [
    "payout_scheduled",
    /^The swap is done: [0-9.]+ ETH will be sent to 0x1{40}\.$/,
    until("payout_scheduled", fromArbitrum, oneEther),
  ],
  [
    "payout_sent",
    /^[0-9.]+ ETH was sent to 0x1{40} in transaction 0x[0-9a-f]{64}/,
    until("payout_sent", fromArbitrum, oneEther),
  ],
  [
    "refund_scheduled",
    /^The deposit was not swapped: [0-9.]+ ETH will be sent back to 0x2{40}\.$/,
    until("refund_scheduled", limited("0"), oneEther),
  ],
  [
    "refund_sent",
    /was sent back to 0x2{40} in transaction/,
    until(
      "refund_sent",
      limited("0", { sourceAsset: "eth.eth", destinationAsset: "eth.arb", refundAddress: addresses.arb }),
      oneEther,
    ),
  ],
  [
    "both_payments_under_way",
    /^A part of the deposit was swapped/,
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
    /sends [0-9.]+ SOL another way/,
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
    /^Done: [0-9.]+ ETH was paid to 0x1{40} in transaction 0x[0-9a-f]{64}\.$/,
    until("completed", fromArbitrum, oneEther, 30),
  ],
  [
    "refunded",
    /^The deposit was not swapped\. [0-9.]+ BTC went back to bc1q/,
    Effect.gen(function* () {
      yield* network("nextOrder", { outcome: "successThatIsRefund" })
      return yield* until("refunded", order("near-intents"), someBitcoin, 300)
    }),
  ],
  [
    "refunded_for_price",
    /stayed below the price limit of 40/,
    until("refunded_for_price", limited("0"), oneEther, 30),
  ],
  [
    "completed_rest_refunded",
    /^Done: 0\.5 ETH, as was asked for, was paid to /,
    Effect.gen(function* () {
      const { amountNative: _, ...terms } = order("near-intents")
      const opened = yield* openSwap({ ...terms, amountOut: "0.5", minimumPrice: "0.000001" })
      yield* deposit(opened, textAt(opened, "payment", "amountNative"))
      return yield* passUntilPhase(opened, "completed_rest_refunded", 300)
    }),
  ],
  [
    "refunded_partly",
    /^Only a part was swapped \([0-9.]+ ETH\)/,
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
    /^The deposit came after the channel had expired/,
    Effect.gen(function* () {
      const opened = yield* openSwap(order("near-intents"))
      yield* pass(2 * 86_400)
      yield* deposit(opened, someBitcoin)
      return yield* passUntilPhase(opened, "late_deposit_refunded", 600)
    }),
  ],
  [
    "deposit_too_small",
    /^The deposit of 0\.003899999999999999 ETH was ignored: it is below the smallest amount/,
    until("deposit_too_small", fromArbitrum, "3899999999999999"),
  ],
  [
    "deposit_below_fees",
    /does not cover the fees of chainflip's network/,
    withAsset("usdt.arb", { minimumDeposit: "0", ingressFee: "2000000" }, {
      minimumDeposit: "10000000",
      ingressFee: "10000",
    }, until("deposit_below_fees", { sourceAsset: "usdt.arb", destinationAsset: "eth.eth" }, "1000000")),
  ],
  [
    "deposit_rejected_refunded",
    /was rejected by chainflip\. [0-9.]+ ETH went back to 0x/,
    Effect.gen(function* () {
      const opened = yield* openSwap(limited("0"))
      yield* network("rejectNextDeposit", { address: textAt(opened, "address") })
      yield* deposit(opened, oneEther)
      return yield* passUntilPhase(opened, "deposit_rejected_refunded", 30)
    }),
  ],
  [
    "deposit_under_review",
    /is held by relay: it has flagged an address/,
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
    /relay has given up\. Nothing is known to have gone back/,
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
    /too little to be sent back/,
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
    /sending [0-9.]+ ETH back to 0x2{40} failed/,
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "eth.arb", outcome: "abort" })
      return yield* until("refund_failed", limited("0"), oneEther)
    }),
  ],
  [
    "payout_too_small",
    /is too little to be sent to/,
    withAsset(
      "usdc.sol",
      dust,
      { egressDustLimit: "1" },
      until("payout_too_small", { sourceAsset: "eth.arb", destinationAsset: "usdc.sol" }, oneEther),
    ),
  ],
  [
    "payout_failed",
    /^The deposit was swapped, but the payment of [0-9.]+ SOL to [1-9A-Za-z]+ failed/,
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "sol.sol", outcome: "abort" })
      return yield* until("payout_failed", { sourceAsset: "eth.arb", destinationAsset: "sol.sol" }, oneEther)
    }),
  ],
  [
    "payout_callable",
    /was signed and not sent/,
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "eth.eth", outcome: "abort" })
      return yield* until("payout_callable", fromArbitrum, oneEther)
    }),
  ],
  [
    "fallback_paid",
    /^The payment of the output could not be sent as planned\. [0-9.]+ SOL was paid another way/,
    Effect.gen(function* () {
      yield* network("nextEgress", { asset: "sol.sol", outcome: "fallback" })
      return yield* until("fallback_paid", { sourceAsset: "eth.arb", destinationAsset: "sol.sol" }, oneEther)
    }),
  ],
]

const theTroubles: ReadonlyArray<Row> = [
  [
    "provider_not_followed",
    /does not ask chainflip about open swaps/,
    Effect.gen(function* () {
      const opened = yield* openSwap(fromArbitrum)
      const status = { operation: "status" }
      return yield* whileIt(throwSwitch(status, false), recordOf(opened), throwSwitch(status, true))
    }),
  ],
  [
    "provider_silent",
    /does not say anything of this swap at present/,
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
    /contradicts itself, or what was opened/,
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
  for (const [phase, says, way] of rows) {
    it.effect(`is of its form, for the integrator and for who pays: ${phase}`, function* () {
      const record = yield* way
      assertForm(record, phase, says)
      yield* lookAsPayer(record)
    })
  }

  it.effect("says of an unknown transaction what to compare", function* () {
    const { body, status } = yield* call("GET", "/status-by-transaction-hash", {
      query: { transactionHash: `0x${"ab".repeat(32)}` },
    })
    assert.strictEqual(status, 404)
    assert.match(textAt(body, "detail"), /^No swap with this transaction is known yet/)
  })

  it.effect("is printed where that is wanted", () => Effect.andThen(clearFaults, printForms))
})
