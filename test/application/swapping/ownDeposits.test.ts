import { assert } from "#test/support/it.ts"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Caller } from "#domain/accounts/Account.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { UpstreamFailed } from "#domain/ProviderError.ts"
import { TransactionTrace } from "#providers/Provider.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { openingRequest, statusIn, statusWithDeposit } from "#test/support/swap.ts"
import { scriptedProviders, swappingLayer } from "#test/support/swapping.ts"
import { known, newTransaction } from "./scriptedVaultSwaps.ts"

/** A provider that finds channels by deposits, an account with channels that wait there, and its questions. */
const begin = Effect.fnUntraced(function* (channels: number) {
  const sql = yield* SqlClient.SqlClient
  yield* TestClock.adjust("1 minute")
  const { first, second } = yield* scriptedProviders
  const swaps = yield* Swaps
  const vaultSwaps = yield* VaultSwaps
  const account = yield* newAccount
  const open = (by: Caller) => swaps.open(by, openingRequest(first.name))
  const opened = yield* Effect.replicateEffect(channels)(open(account))
  const [oldest] = opened
  assert.isDefined(oldest)
  first.otherwise = known(statusIn("waiting"))
  const asked: Array<string> = []
  const traces = new Map<string, ChannelId>()
  first.findTransaction = (transaction) =>
    Effect.sync(() => {
      asked.push(transaction)
      return Option.map(
        Option.fromUndefinedOr(traces.get(transaction)),
        (channel) => TransactionTrace.Deposit({ channel }),
      )
    })
  /** The upstream sees a deposit to a channel; its transaction. */
  const deposit = (channel: ChannelId) => {
    const transaction = newTransaction("btc.btc")
    traces.set(transaction, channel)
    first.says(channel, known(statusWithDeposit("receiving", transaction)))
    return transaction
  }
  /** The swap as an account sees it by its transaction, its id and state; nothing where it sees none. */
  const find = (transaction: string, by: Caller = account) =>
    vaultSwaps.byTransaction(by, transaction).pipe(
      Effect.map(({ id, status }) => ({ id, state: status.state })),
      Effect.catchTag("SwapNotFound", () => Effect.undefined),
    )
  /** Everything that a look-up could write, but for when it was made. */
  const written = Effect.all([
    sql`SELECT id, account_id, state, status, looked_up_at, asked_at FROM swaps ORDER BY id`,
    sql`SELECT * FROM swap_deposits ORDER BY swap_id, transaction_reference`,
    sql`SELECT count(*)::int AS entries FROM swap_journal`,
    sql`SELECT count(*)::int AS events FROM outbox`,
  ])
  return { account, asked, deposit, find, first, oldest, open, second, swaps, traces, written }
})

onStores(swappingLayer)("A deposit to one's own channel", (it) => {
  it.effect("is found by one question, however many channels wait and however fresh the record is", function* () {
    const { account, asked, deposit, find, first, oldest, swaps, written } = yield* begin(300)
    const transaction = deposit(oldest.channel.id)
    const before = yield* written
    assert.deepStrictEqual(yield* find(transaction), { id: oldest.id, state: "receiving" })
    assert.deepStrictEqual(asked, [transaction])
    assert.deepStrictEqual(first.lookups, [oldest.channel.id])
    const [, deposits, [journal], [outbox]] = yield* written
    assert.lengthOf(deposits, before[1].length + 1)
    assert.notDeepEqual([journal, outbox], [before[2][0], before[3][0]])
    // From then on it is in the records.
    assert.strictEqual((yield* swaps.byTransaction(account, transaction)).id, oldest.id)
    assert.deepStrictEqual(yield* find(transaction), { id: oldest.id, state: "receiving" })
    assert.lengthOf(asked, 1)
  })

  it.effect("is found however its hash is written, and when the channel was used before", function* () {
    const { account, asked, deposit, find, first, oldest, swaps } = yield* begin(1)
    const { id, channel } = oldest
    const earlier = deposit(channel.id)
    first.says(channel.id, known(statusWithDeposit("completed", earlier, { swapId: "7" })))
    assert.deepStrictEqual(yield* find(`0x${earlier.toUpperCase()}`), { id, state: "completed" })
    const later = deposit(channel.id)
    first.says(channel.id, known(statusWithDeposit("swapping", later, { swapId: "8" })))
    const further = yield* find(later)
    assert(further !== undefined)
    assert.strictEqual(further.state, "swapping")
    assert.deepStrictEqual(asked, [earlier, later])
    assert.deepStrictEqual(yield* find(earlier), { id, state: "completed" })
    assert.strictEqual((yield* swaps.byId(account, id)).status.swapId, "7")
    assert.strictEqual((yield* swaps.byChannel(account, channel.id)).id, further.id)
  })

  it.effect("is nothing to a stranger: the same answer and cost as of one that is nobody's, and nothing written", function* () {
    const { asked, deposit, find, first, oldest, open, traces, written } = yield* begin(1)
    const stranger = yield* newAccount
    yield* open(stranger)
    const transaction = deposit(oldest.channel.id)
    const ofNobody = newTransaction("btc.btc")
    traces.set(ofNobody, { ...oldest.channel.id, channelId: 2_000_000_000 })
    const before = yield* written
    for (const [asks, foreign] of [transaction, ofNobody, transaction, ofNobody].entries()) {
      assert.isUndefined(yield* find(foreign, stranger))
      assert.lengthOf(asked, asks + 1)
    }
    assert.deepStrictEqual(yield* written, before)
    assert.lengthOf(first.lookups, 0)
    assert.deepStrictEqual(yield* find(transaction), { id: oldest.id, state: "receiving" })
  })

  it.effect("is not looked for with an account that has no channel there, nor by what is no transaction", function* () {
    const { asked, deposit, find, oldest } = yield* begin(1)
    assert.isUndefined(yield* find(deposit(oldest.channel.id), yield* newAccount))
    for (const text of ["1000001", "100-Bitcoin-1", "../networkInfo"]) {
      assert.isUndefined(yield* find(text))
    }
    assert.lengthOf(asked, 0)
  })

  it.effect("is not known yet: that is asked within the budget, and costs the waiting channels nothing", function* () {
    const { asked, find, first } = yield* begin(20)
    for (const _ of [1, 2]) assert.isUndefined(yield* find(newTransaction("btc.btc")))
    assert.lengthOf(asked, 2)
    assert.lengthOf(first.lookups, 0)
  })

  it.effect("is found among the waiting channels once the budget for hashes is spent", function* () {
    const { account, asked, deposit, find, oldest, swaps, traces } = yield* begin(10)
    // An upstream that was never heard of a channel may not know it, which costs the same budget.
    yield* TestClock.adjust("1 minute")
    yield* swaps.byId(account, oldest.id)
    for (const _ of [1, 2, 3, 4]) assert.isUndefined(yield* find(newTransaction("btc.btc")))
    const seen = deposit(oldest.channel.id)
    traces.delete(seen)
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* find(seen), { id: oldest.id, state: "receiving" })
    assert.lengthOf(asked, 4, "by hash no more than there is budget for")
  })

  it.effect("is shown as it is recorded where the channel itself cannot be looked up", function* () {
    const { deposit, find, first, oldest } = yield* begin(1)
    const transaction = deposit(oldest.channel.id)
    first.says(oldest.channel.id, Effect.fail(first.fails(new UpstreamFailed({ detail: "down" }))))
    assert.deepStrictEqual(yield* find(transaction), { id: oldest.id, state: "waiting" })
    yield* find(transaction)
    assert.strictEqual(first.lookupsOf(oldest.channel.id), 1, "it fails, and rests")
  })

  it.effect("keeps what was agreed: an answer on other terms is not believed", function* () {
    const { deposit, find, first, oldest } = yield* begin(1)
    const transaction = deposit(oldest.channel.id)
    const other = { ...statusWithDeposit("receiving", transaction), destinationAsset: "usdc.eth" } as const
    first.says(oldest.channel.id, known(other))
    assert.deepStrictEqual(yield* find(transaction), { id: oldest.id, state: "waiting" })
  })

  it.effect("is looked for in turn only at providers that cannot be asked by a transaction", function* () {
    const { account, asked, find, first, second, swaps } = yield* begin(3)
    const { channel, id } = yield* swaps.open(account, openingRequest(second.name))
    const transaction = newTransaction("btc.btc")
    second.says(channel.id, known(statusWithDeposit("receiving", transaction)))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* find(transaction), { id, state: "receiving" })
    assert.deepStrictEqual(asked, [transaction])
    assert.lengthOf(first.lookups, 0)
    assert.strictEqual(second.lookupsOf(channel.id), 1)
  })
})
