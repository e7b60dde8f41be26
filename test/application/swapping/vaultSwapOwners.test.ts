import { assert } from "#test/support/it.ts"
import { Effect, Metric, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { PayloadMark } from "#domain/swaps/VaultSwap.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { OutboxRepo } from "#infrastructure/store/swaps/OutboxRepo.ts"
import { beforeAllEvents } from "#domain/swaps/SwapEvent.ts"
import { noBps } from "#domain/money/Bps.ts"
import { collectLogs } from "#test/support/collectLogs.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { swappingLayer } from "#test/support/swapping.ts"
import { vaultSwapStatus } from "#test/support/vaultSwap.ts"
import { begin, known, newRequest, newTransaction } from "./scriptedVaultSwaps.ts"

const fromBitcoin = () =>
  newRequest({
    sourceAsset: "btc.btc",
    refundAddress: Address.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
    sender: { _tag: "bitcoin" },
  })

/** A deposit that was seen at a time, with six confirmations. */
const seenAt = (millis: number, amount: NativeAmount): Partial<SwapStatus> => ({
  deposit: { amount, witnessedAt: EpochMillis.make(millis) },
  sourceChainRequiredBlockConfirmations: 6,
})

const mark = (text: string) => ({ mark: PayloadMark.make(text) })

onStores(swappingLayer)("The owner of a vault swap", (it) => {
  it.effect("stays, whatever others encode after its transaction with all that they read on the chain", function* () {
    const { encode, find, send } = yield* begin
    const thief = yield* newAccount
    const change = Address.make("bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw")
    const asked = fromBitcoin()
    const { fillOrKill } = vaultSwapStatus(asked, "receiving", "")
    assert.isDefined(fillOrKill)
    const sent = NativeAmount.make(asked.amount + 1n)
    const transaction = yield* send(asked, {
      deposit: { amount: sent },
      fillOrKill: { ...fillOrKill, refundAddress: change },
    })
    yield* TestClock.adjust("1 second")
    yield* encode({ ...asked, refundAddress: change }, thief)
    yield* encode({ ...asked, refundAddress: change, amount: sent }, thief)
    assert.isTrue(Option.isNone(yield* find(transaction, thief)))
    assert.isTrue(Option.isSome(yield* find(transaction)))
    assert.isTrue(Option.isNone(yield* find(transaction, thief)))
  })

  it.effect("is the account with the earliest payload, be another's amount nearer", function* () {
    const { encode, find, send } = yield* begin
    const earlier = yield* newAccount
    const asked = newRequest()
    yield* encode({ ...asked, amount: NativeAmount.make(5n) }, earlier)
    yield* TestClock.adjust("1 second")
    const transaction = yield* send(asked)
    assert.isTrue(Option.isNone(yield* find(transaction)))
    assert.isTrue(Option.isSome(yield* find(transaction, earlier)))
  })

  it.effect("does not become younger by asking for the same payload again", function* () {
    const { encode, find, send } = yield* begin
    const later = yield* newAccount
    const asked = newRequest()
    yield* encode(asked)
    yield* TestClock.adjust("1 second")
    yield* encode(asked, later)
    yield* TestClock.adjust("1 second")
    const transaction = yield* send(asked)
    assert.isTrue(Option.isNone(yield* find(transaction, later)))
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })

  it.effect("had the payload before the deposit, less what its confirmations took at least", function* () {
    const { encode, find, upstream } = yield* begin
    const ether = newRequest()
    yield* encode(ether)
    const encodedAt = yield* currentMillis
    yield* TestClock.adjust("2 minutes")
    // Six confirmations of Ethereum take a minute: the block with the deposit is the first.
    for (const [seen, isOlder] of [[59_999, false], [60_000, true]] as const) {
      const transaction = newTransaction()
      const more = seenAt(encodedAt + seen, ether.amount)
      upstream.says(transaction, known(vaultSwapStatus(ether, "swapping", transaction, more)))
      assert.strictEqual(Option.isSome(yield* find(transaction)), isOlder, `${seen}`)
    }
  })

  it.effect("loses nothing by Bitcoin's blocks that come in quick succession, nor by a boost", function* () {
    const { encode, find, upstream } = yield* begin
    const boost = { maximumBoostFeeBps: noBps, boostedAt: yield* currentMillis }
    for (const [asked, more] of [[fromBitcoin(), {}], [newRequest(), { boost }]] as const) {
      yield* encode(asked)
      const transaction = newTransaction(asked.sourceAsset)
      const seen = seenAt((yield* currentMillis) + 1_000, asked.amount)
      upstream.says(transaction, known(vaultSwapStatus(asked, "swapping", transaction, { ...seen, ...more })))
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Option.isSome(yield* find(transaction)), asked.sourceAsset)
    }
  })

  it.effect("is nobody where the only payload is younger than the deposit", function* () {
    const { encode, find, upstream } = yield* begin
    const asked = newRequest()
    const transaction = newTransaction()
    const failed = yield* currentMillis
    yield* TestClock.adjust("1 second")
    yield* encode(asked)
    const status = vaultSwapStatus(asked, "swapping", transaction)
    const seen = (deposit: SwapStatus["deposit"]) =>
      upstream.says(transaction, known({ ...status, ...(deposit === undefined ? {} : { deposit }) }))
    seen({ amount: asked.amount, witnessedAt: failed })
    assert.isTrue(Option.isNone(yield* find(transaction)))
    seen({ amount: asked.amount, failedAt: failed })
    assert.isTrue(Option.isNone(yield* find(transaction)))
    // What tells no time is being seen now.
    seen({ amount: asked.amount })
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })

  it.effect("is found by an upstream whose clock is behind ours", function* () {
    const { encode, find, upstream } = yield* begin
    yield* TestClock.adjust("1 hour")
    const asked = newRequest()
    yield* encode(asked)
    yield* TestClock.adjust("2 minutes")
    const now = yield* currentMillis
    // A deposit of a minute ago, by a clock that is behind by five, and one of a world with its own time.
    for (const behind of [300_000, 31_536_000_000]) {
      const transaction = newTransaction()
      const written = Math.max(70_000, now - behind)
      const more = {
        deposit: { amount: asked.amount, witnessedAt: EpochMillis.make(written - 60_000) },
        lastStateChainUpdateAt: EpochMillis.make(written),
      }
      upstream.says(transaction, known(vaultSwapStatus(asked, "swapping", transaction, more)))
      assert.isTrue(Option.isSome(yield* find(transaction)), `${behind}`)
    }
  })

  it.effect("is found by its mark where the upstream's numbers are coarser than ours", function* () {
    const { account, encode, find, upstream } = yield* begin
    const other = yield* newAccount
    const asked = newRequest({ sourceAsset: "usdc.eth" })
    const coarse: Partial<SwapStatus> = { deposit: { amount: NativeAmount.make(1n) } }
    upstream.marks = () => mark("another")
    yield* encode(asked, other)
    yield* TestClock.adjust("1 second")
    upstream.marks = () => mark("memo")
    yield* encode(asked)
    const transaction = newTransaction()
    const status = known(vaultSwapStatus(asked, "swapping", transaction, coarse))
    upstream.says(transaction, status)
    assert.isTrue(Option.isNone(yield* find(transaction)), "by comparison it is nobody's")
    upstream.says(transaction, status, PayloadMark.make("memo"))
    assert.isTrue(Option.isNone(yield* find(transaction, other)))
    const id = yield* find(transaction, account)
    assert.isTrue(Option.isSome(id))
  })

  it.effect("is not who copies its mark later, nor who has it for another pair or destination", function* () {
    const { encode, find, upstream } = yield* begin
    const [thief, stranger] = [yield* newAccount, yield* newAccount]
    const asked = newRequest()
    upstream.marks = () => mark("copied")
    yield* encode(newRequest(), stranger)
    yield* encode(asked)
    yield* TestClock.adjust("1 second")
    yield* encode(asked, thief)
    const transaction = newTransaction()
    const swapping = vaultSwapStatus(asked, "swapping", transaction)
    upstream.says(transaction, known(swapping), PayloadMark.make("copied"))
    assert.isTrue(Option.isNone(yield* find(transaction, stranger)))
    assert.isTrue(Option.isNone(yield* find(transaction, thief)))
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })

  it.effect("is asked for by the account's unused marks, the newest first, where the upstream knows no other way", function* () {
    const { encode, find, upstream } = yield* begin
    upstream.needsMarks = true
    const other = yield* newAccount
    upstream.marks = () => mark("another's")
    yield* encode(newRequest(), other)
    const asked = newRequest()
    const orders = Array.from({ length: 60 }, (_, index) => PayloadMark.make(`order ${index}`))
    for (const order of orders) {
      upstream.marks = () => ({ mark: order })
      yield* encode(asked)
      yield* TestClock.adjust("1 second")
    }
    const [first, second] = [newTransaction(), newTransaction()]
    assert.isTrue(Option.isNone(yield* find(first)))
    assert.deepStrictEqual(upstream.marksAsked.at(-1), orders.toReversed().slice(0, 50))
    const [latest = PayloadMark.make("none")] = orders.toReversed()
    upstream.says(second, known(vaultSwapStatus(asked, "receiving", second)), latest)
    assert.isTrue(Option.isSome(yield* find(second)))
    assert.isTrue(Option.isNone(yield* find(first)))
    assert.deepStrictEqual(upstream.marksAsked.at(-1), orders.toReversed().slice(1, 51))
    yield* TestClock.adjust("8 days")
    assert.isTrue(Option.isNone(yield* find(first)))
    assert.deepStrictEqual(upstream.marksAsked.at(-1), [])
  })

  it.effect("is compared where only one side has a mark", function* () {
    const { encode, find, send, upstream } = yield* begin
    const unmarked = newRequest()
    yield* encode(unmarked)
    const transaction = newTransaction()
    const receiving = vaultSwapStatus(unmarked, "receiving", transaction)
    upstream.says(transaction, known(receiving), PayloadMark.make("lone"))
    assert.isTrue(Option.isSome(yield* find(transaction)))
    upstream.marks = () => mark("lone, too")
    assert.isTrue(Option.isSome(yield* find(yield* send(newRequest()))))
  })

  it.effect("is who has its mark, be another payload without one earlier and as like", function* () {
    const { encode, find, upstream } = yield* begin
    const earlier = yield* newAccount
    const asked = newRequest()
    yield* encode(asked, earlier)
    yield* TestClock.adjust("1 second")
    upstream.marks = () => mark("decides first")
    yield* encode(asked)
    const transaction = newTransaction()
    const receiving = known(vaultSwapStatus(asked, "receiving", transaction))
    upstream.says(transaction, receiving, PayloadMark.make("decides first"))
    assert.isTrue(Option.isNone(yield* find(transaction, earlier)))
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })

  it.effect("is told to the operator, once, where payloads of several accounts fit", function* () {
    const { encode, find, send } = yield* begin
    const other = yield* newAccount
    const count = Effect.map(
      Metric.value(metrics.vaultSwapsContested({ provider: "second" })),
      ({ count }) => Number(count),
    )
    const before = yield* count
    const asked = newRequest()
    yield* encode(asked, other)
    const contested = yield* send(asked)
    const uncontested = yield* send(newRequest())
    const { lines } = yield* collectLogs(
      Effect.all([find(uncontested), find(contested), find(contested), find(contested, other)]),
    )
    assert.lengthOf(lines.filter((line) => /Payloads of 2 accounts fit/.test(`${line}`)), 1)
    assert.strictEqual(yield* count, before + 1)
  })

  it.effect("has nothing in its history by the question of a stranger", function* () {
    const { account, encode, find, send } = yield* begin
    const stranger = yield* newAccount
    yield* encode(newRequest(), stranger)
    const transaction = yield* send(newRequest())
    assert.isTrue(Option.isNone(yield* find(transaction, stranger)))
    const sql = yield* SqlClient.SqlClient
    assert.lengthOf(yield* sql`SELECT id FROM swaps WHERE account_id = ${account.id}`, 0)
    const outbox = yield* OutboxRepo
    assert.strictEqual(yield* outbox.latestId(account.id), beforeAllEvents)
    assert.isTrue(Option.isSome(yield* find(transaction)))
  })
})
