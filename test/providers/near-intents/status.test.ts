import { assert, channelsOf, collectLogs, describe, it, TestClock, toStatus } from "../support.ts"
import { BigDecimal, Effect, Option, Schema } from "effect"
import { Price, SwapStatus } from "#exports/domain.ts"
import { capabilitiesOf } from "#providers/near-intents/conditions.ts"
import { judgeOutcome } from "#application/swapping/following/judgeOutcome.ts"
import { contradictionIn, endOf, isRefund } from "#application/swapping/following/Progress.ts"
import { recordedOf } from "../recorded.ts"
import { plain, providerOver, reasonOf, type Reply } from "./fakeOneClick.ts"
import { channelId, expiry, opened, rows } from "./fixtures/records.ts"
import {
  credited,
  depositAddress,
  executed,
  paid,
  quote,
  refunded,
  seen,
  statusOf,
  updatedAt,
} from "./fixtures/status.ts"
import { swapRequest } from "./requests.ts"

const ask = (body: unknown, known = opened, now = updatedAt + 60_000) =>
  Effect.gen(function* () {
    const [provider, asked] = yield* providerOver({ status: { body } })
    yield* TestClock.setTime(now)
    const status = Option.getOrThrow(yield* toStatus(channelsOf(provider).status(channelId, known)))
    return { status, asked }
  }).pipe(
    collectLogs,
    Effect.map(({ value, lines }) => ({ ...value, lines })),
  )

const toJson = Schema.encodeSync(Schema.toCodecJson(SwapStatus))
const Members = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

const FailedBody = Schema.decodeUnknownSync(
  Schema.Struct({ swapDetails: Schema.Record(Schema.String, Schema.Unknown) }),
)

const parts = ["state", "swapId", "deposit", "swap", "swapEgress", "refundEgress", "fees"]

/** The parts that a status has besides those of the opening's record, as JSON. */
const partsOf = (status: SwapStatus): unknown =>
  Object.fromEntries(Object.entries(Members(toJson(status))).filter(([name]) => parts.includes(name)))

describe("1Click states", () => {
  it.effect.each(rows)("%s", function* ([, body, parts, line]) {
    const { status, lines } = yield* ask(body)
    assert.deepStrictEqual<unknown>(partsOf(status), parts)
    assert.deepStrictEqual(lines, line === undefined ? [] : [line])
    assert.strictEqual<number | undefined>(status.lastStateChainUpdateAt, updatedAt)
    assert.deepStrictEqual(status.depositChannel, opened.depositChannel)
    assert.deepStrictEqual(status.brokers, opened.brokers)
  })

  it.effect("no transaction on NEAR says anything: swaps are confidential there", function* () {
    for (const [name, body] of rows) {
      const { swapDetails = {}, ...rest } = Members(body)
      const details = typeof swapDetails === "object" ? swapDetails : {}
      for (const hashes of [[], null, ["shield", "unshield"], [{ hash: 7 }]]) {
        const told = { ...rest, swapDetails: { ...details, nearTxHashes: hashes, intentHashes: hashes } }
        assert.deepStrictEqual((yield* ask(told)).status, (yield* ask(body)).status, name)
      }
    }
  })

  it.effect("an oddity is told once: a record that has ended is looked up without another line", function* () {
    const odd = rows.filter(([, , , line]) => line?.includes("kept as a refund") === true)
    assert.isNotEmpty(odd)
    for (const [name, body, , line] of odd) {
      const first = yield* ask(body)
      assert.deepStrictEqual(first.lines, [line], name)
      const again = yield* ask(body, first.status)
      assert.deepStrictEqual(again.lines, [], name)
      assert.deepStrictEqual(again.status, first.status, name)
    }
  })

  it.effect("a state that nobody knows is kept as the last one, and logged", function* () {
    const known: SwapStatus = { ...opened, state: "sending", swapId: "4711" }
    const { status, lines } = yield* ask(statusOf("TELEPORTING", executed), known)
    assert.deepStrictEqual(status, known)
    assert.deepStrictEqual(lines, ["Kept the state sending: TELEPORTING is unknown"])
  })

  it.effect("what is on record keeps its time and its number", function* () {
    const { status: first } = yield* ask(statusOf("PROCESSING", credited))
    const later = { ...statusOf("REFUNDED", refunded), updatedAt: "2026-11-21T07:00:00.000Z" }
    const { status } = yield* ask(later, first)
    const laterAt = updatedAt + 3_600_000
    assert.strictEqual(status.swapId, "4711")
    assert.strictEqual<number | undefined>(status.deposit?.witnessedAt, updatedAt)
    const execution = status.swap?.execution
    const chunk = execution?._tag === "regular" ? execution.chunk : undefined
    assert.strictEqual<number | undefined>(chunk?.scheduledAt, updatedAt)
    assert.strictEqual<number | undefined>(chunk?.abortedAt, laterAt)
    assert.strictEqual<number | undefined>(status.refundEgress?.scheduledAt, laterAt)
    assert.notProperty(status, "swapEgress")
  })

  it.effect("a deposit is what was deposited, not what went into the swap or was quoted", function* () {
    for (const state of ["INCOMPLETE_DEPOSIT", "PROCESSING"]) {
      const { status } = yield* ask(
        statusOf(state, { ...seen, depositedAmount: "9950000", amountIn: "9940000" }),
      )
      assert.strictEqual<bigint | undefined>(status.deposit?.amount, 9_950_000n)
    }
  })

  it.effect("a deposit whose amount is not told yet is only expected, and is what is told then", function* () {
    const { status: expected } = yield* ask(statusOf("KNOWN_DEPOSIT_TX", seen))
    assert.strictEqual(expected.deposit?.isExpected, true)
    const incomplete = statusOf("INCOMPLETE_DEPOSIT", { ...seen, depositedAmount: "900" })
    const { status: told } = yield* ask(incomplete, expected)
    const { status: later } = yield* ask(statusOf("PROCESSING", seen), told)
    for (const { deposit } of [told, later]) {
      assert.strictEqual<bigint | undefined>(deposit?.amount, 900n)
      assert.notProperty(deposit, "isExpected")
    }
  })

  it.effect("a deposit in several transactions has all of them, and keeps the first", function* () {
    const hashes = (...names: ReadonlyArray<string>) => ({
      originChainTxHashes: names.map((hash) => ({ hash, explorerUrl: "" })),
    })
    const { status: first } = yield* ask(statusOf("INCOMPLETE_DEPOSIT", hashes("one")))
    assert.notProperty(first.deposit, "otherTransactionReferences")
    const { status } = yield* ask(statusOf("PROCESSING", hashes("three", "two", "one", "two")), first)
    assert.strictEqual(status.deposit?.transactionReference, "one")
    assert.deepStrictEqual(status.deposit?.otherTransactionReferences, ["three", "two"])
  })

  it.effect("an incomplete deposit with an amount that went back is that refund", function* () {
    const back = { ...seen, depositedAmount: "4000000", refundedAmount: "3998100" }
    const { status } = yield* ask(statusOf("INCOMPLETE_DEPOSIT", back))
    assert.deepStrictEqual([status.state, endOf(status)], ["completed", "refunded"])
    assert.strictEqual<bigint | undefined>(status.refundEgress?.amount, 3_998_100n)
    assert.isDefined(status.refundEgress?.witnessedAt)
    const { ends } = capabilitiesOf({ commissionBasis: "received" })
    assert.strictEqual(judgeOutcome(opened, status, ends)._tag, "Plausible")
    const { status: waiting } = yield* ask(
      statusOf("INCOMPLETE_DEPOSIT", { ...seen, depositedAmount: "4000000", refundedAmount: "0" }),
    )
    assert.strictEqual(waiting.state, "receiving")
  })

  it.effect("of a failure the part that went back is told, and one of nothing stays as it is", function* () {
    const back = { ...seen, depositedAmount: "10000000", refundedAmount: "4000000" }
    const { lines, status } = yield* ask(statusOf("FAILED", back))
    assert.strictEqual(status.state, "failed")
    assert.strictEqual<bigint | undefined>(status.refundEgress?.amount, 4_000_000n)
    assert.notProperty(status.refundEgress, "failure")
    assert.lengthOf(lines, 1)
    // A later refund of all takes the failure back.
    assert.isUndefined(contradictionIn(status, (yield* ask(statusOf("REFUNDED", refunded), status)).status))
    const { swapDetails } = FailedBody(
      recordedOf("near-intents")("near-failed-nothing-refunded-2026-09-15").body,
    )
    const { status: lost } = yield* ask(statusOf("FAILED", { ...seen, ...swapDetails }))
    assert.notProperty(lost, "refundEgress")
    assert.strictEqual(lost.deposit?.failure?.mode, "DEPOSIT_REJECTED")
  })

  it.effect("of a success the part that went back is told beside the payout", function* () {
    const { status } = yield* ask(statusOf("SUCCESS", { ...executed, ...paid, refundedAmount: "1200" }))
    assert.strictEqual(status.state, "completed")
    assert.isDefined(status.swapEgress)
    assert.strictEqual<bigint | undefined>(status.refundEgress?.amount, 1_200n)
  })

  it.effect("a refund costs what the quote said where the deposit is not told", function* () {
    const { status } = yield* ask(statusOf("REFUNDED", { refundedAmount: "7" }))
    assert.deepStrictEqual<unknown>(status.fees, [{ type: "refund", asset: "btc.btc", amount: 1_900n }])
  })
})

describe("A 1Click channel in time", () => {
  it.effect("is expired from its end on and not before, by the upstream's clock", function* () {
    const body = statusOf("PENDING_DEPOSIT")
    const before = yield* ask(body, opened, expiry - 1)
    const after = yield* ask(body, opened, expiry)
    assert.isFalse(before.status.depositChannel?.isExpired)
    assert.isTrue(after.status.depositChannel?.isExpired)
    assert.strictEqual(after.status.state, "waiting")
    const reply = { headers: { date: "Sun, 22 Nov 2026 09:00:00 GMT" }, body }
    const [provider] = yield* providerOver({ status: reply })
    const ahead = yield* toStatus(channelsOf(provider).status(channelId, opened))
    assert.isTrue(Option.getOrThrow(ahead).depositChannel?.isExpired)
  })

  const overdue = "A deposit was seen, but 1Click still waits for it past its own estimate"
  it.effect.each<readonly [name: string, details: object, minutes: number, lines: unknown]>([
    ["logged when a deposit was seen and the estimate is over", seen, 39, [overdue]],
    ["not logged before the estimate is over", seen, 38, []],
    ["not logged when nothing was seen", {}, 600, []],
  ])("that still waits is %s", function* ([, details, minutes, lines]) {
    const body = statusOf("PENDING_DEPOSIT", { ...details })
    assert.deepStrictEqual((yield* ask(body, opened, updatedAt + minutes * 60_000)).lines, lines)
  })
})

describe("A 1Click status", () => {
  it.effect("is asked for by the deposit address", function* () {
    const { asked } = yield* ask(statusOf("PENDING_DEPOSIT"))
    assert.deepInclude(
      asked.map(({ url }) => url.href),
      `http://one-click.test/near-intents/v0/status?depositAddress=${depositAddress}`,
    )
  })

  it.effect("is nothing while the address is not known (yet), and for a record without a channel", function* () {
    const [provider] = yield* providerOver({
      status: { status: 404, body: { message: "Deposit address not found" } },
    })
    assert.isTrue(Option.isNone(yield* channelsOf(provider).status(channelId, opened)))
    const { depositChannel: _, ...without } = opened
    assert.isTrue(Option.isNone(yield* channelsOf(provider).status(channelId, without)))
  })

  const { quoteRequest } = statusOf("SUCCESS").quoteResponse
  const other = (member: object) =>
    statusOf("SUCCESS", executed, { quoteRequest: { ...quoteRequest, ...member } })
  const terms = {
    ...opened,
    fillOrKill: {
      retryDurationBlocks: 150,
      minimumPrice: swapRequest.minimumPrice,
      refundAddress: swapRequest.refundAddress,
    },
  }
  const elsewhere = "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
  it.effect.each<readonly [name: string, body: unknown, term: string]>([
    [
      "is about another address",
      statusOf("SUCCESS", executed, { quote: { ...quote, depositAddress: elsewhere } }),
      "deposit address",
    ],
    ["is from another asset", other({ originAsset: "nep141:sol.omft.near" }), "source asset"],
    ["is to another asset", other({ destinationAsset: "nep141:sol.omft.near" }), "destination asset"],
    ["pays another", other({ recipient: `0x${"1".repeat(40)}` }), "destination address"],
    ["pays what is no address", other({ recipient: "<b>me</b>" }), "destination address"],
    ["refunds another", other({ refundTo: elsewhere }), "refund address"],
    ["is in a state that nobody knows, and pays another", {
      ...other({ recipient: `0x${"1".repeat(40)}` }),
      status: "TELEPORTING",
    }, "destination address"],
  ])("contradicts what is on record when it %s", function* ([, body, term]) {
    const { status } = yield* ask(body, terms)
    assert.strictEqual(
      contradictionIn(terms, status),
      `The upstream now reports a different ${term} than our record`,
    )
    assert.isUndefined(
      contradictionIn(terms, (yield* ask(statusOf("SUCCESS", { ...executed, ...paid }), terms)).status),
    )
  })

  it.effect("a success of a deposit of 0 is none, and one whose deposit is not told can be", function* () {
    const { ends } = capabilitiesOf({ commissionBasis: "received" })
    const minimumPrice = Price.make(BigDecimal.fromBigInt(29n))
    const limited = { ...terms, fillOrKill: { ...terms.fillOrKill, minimumPrice } }
    const judged = (details: object) =>
      Effect.map(
        ask(statusOf("SUCCESS", { ...executed, ...paid, ...details }), limited),
        ({ status }) => judgeOutcome(limited, status, ends)._tag,
      )
    assert.strictEqual(yield* judged({ depositedAmount: "0", amountIn: "0" }), "Disputed")
    assert.strictEqual(yield* judged({ depositedAmount: null, amountIn: "0" }), "Disputed")
    assert.strictEqual(yield* judged({ depositedAmount: null, amountIn: null }), "Plausible")
    assert.strictEqual(yield* judged({}), "Plausible")
    assert.strictEqual(yield* judged({ amountOut: "5" }), "Disputed")
  })

  it.effect("what was quoted is no payment of an order that was refunded, or whose success was a refund", function* () {
    const { ends } = capabilitiesOf({ commissionBasis: "received" })
    const back = { ...seen, depositedAmount: "10000000", refundedAmount: "9998100" }
    const quoted = { amountIn: "20000", amountOut: "10031752296" }
    for (const body of [statusOf("REFUNDED", { ...back, ...quoted }), statusOf("SUCCESS", back)]) {
      const { status } = yield* ask(body, terms)
      assert.strictEqual(judgeOutcome(terms, status, ends)._tag, "Plausible")
      assert.isTrue(isRefund(status))
      assert.strictEqual<bigint | undefined>(status.refundEgress?.amount, 9_998_100n)
    }
  })

  it.effect("contradicts nothing when it writes addresses in another case, or ids that nobody knows", function* () {
    const body = other({
      originAsset: "nep999:new.form",
      recipient: swapRequest.destinationAddress.toUpperCase().replace("0X", "0x"),
      refundTo: swapRequest.refundAddress.toUpperCase(),
    })
    const { status } = yield* ask({ ...body, status: "PROCESSING" }, terms)
    assert.isUndefined(contradictionIn(terms, status))
    assert.strictEqual(status.destinationAddress, terms.destinationAddress)
    assert.strictEqual(status.fillOrKill?.refundAddress, swapRequest.refundAddress)
  })

  it.effect.each<readonly [name: string, reply: Reply, detail: string]>([
    ["has another form", { body: { unexpected: "form" } }, "status: expected a value, got nothing"],
    [
      "has an amount that is none",
      { body: statusOf("SUCCESS", { amountOut: "3.0" }) },
      `swapDetails.amountOut: expected an amount (safe integer, 0x hex or digits), got "3.0"`,
    ],
    [
      "has a time that is none",
      { body: { ...statusOf("SUCCESS"), updatedAt: "yesterday" } },
      `updatedAt: expected an ISO 8601 time, got "yesterday"`,
    ],
  ])("is refused by its path when it %s", function* ([, status, detail]) {
    const [provider] = yield* providerOver({ status })
    const reason = yield* reasonOf(channelsOf(provider).status(channelId, opened))
    assert.deepStrictEqual(plain(reason), { _tag: "MalformedBody", detail, reached: true })
  })

  it.effect("may name assets by ids that are not in the catalogue any more", function* () {
    const { status } = yield* ask(other({ originAsset: "nep141:old-btc.near" }))
    assert.strictEqual(status.sourceAsset, "btc.btc")
  })
})
