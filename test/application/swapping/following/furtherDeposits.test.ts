import { assert } from "#test/support/it.ts"
import { Effect, Metric, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { isSameSwap, type SwapStatus } from "#domain/swaps/Swap.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { type Observed, TransactionTrace } from "#providers/Provider.ts"
import { LaterSwapsRepo } from "#infrastructure/store/swaps/LaterSwapsRepo.ts"
import { SwapsRepo } from "#infrastructure/store/swaps/SwapsRepo.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { expired, openingRequest, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, statusMaxAge, swappingLayer } from "#test/support/swapping.ts"
import { newTransaction } from "../scriptedVaultSwaps.ts"

type State = SwapStatus["state"]

/** A channel of an account, at an upstream that tells one of its swaps and others beside. */
const begin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* TestClock.adjust("1 minute")
  const { first } = yield* scriptedProviders
  const account = yield* newAccount
  const swaps = yield* Swaps
  const { channel, id } = yield* swaps.open(account, openingRequest(first.name))
  const record = (yield* swaps.byId(account, id)).status.depositChannel
  const deposits = new Map<string, string>()
  /** The swap with this number as the upstream tells it, always of the same deposit, with a commission of its number. */
  const swap = (number: number, state: State, more: Partial<SwapStatus> = {}): SwapStatus => {
    const transaction = deposits.get(`${number}`) ?? newTransaction("btc.btc")
    deposits.set(`${number}`, transaction)
    const status = statusWithDeposit(state, transaction, { swapId: `${number}` })
    return {
      ...status,
      ...(record === undefined ? {} : { depositChannel: record }),
      ...(state === "completed"
        ? { fees: [{ type: "broker", asset: "usdc.eth", amount: NativeAmount.make(BigInt(number)) }] }
        : {}),
      ...more,
    }
  }
  const observed = (status: SwapStatus): Observed => ({ status, body: "{}" })
  /** The upstream's answers: one for each swap that is asked about, all others of the channel beside it. */
  let told: ReadonlyArray<SwapStatus> = []
  let isNewestOnly = false
  first.observing = (_, known) =>
    Effect.sync(() => {
      const newest = told.at(-1)
      const shown = isNewestOnly ? newest : told.find((one) => isSameSwap(known, one)) ?? newest
      return shown === undefined ? Option.none() : Option.some({
        ...observed(shown),
        ...(isNewestOnly ? {} : { others: told.filter((one) => one !== shown).map(observed) }),
      })
    })
  const look = Effect.fnUntraced(function* () {
    yield* TestClock.adjust(statusMaxAge)
    return yield* swaps.byChannel(account, channel.id)
  })
  const listed = Effect.map(
    swaps.history(account, {
      limit: 50,
      states: ["waiting", "receiving", "swapping", "completed", "failed"],
      sort: "ascending",
    }),
    ({ records }) => records.map(({ status: { state, swapId } }) => [swapId, state]),
  )
  const events = sql<{ swap_id: string; type: string }>`
    SELECT swap_id::text, type FROM outbox WHERE account_id = ${account.id} ORDER BY id`
  return {
    account,
    channel: channel.id,
    deposits,
    events,
    first,
    id,
    listed,
    look,
    newestOnly: () => {
      isNewestOnly = true
    },
    observed,
    says: (...statuses: ReadonlyArray<SwapStatus>) => {
      told = statuses
    },
    sql,
    swap,
    swaps,
  }
})

onStores(swappingLayer)("Further deposits to a channel", (it) => {
  it.effect("are swaps of their own: listed, found by their hashes, told and counted each", function* () {
    const { account, channel, deposits, events, id, listed, look, says, sql, swap, swaps } = yield* begin
    says(swap(7, "swapping"))
    assert.strictEqual((yield* look()).swapCount, 1)
    // The first is still swapped while the second begins.
    says(swap(7, "swapping"), swap(8, "receiving"))
    const second = yield* look()
    assert.deepStrictEqual([second.swapCount, second.status.swapId], [2, "8"])
    says(swap(7, "completed"), swap(8, "completed"), swap(9, "completed"))
    yield* look()
    const third = yield* look()
    assert.deepStrictEqual([third.swapCount, third.status.swapId], [3, "9"])
    assert.deepStrictEqual(third.status.depositChannel?.id, channel)
    assert.deepStrictEqual(yield* listed, [["7", "completed"], ["8", "completed"], ["9", "completed"]])
    assert.strictEqual((yield* swaps.byId(account, id)).status.swapId, "7")
    for (const [number, transaction] of deposits) {
      const found = yield* swaps.byTransaction(account, transaction)
      assert.strictEqual(found.status.swapId, number)
    }
    const ends = (yield* events).filter(({ type }) => type === "swap.completed")
    assert.strictEqual(new Set(ends.map(({ swap_id }) => swap_id)).size, 3)
    assert.lengthOf(ends, 3)
    const sums = yield* sql`
            SELECT sum(amount)::int AS amount, sum(swaps)::int AS swaps FROM commission_days
            WHERE account_id = ${account.id}`
    assert.deepStrictEqual(sums, [{ amount: 7 + 8 + 9, swaps: 3 }])
    const journals = yield* sql`
            SELECT kind FROM swap_journal JOIN swaps ON swaps.id = swap_id
            WHERE account_id = ${account.id} AND swap_id > ${id} AND kind = 'found'`
    assert.lengthOf(journals, 2)
  })

  it.effect("are found when the upstream tells the newest only, after the first has ended", function* () {
    const { account, id, listed, look, newestOnly, says, swap, swaps } = yield* begin
    newestOnly()
    says(swap(7, "completed"))
    yield* look()
    says(swap(9, "swapping"))
    assert.strictEqual((yield* look()).status.swapId, "9")
    says(expired(swap(10, "completed")))
    yield* look()
    yield* look()
    assert.deepStrictEqual((yield* listed).map(([number]) => number), ["7", "9", "10"])
    const { status } = yield* swaps.byId(account, id)
    assert.deepStrictEqual([status.swapId, status.depositChannel?.isExpired], ["7", true])
  })

  it.effect("are each recorded once, however often, in whatever order and by whomever they are seen", function* () {
    const { account, events, first, id, listed, look, observed, says, swap } = yield* begin
    says(swap(7, "completed"))
    yield* look()
    const of = { id, platform: first.name, accountId: account.id }
    const repo = yield* LaterSwapsRepo
    const { status } = observed(swap(8, "swapping"))
    const found = {
      status: status.depositChannel === undefined
        ? status
        : { ...status, depositChannel: { ...status.depositChannel, isLater: true as const } },
      body: { text: "{}", length: 2 },
      askedAt: (yield* look()).standing.lookedUpAt,
      nextLookupAt: Option.none(),
      stallsAt: Option.none(),
      events: ["swap.swapping" as const],
    }
    const written = yield* Effect.all(
      Array.from({ length: 6 }, () => repo.record(of, found)),
      { concurrency: "unbounded" },
    )
    assert.lengthOf(written.filter(Option.isSome), 1)
    // The same without its number yet: it is known by its deposit.
    const { swapId: _, ...pending } = status
    assert.isTrue(Option.isSome(yield* repo.find(id, pending)))
    says(swap(8, "swapping"), swap(7, "completed"), swap(8, "swapping"), swap(8, "swapping"))
    yield* look()
    yield* look()
    assert.deepStrictEqual(yield* listed, [["7", "completed"], ["8", "swapping"]])
    assert.lengthOf((yield* events).filter(({ type }) => type === "swap.swapping"), 1)
  })

  it.effect("are seen once by two look-ups of the channel's swaps at the same moment", function* () {
    const { account, id, listed, look, newestOnly, says, swap, swaps } = yield* begin
    says(swap(7, "completed"), swap(8, "swapping"))
    yield* look()
    const second = yield* look()
    newestOnly()
    says(swap(9, "swapping"))
    yield* TestClock.adjust(statusMaxAge)
    yield* Effect.all([swaps.byId(account, id), swaps.byId(account, second.id)], { concurrency: "unbounded" })
    assert.deepStrictEqual(yield* listed, [["7", "completed"], ["8", "swapping"], ["9", "swapping"]])
  })

  it.effect("are none where the upstream shows a swap of somebody else's channel or address", function* () {
    const { first, listed, look, says, swap } = yield* begin
    const counted = Effect.map(
      Metric.value(metrics.contradictions({ provider: first.name })),
      ({ count }) => count,
    )
    const ours = swap(7, "swapping")
    says(ours)
    yield* look()
    const before = yield* counted
    const { depositChannel, ...channelless } = swap(8, "swapping")
    assert.isDefined(depositChannel)
    says(
      swap(7, "completed"),
      { ...channelless, depositChannel: { ...depositChannel, depositAddress: Address.make("theirs") } },
      { ...channelless, destinationAddress: Address.make(`0x${"9".repeat(40)}`), depositChannel },
      channelless,
    )
    yield* look()
    // What is ours goes on all the same.
    assert.deepStrictEqual(yield* listed, [["7", "completed"]])
    assert.strictEqual(Number(yield* counted) - Number(before), 3)
  })

  it.effect("begin as what is swapped where their end cannot be or is not proved, and are disputed like others", function* () {
    const { events, listed, look, says, swap } = yield* begin
    says(swap(7, "completed"))
    yield* look()
    const unpaid = swap(8, "completed", {
      swapEgress: { amount: NativeAmount.make(1n), transactionReference: "0xpaid" },
    })
    says(swap(7, "completed"), unpaid)
    yield* look()
    assert.deepStrictEqual(yield* listed, [["7", "completed"], ["8", "swapping"]])
    yield* look()
    assert.deepStrictEqual(yield* listed, [["7", "completed"], ["8", "swapping"]])
    assert.lengthOf((yield* events).filter(({ type }) => type === "swap.disputed"), 1)
  })

  it.effect("are found by their hashes before the channel shows them, by their own account alone", function* () {
    const { account, channel, deposits, first, id, listed, look, observed, says, swap } = yield* begin
    says(swap(7, "completed"))
    yield* look()
    const { swapId: _, ...pending } = swap(8, "receiving")
    const transaction = deposits.get("8") ?? ""
    first.findTransaction = (asked) =>
      Effect.succeed(
        asked === transaction
          ? Option.some(TransactionTrace.Deposit({ channel, said: observed(pending) }))
          : Option.none(),
      )
    const find = (yield* VaultSwaps).byTransaction
    assert.strictEqual((yield* Effect.flip(find(yield* newAccount, transaction)))._tag, "SwapNotFound")
    assert.deepStrictEqual(yield* listed, [["7", "completed"]])
    const found = yield* find(account, transaction)
    assert.notStrictEqual(found.id, id)
    assert.strictEqual(found.status.state, "receiving")
    says(swap(7, "completed"), swap(8, "swapping"))
    yield* look()
    yield* look()
    assert.deepStrictEqual(yield* listed, [["7", "completed"], ["8", "swapping"]])
  })

  it.effect("are looked up no longer than until their own end; the first looks out until the channel's", function* () {
    const { account, channel, look, says, swap } = yield* begin
    says(swap(7, "completed"), swap(8, "completed"))
    yield* look()
    yield* look()
    const stored = yield* (yield* SwapsRepo).byChannel(account.id, channel)
    const { first, latest } = Option.getOrThrow(stored)
    assert.deepStrictEqual([first.followed, latest.followed], [true, false])
  })
})
