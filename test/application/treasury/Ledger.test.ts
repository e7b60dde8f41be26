import { assert } from "#test/support/it.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { ProviderName } from "#domain/ProviderName.ts"
import { TimedOut } from "#domain/ProviderError.ts"
import { Comparison } from "#domain/operations/Treasury.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { LedgerRepo } from "#infrastructure/store/treasury/LedgerRepo.ts"
import { Decisions } from "#application/treasury/Decisions.ts"
import { BalanceReads } from "#application/treasury/BalanceReads.ts"
import { Treasury } from "#application/treasury/Treasury.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import {
  fails,
  followed,
  freshKey,
  operator,
  type ScriptedTreasury,
  scriptedTreasury,
  theirs,
  treasuryWith,
} from "#test/support/treasury.ts"

const first = ProviderName.make("first")

interface Swap {
  readonly state?: string
  readonly swapId?: string
  readonly fees?: ReadonlyArray<readonly [type: string, asset: string, amount: bigint]>
  /** Whether the swap is followed, and was looked up long ago. */
  readonly isUnderWay?: boolean
}

const statusOf = ({ fees = [], state = "completed", swapId = "1" }: Swap): string =>
  JSON.stringify({
    state,
    swapId,
    fees: fees.map(([type, asset, amount]) => ({ type, asset, amount: `${amount}` })),
  })

/** A swap as it is recorded; gives its id. */
const record = Effect.fnUntraced(function* (swap: Swap, platform = "first") {
  const sql = yield* SqlClient.SqlClient
  const { id: account } = yield* newAccount
  const due = swap.isUnderWay === true ? new Date(1_000) : null
  const [row] = yield* sql<{ id: bigint }>`
    INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at, next_lookup_at)
    VALUES (${account}, ${platform}, 'opened', '{}'::jsonb, ${swap.state ?? "completed"}, ${
    statusOf(swap)
  }::jsonb,
      now(), now(), ${due})
    RETURNING id`
  return row?.id ?? assert.fail("Nothing was recorded")
})

const change = Effect.fnUntraced(function* (id: bigint, swap: Swap) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE swaps SET state = ${swap.state ?? "completed"}, status = ${
    statusOf(swap)
  }::jsonb, next_lookup_at = NULL
    WHERE id = ${id}`
})

const earned = Effect.fnUntraced(function* (platform: string) {
  const ledger = yield* LedgerRepo
  const sums = yield* ledger.earned(ProviderName.make(platform))
  yield* ledger.fold
  assert.deepStrictEqual(yield* ledger.earned(ProviderName.make(platform)), sums)
  return Object.fromEntries(sums)
})

const broker = (amount: bigint) => ["broker", "usdc.eth", amount] as const

/** Looks at the account, as happens every ten seconds. */
const look = Effect.fnUntraced(function* (times = 1) {
  const looks = yield* BalanceReads
  for (let time = 0; time < times; time++) {
    yield* TestClock.adjust("10 seconds")
    yield* looks.round
  }
  return (yield* (yield* Treasury).mismatches).map(({ asset, earned, ledger }) => [asset, earned, ledger])
})

let accountCount = 0

/** A new account of the operator, whose ledger begins with what it has. */
const begin = Effect.fnUntraced(function* (has = 0n) {
  const upstream = yield* scriptedTreasury(has)
  const account = `operator-${++accountCount}`
  const truth = upstream.account
  upstream.account = Effect.map(truth, (said) => ({ ...said, account }))
  assert.deepStrictEqual(yield* look(), [])
  return upstream
})

const earn = (upstream: ScriptedTreasury, amount: bigint) =>
  Effect.sync(() => upstream.earned.set("usdc.eth", (upstream.earned.get("usdc.eth") ?? 0n) + amount))

onStores(treasuryWith())("The ledger", (it) => {
  it.effect("counts the broker fees of the latest record of each swap, in whatever state", function* () {
    yield* record({
      fees: [broker(3n), broker(4n), ["network", "usdc.eth", 90n], ["broker", "btc.btc", 1n]],
    }, "a")
    yield* record({ state: "failed", fees: [broker(10n)] }, "a")
    const moving = yield* record({ state: "swapping", fees: [broker(100n)] }, "a")
    yield* record({ fees: [broker(1_000n)] }, "b")
    assert.deepStrictEqual(yield* earned("a"), { "usdc.eth": 117n, "btc.btc": 1n })
    yield* change(moving, { state: "swapping", fees: [broker(150n)] })
    assert.deepStrictEqual(yield* earned("a"), { "usdc.eth": 167n, "btc.btc": 1n })
    // A correction to less, or to nothing, and a second swap of the same channel.
    yield* change(moving, { fees: [broker(120n)] })
    yield* change(moving, { swapId: "2", fees: [["broker", "btc.btc", 5n]] })
    assert.deepStrictEqual(yield* earned("a"), { "usdc.eth": 137n, "btc.btc": 6n })
    yield* change(moving, { swapId: "2", fees: [] })
    assert.deepStrictEqual(yield* earned("a"), { "usdc.eth": 137n, "btc.btc": 1n })
  })

  it.effect("begins with what the account has, and agrees while swaps earn", function* () {
    const upstream = yield* begin(1_000n)
    yield* earn(upstream, 30n)
    yield* record({ fees: [broker(30n)] })
    assert.deepStrictEqual(yield* look(3), [])
    const [standing] = yield* (yield* Treasury).all
    const usdc = standing?.assets.find(({ asset }) => asset === "usdc.eth")
    assert.deepStrictEqual([usdc?.earned, usdc?.ledger], [1_030n, 1_030n])
  })

  it.effect("counts what affiliates have", function* () {
    const upstream = yield* begin()
    yield* upstream.affiliates.register(theirs)
    const [affiliate] = upstream.ofAffiliates
    if (affiliate === undefined) return assert.fail("No affiliate")
    affiliate.earned = 40n
    yield* earn(upstream, 60n)
    yield* record({ fees: [broker(100n)] })
    assert.deepStrictEqual(yield* look(3), [])
  })

  it.effect("tells of one unit too much at the second look, and until an entry explains it", function* () {
    const upstream = yield* begin()
    yield* earn(upstream, 1n)
    assert.deepStrictEqual(yield* look(), [])
    const [mismatch] = yield* look()
    assert.deepStrictEqual([mismatch?.[0], Number(mismatch?.[1]) - Number(mismatch?.[2])], ["usdc.eth", 1])
    const entry = { platform: first, asset: "usdc.eth", amount: 1n, reason: "another's vault swap" } as const
    yield* (yield* Treasury).enter(entry, operator)
    assert.deepStrictEqual(yield* look(), [])
    const [audited] = yield* (yield* AuditRepo).entries({ limit: 1 })
    assert.deepStrictEqual<unknown>(audited?.change, {
      action: "ledger.entered",
      platform: "first",
      after: { asset: "usdc.eth", amountNative: "1", reason: "another's vault swap" },
    })
  })

  it.effect("waits for swaps that may explain a surplus, for fifteen minutes", function* () {
    const upstream = yield* begin()
    const moving = yield* record({ state: "swapping", isUnderWay: true })
    yield* earn(upstream, 5n)
    assert.deepStrictEqual(yield* look(10), [])
    yield* change(moving, { fees: [broker(5n)] })
    assert.deepStrictEqual(yield* look(3), [])
    const stuck = yield* record({ state: "swapping", isUnderWay: true })
    yield* earn(upstream, 5n)
    assert.deepStrictEqual(yield* look(60), [])
    assert.strictEqual((yield* look(32)).length, 1)
    yield* change(stuck, { fees: [broker(5n)] })
    assert.deepStrictEqual(yield* look(), [])
  })

  it.effect("tells of a withdrawal by other means, and not of our own", function* () {
    const upstream = yield* begin(100n)
    yield* (yield* Withdrawals).order({ provider: "first", asset: "usdc.eth" }, freshKey(), operator)
    assert.strictEqual(upstream.paid.length, 1)
    assert.deepStrictEqual(yield* look(5), [])
    yield* followed
    yield* earn(upstream, 50n)
    yield* record({ fees: [broker(50n)] })
    assert.deepStrictEqual(yield* look(2), [])
    yield* earn(upstream, -20n)
    assert.deepStrictEqual(yield* look(), [])
    assert.strictEqual((yield* look()).length, 1)
    yield* earn(upstream, 20n)
    assert.deepStrictEqual(yield* look(), [])
  })

  it.effect("leaves an asset alone whose order has no answer yet", function* () {
    const upstream = yield* begin(100n)
    upstream.after = fails(new TimedOut({ detail: "no answer", reached: true }))
    const { withdrawal } = yield* (yield* Withdrawals).order(
      { provider: "first", asset: "usdc.eth" },
      freshKey(),
      operator,
    )
    assert.strictEqual(withdrawal.state, "unknown")
    assert.deepStrictEqual(yield* look(5), [])
    yield* (yield* Decisions).decide(withdrawal.id, "paid", "seen on the chain", operator)
    assert.deepStrictEqual(yield* look(5), [])
  })

  it.effect("says nothing where the two cannot be compared, and of a node that is behind", function* () {
    const upstream = yield* begin()
    yield* earn(upstream, 5n)
    upstream.more = { inSync: false }
    assert.deepStrictEqual(yield* look(5), [])
    upstream.more = {}
    upstream.comparison = Comparison.Untold({ reason: "it keeps a half" })
    assert.deepStrictEqual(yield* look(5), [])
  })
})
