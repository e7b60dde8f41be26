import { assert } from "#test/support/it.ts"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { EpochMillis } from "#domain/Time.ts"
import { type CountedSwap, VolumesRepo } from "#infrastructure/store/swaps/VolumesRepo.ts"
import { newAccount, onStores } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { changeSwap, insertSwap } from "../business/support.ts"

/** A time just before midnight of UTC; one unit of usdc.eth is a millionth of a dollar then. */
const at = EpochMillis.make(Date.parse("2031-02-03T23:59:00Z"))
const nextDay = EpochMillis.make(at + 60_000)

const priced = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO asset_prices VALUES ('usdc.eth', '2031-02-03T23:00:00Z', 0.000001), ('usdc.eth', '2026-05-05T12:00:00Z', 0.000001)
    ON CONFLICT DO NOTHING`
})

/** A swap of so many dollars of an account that may swap 1,000 a day. */
const swapOf = (accountId: AccountId, dollars?: number, changes: Partial<CountedSwap> = {}): CountedSwap => ({
  accountId,
  most: 1_000,
  asset: "usdc.eth",
  amount: dollars === undefined ? undefined : BigInt(Math.round(dollars * 1_000_000)),
  at,
  ...changes,
})

onStores(Layer.effectDiscard(priced))("The volume of a day", (it) => {
  it.effect("is counted to the limit and no unit beyond it, however many swaps begin at once", function* () {
    const { look, take } = yield* VolumesRepo
    const { id } = yield* newAccount
    const all = yield* Effect.forEach(Array.from({ length: 40 }), () => take(swapOf(id, 45)), {
      concurrency: "unbounded",
    })
    assert.lengthOf(all.filter(({ usd }) => Option.isSome(usd)), 22)
    assert.isTrue(Option.isNone((yield* take(swapOf(id, 10.000001))).usd))
    assert.isTrue(Option.isSome((yield* look(swapOf(id, 10))).usd))
    assert.isTrue(Option.isSome((yield* take(swapOf(id))).usd))
    assert.isTrue(Option.isSome((yield* take(swapOf(id, 10))).usd))
    // At the limit nothing begins, not even what nobody knows the amount of. Another account and day are free.
    assert.deepStrictEqual(yield* look(swapOf(id)), { isPriced: true, usd: Option.none() })
    assert.isTrue(Option.isSome((yield* take(swapOf((yield* newAccount).id, 1_000))).usd))
    assert.isTrue(Option.isSome((yield* take(swapOf(id, 1_000, { at: nextDay }))).usd))
    // A replica whose clock is behind finds the new day.
    assert.isTrue(Option.isNone((yield* take(swapOf(id, 1))).usd))
  })

  it.effect("follows a limit that changes, and has no room for what has no price", function* () {
    const { giveBack, take } = yield* VolumesRepo
    const { id } = yield* newAccount
    const first = yield* take(swapOf(id, 600))
    assert.isTrue(Option.isNone((yield* take(swapOf(id, 1, { most: 500 }))).usd))
    assert.isTrue(Option.isNone((yield* take(swapOf(id, 401))).usd))
    yield* giveBack(swapOf(id), Option.getOrThrow(first.usd))
    assert.isTrue(Option.isSome((yield* take(swapOf(id, 1_000))).usd))
    for (const amount of [undefined, 1n]) {
      assert.deepStrictEqual(yield* take(swapOf(id, 1, { asset: "btc.btc", amount, most: 10_000 })), {
        isPriced: false,
        usd: Option.none(),
      })
    }
    const huge = swapOf(id, 1, { amount: 2n ** 128n - 1n, at: nextDay })
    assert.isTrue(Option.isNone((yield* take(huge)).usd))
  })

  it.effect("grows by a deposit of which nothing was expected, once", function* () {
    const sql = yield* SqlClient.SqlClient
    const { id } = yield* newAccount
    // Deposits count for accounts that have had a limit.
    yield* (yield* VolumesRepo).take(
      swapOf(id, undefined, { at: EpochMillis.make(Date.parse("2026-05-05T12:00:00Z")) }),
    )
    const waiting = statusIn("waiting", { sourceAsset: "usdc.eth" })
    const swap = yield* insertSwap({ account: id, status: waiting })
    yield* sql`UPDATE swaps SET channel_id = 1, shares_channel = false WHERE id = ${swap}`
    const deposit = (units: bigint) =>
      changeSwap(
        swap,
        statusIn("receiving", { sourceAsset: "usdc.eth", deposit: { amount: NativeAmount.make(units) } }),
      )
    const volume = Effect.map(
      sql<
        { readonly usd: string }
      >`SELECT trim_scale(volume_usd)::text AS usd FROM accounts WHERE id = ${id}`,
      ([row]) => row?.usd,
    )
    yield* deposit(70_000_000n)
    assert.strictEqual(yield* volume, "70")
    yield* deposit(70_000_000n)
    assert.strictEqual(yield* volume, "70")
    yield* sql`UPDATE swaps SET request = '{"amount":"75000000"}' WHERE id = ${swap}`
    yield* deposit(80_000_000n)
    assert.strictEqual(yield* volume, "75")
  })
})
