import { assert, layer } from "#test/support/it.ts"
import { Effect, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountName, Caller } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { CommissionKey, type CommissionSum, type SwapOutcome } from "#domain/operations/Business.ts"
import { chargedOf, type Commission, commissionsOf, UtcDay } from "#domain/money/Commission.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { CommissionsRepo } from "#infrastructure/store/accounts/CommissionsRepo.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { exportRows, importRows } from "#infrastructure/store/database/transfer/rows.ts"
import { MovesRepo } from "#infrastructure/store/swaps/MovesRepo.ts"
import { forgetAccounts } from "#test/support/forgetAccounts.ts"
import { newAccount, servers, stores, type TestStore } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { changeSwap, insertSwap } from "./support.ts"

const year = { from: UtcDay.make("2026-01-01"), to: UtcDay.make("2026-12-31") }
const always = { from: EpochMillis.make(0), before: EpochMillis.make(Date.parse("2100-01-01T00:00:00Z")) }
const platforms = ["chainflip", "near-intents", "relay"]
const assets: ReadonlyArray<AssetId> = ["usdc.eth", "btc.btc", "eth.eth"]
const most = 2n ** 128n - 1n

/** Numbers that look random, the same in each run. */
const numbersFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}
type Random = ReturnType<typeof numbersFrom>

const pick = <A>(random: Random, items: ReadonlyArray<A>): A => {
  const item = items[random(items.length)]
  assert.isDefined(item)
  return item
}

/** A status as any upstream may tell it, of the first swap of a channel or of a later one. */
const anyStatus = (random: Random): SwapStatus => {
  const paidAt = EpochMillis.make(Date.parse("2026-02-01T00:00:00Z") + random(40) * 3_600_000 * 7)
  const amount = NativeAmount.make(random(5) === 0 ? most : BigInt(random(1_000)))
  const egress = { amount: NativeAmount.make(9n), transactionReference: "0x1", witnessedAt: paidAt }
  const state = pick(
    random,
    ["waiting", "swapping", "completed", "completed", "completed", "failed"] as const,
  )
  return statusIn("waiting", {
    state,
    ...random(4) === 0 ? {} : { swapId: `${random(3)}` },
    sourceAsset: pick(random, assets),
    ...random(3) === 0 ? {} : { deposit: { amount } },
    ...random(3) === 0 ? {} : { swapEgress: egress },
    ...random(4) === 0 ? { refundEgress: egress } : {},
    fees: Array.from({ length: random(4) }, () => ({
      type: pick(random, ["broker", "broker", "network", "provider"] as const),
      asset: pick(random, assets),
      amount,
      ...random(3) === 0 ? { isEstimate: true as const } : {},
    })),
  })
}

/** What a swap should have come to, told by its statuses alone. */
interface Expected {
  readonly id: SwapRecordId
  readonly platform: string
  owner: Caller
  status: SwapStatus
  readonly earned: Map<string, Commission & { readonly day: string }>
  readonly ends: Map<
    string,
    { readonly asset: AssetId; readonly outcome: SwapOutcome; readonly amount: bigint }
  >
}

const outcomeOf = (status: SwapStatus): SwapOutcome => {
  const { refundEgress, state, swapEgress } = status
  if (state === "failed") return refundEgress === undefined ? "failed" : "refunded"
  return refundEgress !== undefined && swapEgress === undefined ? "refunded" : "completed"
}

const isEnded = ({ state }: SwapStatus) => state === "completed" || state === "failed"

/** Notes a status that was written after another. */
const expect = (swap: Expected, before: Option.Option<SwapStatus>, status: SwapStatus) => {
  const upstream = status.swapId ?? ""
  if (isEnded(status)) {
    swap.ends.set(upstream, {
      asset: status.sourceAsset,
      outcome: outcomeOf(status),
      amount: status.deposit?.amount ?? 0n,
    })
  } else if (Option.exists(before, isEnded)) swap.ends.delete(upstream)
  if (status.state === "completed" && status.swapEgress?.witnessedAt !== undefined) {
    const day = new Date(status.swapEgress.witnessedAt).toISOString().slice(0, 10)
    for (const one of commissionsOf(status)) {
      if (chargedOf(one) > 0n) swap.earned.set(`${upstream} ${one.asset}`, { ...one, day })
    }
  }
  swap.status = status
}

const begin = Effect.fnUntraced(function* (random: Random, owners: ReadonlyArray<Caller>) {
  const owner = pick(random, owners)
  const status = anyStatus(random)
  const platform = pick(random, platforms)
  const id = yield* insertSwap({ account: owner.id, platform, status, isOpen: random(2) === 0 })
  const swap: Expected = { id, platform, owner, status, earned: new Map(), ends: new Map() }
  expect(swap, Option.none(), status)
  return swap
})

const advance = Effect.fnUntraced(function* (random: Random, swap: Expected, owners: ReadonlyArray<Caller>) {
  if (random(6) > 0) {
    const status = anyStatus(random)
    yield* changeSwap(swap.id, status)
    return expect(swap, Option.some(swap.status), status)
  }
  const to = pick(random, owners)
  const sql = yield* SqlClient.SqlClient
  const moves = yield* MovesRepo
  yield* sql.withTransaction(Effect.gen(function* () {
    const locked = yield* Effect.fromOption(yield* moves.lock(swap.id))
    yield* moves.move(locked, to.id, EpochMillis.make(0))
  }))
  swap.owner = to
})

/** Sums by a text for their keys. */
const summed = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string, amountOf: (row: A) => bigint) => {
  const sums = new Map<string, readonly [amount: bigint, swaps: number]>()
  for (const row of rows) {
    const [amount, swaps] = sums.get(keyOf(row)) ?? [0n, 0]
    sums.set(keyOf(row), [amount + amountOf(row), swaps + 1])
  }
  return Object.fromEntries([...sums].toSorted(([one], [other]) => one < other ? -1 : 1))
}

const asObject = (rows: ReadonlyArray<readonly [key: string, amount: bigint, swaps: number]>) =>
  Object.fromEntries(
    rows.map(([key, amount, swaps]) => [key, [amount, swaps]] as const).toSorted(([one], [other]) =>
      one < other ? -1 : 1
    ),
  )

const keyOfAll = (
  { account, asset, day, platform }: Pick<CommissionSum, "account" | "asset" | "day" | "platform">,
) => `${account} ${platform} ${asset} ${day}`

/** Asserts that every sum over these accounts is that of their swaps. */
const assertSums = Effect.fnUntraced(
  function* (swaps: ReadonlyArray<Expected>, owners: ReadonlyArray<Caller>) {
    const repo = yield* SumsRepo
    const commissions = yield* CommissionsRepo
    const names = new Set<AccountName>(owners.map(({ name }) => name))
    const earned = swaps.flatMap(({ earned, owner, platform }) =>
      [...earned.values()].map((one) => ({
        ...one,
        swaps: 1,
        day: UtcDay.make(one.day),
        account: owner.name,
        platform: ProviderName.make(platform),
      }))
    )
    const ended = swaps.flatMap(({ ends, owner, platform }) =>
      [...ends.values()].map((one) => ({ ...one, account: owner.name, platform }))
    )
    const byAll = (yield* repo.commission({ ...year, by: CommissionKey.literals }))
      .filter(({ account }) => account !== undefined && names.has(account))
    assert.deepStrictEqual(
      asObject(byAll.map((row) => [keyOfAll(row), row.amount, row.swaps])),
      summed(earned, keyOfAll, ({ amount }) => amount),
    )
    const estimates = earned.filter(({ isEstimate }) => isEstimate).map(keyOfAll)
    assert.deepStrictEqual(
      asObject(byAll.map((row) => [keyOfAll(row), row.kept, row.swaps])),
      summed(earned, keyOfAll, ({ kept }) => kept),
    )
    assert.deepStrictEqual(
      new Set(byAll.filter(({ isEstimate }) => isEstimate).map(keyOfAll)),
      new Set(estimates),
    )
    for (const owner of owners) {
      const { id, name: account } = owner
      const query = { ...always, step: "day", account } as const
      const own = earned.filter((row) => row.account === account)
      const ends = ended.filter((row) => row.account === account)
      // The account's own view, and the operator's of it, by each of the keys.
      const days = yield* commissions.earned(id, year)
      assert.deepStrictEqual(
        asObject(days.map((row) => [`${row.day} ${row.asset}`, row.amount, row.swaps])),
        summed(own, (row) => `${row.day} ${row.asset}`, ({ amount }) => amount),
      )
      const byDay = yield* repo.commission({ ...year, account, by: ["day"] })
      assert.deepStrictEqual<unknown>(
        byDay.map(({ unvalued: _unvalued, value: _value, ...sum }) => sum),
        days.map(({ day, ...sum }) => ({ day, ...sum })),
      )
      const byPlatform = yield* repo.commission({ ...year, account, by: ["platform"], asset: "btc.btc" })
      assert.deepStrictEqual(
        asObject(byPlatform.map((row) => [`${row.platform}`, row.amount, row.swaps])),
        summed(
          own.filter(({ asset }) => asset === "btc.btc"),
          ({ platform }) => platform,
          ({ amount }) => amount,
        ),
      )
      assert.deepStrictEqual(
        asObject((yield* repo.earned(query)).map((row) => [row.asset, row.amount, row.swaps])),
        summed(own.filter(({ amount }) => amount > 0n), ({ asset }) => asset, ({ amount }) => amount),
      )
      const completed = ends.filter(({ outcome }) => outcome === "completed")
      assert.deepStrictEqual(
        asObject((yield* repo.volume(query)).map((row) => [row.asset, row.amount, row.swaps])),
        summed(completed, ({ asset }) => asset, ({ amount }) => amount),
      )
      const outcomes = yield* repo.ended(query)
      assert.deepStrictEqual(
        summed(
          outcomes.flatMap(({ outcome, platform, swaps }) =>
            Array.from({ length: swaps }, () => ({ outcome, platform }))
          ),
          ({ outcome, platform }) => `${platform} ${outcome}`,
          () => 0n,
        ),
        summed(ends, ({ outcome, platform }) => `${platform} ${outcome}`, () => 0n),
      )
    }
  },
)

const suite = (store: TestStore) =>
  layer(store.layer)(`The sums of all accounts on ${store.name}`, (it) => {
    for (const seed of [1, 2]) {
      it.effect(`equal those of the swaps, whatever happens to them (${seed})`, function* () {
        const random = numbersFrom(seed)
        const owners = [yield* newAccount, yield* newAccount, yield* newAccount]
        const swaps = yield* Effect.forEach(Array.from({ length: 25 }), () => begin(random, owners))
        for (let step = 0; step < 150; step++) yield* advance(random, pick(random, swaps), owners)
        assert.isAbove(swaps.reduce((sum, { earned }) => sum + earned.size, 0), 30)
        assert.isAbove(swaps.reduce((sum, { ends }) => sum + ends.size, 0), 30)
        yield* assertSums(swaps, owners)
      })
    }

    it.effect("come back with an export, which has only what they sum", function* () {
      const random = numbersFrom(3)
      const owners = [yield* newAccount, yield* newAccount]
      const swaps = yield* Effect.forEach(Array.from({ length: 8 }), () => begin(random, owners))
      for (let step = 0; step < 60; step++) yield* advance(random, pick(random, swaps), owners)
      const lines: Array<string> = []
      yield* exportRows((line) => Effect.sync(() => void lines.push(line)))
      yield* forgetAccounts
      yield* importRows(Stream.fromIterable(lines))
      yield* assertSums(swaps, owners)
    })
  })
for (const store of stores) suite(store)

for (const store of servers) {
  layer(store.layer)(`The sums of concurrent writers on ${store.name}`, (it) => {
    it.effect("equal those of the swaps, and nobody waits for ever", function* () {
      const owners = [yield* newAccount, yield* newAccount]
      const all = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, seed) => numbersFrom(100 + seed)),
        Effect.fnUntraced(function* (random) {
          const swaps = yield* Effect.forEach(Array.from({ length: 6 }), () => begin(random, owners))
          for (let step = 0; step < 60; step++) yield* advance(random, pick(random, swaps), owners)
          return swaps
        }),
        { concurrency: "unbounded" },
      )
      yield* assertSums(all.flat(), owners)
    })
  })
}
