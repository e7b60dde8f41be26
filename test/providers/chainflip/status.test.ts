import { assert, channelsOf, collectLogs, describe, it, recordedOf, statusIn, toStatus } from "../support.ts"
import { Effect, Option, Schema } from "effect"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { type SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { contradictionIn } from "#application/swapping/following/Progress.ts"
import { goodProvider } from "#application/guidance/facts.ts"
import { guidanceOf } from "#application/guidance/guidanceOf.ts"
import { providerOver, reasonOf, type Reply } from "./fakeChainflip.ts"
import { retrying, rows } from "./fixtures/records.ts"
import { channelId } from "./fixtures/swaps.ts"
import * as endings from "./fixtures/endings.ts"
import * as swaps from "./fixtures/swaps.ts"

const channel: ChannelId = { issuedBlock: 14138313, network: "Bitcoin", channelId: 77 }
const path = `/chainflip/backend/v2/swaps/${channelId}`

const toJson = Schema.encodeSync(Schema.toCodecJson(SwapStatus))

const statusOf = (reply: Reply, lastKnown: SwapState = "waiting", asked = channel, at = path) =>
  Effect.flatMap(
    providerOver({ [at]: reply }),
    ([provider]) => toStatus(channelsOf(provider).status(asked, statusIn(lastKnown))),
  )

/** The record as JSON: amounts are digits, and it has to fit the domain's schema. */
const recordOf = (body: unknown) =>
  Effect.map(statusOf({ body }), (status) => toJson(Option.getOrThrow(status)))

const guidanceFor = (status: SwapStatus) => {
  const now = EpochMillis.make(1_790_000_000_000)
  const facts = { now, changedAt: now, provider: goodProvider }
  return guidanceOf({ platform: ProviderName.make("chainflip"), status }, facts)
}

describe("Chainflip status", () => {
  it.effect.each(rows)("reads a record that is %s", function* ([, body, record]) {
    assert.deepStrictEqual<unknown>(yield* recordOf(body), record)
  })

  it.effect("keeps the last known state, and says so, when the upstream's is a new one", function* () {
    const { value, lines } = yield* collectLogs(
      statusOf({ body: { ...swaps.sending, state: "TELEPORTING" } }, "swapping"),
    )
    assert.strictEqual(Option.getOrThrow(value).state, "swapping")
    assert.deepStrictEqual(lines, ["Kept the state swapping: TELEPORTING is unknown"])
  })

  it.effect("leaves out a fee of a new type, and says so", function* () {
    const fees = [{ type: "TITHE", chain: "Bitcoin", asset: "BTC", amount: "1" }, ...swaps.sending.fees]
    const { value, lines } = yield* collectLogs(statusOf({ body: { ...swaps.sending, fees } }))
    assert.deepStrictEqual(Option.getOrThrow(value).fees.map(({ type }) => type), ["ingress", "network"])
    assert.deepStrictEqual(lines, ["Left out a swap's fee of the unknown type TITHE"])
  })

  it.effect("takes the failure's reason from either of its names", function* () {
    const { failure } = endings.depositIgnored.deposit
    const reason = { code: "Unrefundable", message: "Cannot be refunded" }
    const record = yield* statusOf({
      body: { ...endings.depositIgnored, deposit: { amount: "1", failure: { ...failure, reason } } },
    })
    assert.deepStrictEqual(Option.getOrThrow(record).deposit?.failure?.reason, reason)
  })

  it.effect("writes an Asset Hub deposit address as ss58", function* () {
    const hub: ChannelId = { issuedBlock: 5, network: "Assethub", channelId: 6 }
    const body = {
      ...swaps.waiting,
      srcChain: "Assethub",
      srcAsset: "DOT",
      depositChannel: {
        ...swaps.waiting.depositChannel,
        id: "5-assethub-6",
        depositAddress: `0x${"00".repeat(32)}`,
      },
    }
    const record = yield* statusOf({ body }, "waiting", hub, "/chainflip/backend/v2/swaps/5-Assethub-6")
    assert.strictEqual<string | undefined>(
      Option.getOrThrow(record).depositChannel?.depositAddress,
      "111111111111111111111111111111111HC1",
    )
  })

  /** What a record says after the names of its destination were taken out. */
  const { destAddress: _, destAsset: __, destChain: ___, ...unaddressed } = swaps.waiting

  it.effect("takes the destination from the record where the upstream tells none", function* () {
    const { destinationAddress, destinationAsset } = statusIn("waiting")
    const read = Option.getOrThrow(yield* statusOf({ body: unaddressed }))
    assert.deepInclude(read, { destinationAddress, destinationAsset })
  })

  it.effect.each(
    [
      ["finds the channel of a deposit", unaddressed, "Deposit"],
      ["knows of nothing, where there is no channel either", {
        ...unaddressed,
        depositChannel: undefined,
      }, undefined],
    ] as const,
  )("of a transaction to no destination it %s", function* ([, body, trace]) {
    const [provider] = yield* providerOver({ "/chainflip/backend/v2/swaps/0xab": { body } })
    const found = yield* channelsOf(provider).findTransaction?.("0xab") ?? Effect.succeedNone
    assert.strictEqual(Option.getOrUndefined(found)?._tag, trace)
  })

  it.effect("of a vault swap without a destination it keeps the record's", function* () {
    const [{ vaultSwaps }] = yield* providerOver({
      "/chainflip/backend/v2/swaps/0xab": { body: { ...unaddressed, depositChannel: null } },
    })
    const known = statusIn("receiving")
    const question = { transaction: "0xab", marks: [] }
    const found = yield* vaultSwaps?.status(question, Option.some(known)) ?? Effect.succeedNone
    assert.strictEqual(Option.getOrThrow(found).status.destinationAddress, known.destinationAddress)
  })

  it.effect.each(
    [
      ["swap-completed-usdc-btc-live", 0n],
      ["swap-completed-dca-part-refunded", 765_772_192n],
      ["swap-failed-deposit-rejected", 1_000_000n],
    ] as const,
  )("counts no fee of %s as still to be swapped", function* ([name, remaining]) {
    const { body } = recordedOf("chainflip")(name)
    const read = Option.getOrThrow(yield* statusOf({ body }))
    assert.strictEqual<bigint | undefined>(read.swap?.remainingInputAmount, remaining)
  })

  it.effect("reads what SDK 2.2 has moved to the top there, and where it was before", function* () {
    const { depositChannel, fillOrKillParams, ...bare } = { ...swaps.waiting, brokers: [] }
    const moved = {
      brokerCommissionBps: 12,
      affiliateBrokers: [{ account: swaps.affiliate, commissionBps: 7 }],
      fillOrKillParams,
    }
    const atTop = yield* statusOf({ body: { ...bare, ...moved, depositChannel } })
    const inChannel = yield* statusOf({ body: { ...bare, depositChannel: { ...depositChannel, ...moved } } })
    assert.deepStrictEqual(inChannel, atTop)
    const { depositChannel: read, fillOrKill } = Option.getOrThrow(atTop)
    assert.deepInclude<unknown>(read, {
      brokerCommissionBps: 12,
      affiliateBrokers: moved.affiliateBrokers,
    })
    assert.strictEqual(fillOrKill?.retryDurationBlocks, fillOrKillParams.retryDurationBlocks)
  })

  it.effect("tells that a rejected deposit below dust is not refunded, as since 2.3", function* () {
    const { refundEgress: _, ...bare } = endings.depositRejected
    const status = Option.getOrThrow(yield* statusOf({ body: bare }))
    assert.strictEqual(status.state, "failed")
    const { phase, text } = guidanceFor(status)
    assert.strictEqual(phase, "deposit_rejected")
    assert.include(text, "Amounts below the network fees are not refunded")
    assert.isUndefined(contradictionIn(status, status))
  })

  it.effect.each(
    [
      ["swap-failed-deposit-rejected", "deposit_rejected_refunded", /0\.01 BTC was refunded/],
      ["swap-failed-solana-fallback", "fallback_paid", /0\.608878437 SOL was sent as a fallback payout/],
      [
        "swap-failed-dca-refund-egress",
        "refund_too_small",
        /Part of .* was paid .* too little is left to refund/,
      ],
    ] as const,
  )("does not take the failure of %s for a loss", function* ([name, phase, says]) {
    const { body } = recordedOf("chainflip")(name)
    const status = Option.getOrThrow(yield* statusOf({ body }))
    const said = guidanceFor(status)
    assert.strictEqual(said.phase, phase)
    assert.match(said.text, says)
  })

  const unknown: ReadonlyArray<Reply> = [
    { status: 404, body: { message: "resource not found" } },
    { status: 400, body: { message: "Invalid chain: Bitcoin" } },
  ]

  it.effect.each(unknown)("knows no swap where the upstream answers $status", function* (reply) {
    assert.isTrue(Option.isNone(yield* statusOf(reply)))
  })

  it.effect("does not take somebody else's 404 for an unknown swap", function* () {
    const [provider] = yield* providerOver({ [path]: { status: 404, body: "<html>no such page</html>" } })
    const reason = yield* reasonOf(channelsOf(provider).status(channel, statusIn("waiting")))
    assert.strictEqual(reason._tag, "UpstreamFailed")
  })

  it.effect.each<readonly [name: string, body: unknown, detail: string]>([
    ["is empty", "", "body: expected JSON, got 0 characters of something else (swap backend)"],
    [
      "names an unknown asset",
      { ...swaps.waiting, srcAsset: "DOGE" },
      `srcAsset: expected a known asset, got "Bitcoin/DOGE"`,
    ],
    [
      "has a chunk without its time",
      { ...swaps.swapping, swap: { ...swaps.swapping.swap, regular: { ...retrying, scheduledAt: "soon" } } },
      `swap.regular.scheduledAt: expected a count (safe integer, 0x hex or digits), got "soon"`,
    ],
    [
      "has a long text for an amount, which is not shown",
      { ...swaps.receiving, deposit: { amount: "x".repeat(500) } },
      "deposit.amount: expected an amount (safe integer, 0x hex or digits), got text of 500 characters",
    ],
  ])("names the path when a body %s", function* ([, body, detail]) {
    const [provider] = yield* providerOver({ [path]: { body } })
    const reason = yield* reasonOf(channelsOf(provider).status(channel, statusIn("waiting")))
    assert.strictEqual(reason._tag, "MalformedBody")
    assert.deepInclude(reason, { detail, reached: true })
  })
})
