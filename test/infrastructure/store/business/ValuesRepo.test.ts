import { assert, layer } from "#test/support/it.ts"
import { BigDecimal, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Caller } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { OverviewQuery } from "#domain/operations/Business.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { valueAt } from "#domain/money/UsdValue.ts"
import { ListedSwapsRepo } from "#infrastructure/store/business/ListedSwapsRepo.ts"
import { SumsRepo } from "#infrastructure/store/business/SumsRepo.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"
import { newAccount, stores, type TestStore } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { changeSwap, insertSwap } from "./support.ts"

const hour = 3_600_000

/** How many swaps are added up; `deno task values` adds up 10,000. */
const summed = BigInt(Deno.env.get("VALUES") ?? "120")

/** An amount for each number, from one unit up to 10^14: by a multiplier of a linear congruential generator. */
const amountOf = (n: bigint): bigint => 1n + n * 6_364_136_223_846_793_005n % 2n ** 64n % 10n ** (n % 15n)
const always: OverviewQuery = {
  from: EpochMillis.make(0),
  before: EpochMillis.make(Date.parse("2100-01-01T00:00:00Z")),
  step: "day",
}

const dollars = (text: string) => BigDecimal.fromStringUnsafe(text)
const pricesOf = (prices: Readonly<Record<string, string>>) =>
  new Map(Object.entries(prices).map(([asset, price]) => [assetOf(asset), dollars(price)]))
const assetOf = (name: string): AssetId => name === "btc.btc" ? "btc.btc" : "eth.eth"

/** The time of the database, by which ends are dated. */
const databaseNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly at: Date }>`SELECT now() AS at`
  return EpochMillis.make(row?.at.getTime() ?? 0)
})

/** A swap of this much Bitcoin that paid out, and earned this much ether. */
const completedSwap = (amount: bigint, earned: bigint, paidAt: EpochMillis): SwapStatus =>
  statusIn("completed", {
    swapId: "1",
    sourceAsset: "btc.btc",
    deposit: { amount: NativeAmount.make(amount) },
    swapEgress: { amount: NativeAmount.make(9n), transactionReference: "0x1", witnessedAt: paidAt },
    fees: earned === 0n ? [] : [{ type: "broker", asset: "eth.eth", amount: NativeAmount.make(earned) }],
  })

/** Ends a new swap of an account. */
const endSwap = Effect.fnUntraced(function* (account: Pick<Caller, "id">, status: SwapStatus) {
  const id = yield* insertSwap({
    account: account.id,
    status: statusIn("waiting", { sourceAsset: "btc.btc" }),
  })
  yield* changeSwap(id, status)
  return id
})

const forget = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM asset_prices`
})

/** The value of what an account swapped and earned, as text. */
const valuesOf = Effect.fnUntraced(function* (name: string) {
  const sums = yield* SumsRepo
  const figures = (yield* sums.ofAccounts(always)).filter(({ account }) => account === name)
  return Object.fromEntries(
    figures.map(({ measure, unvalued, value }) => [measure, [formatDecimal(value), unvalued]]),
  )
})

const suite = (store: TestStore) =>
  layer(store.layer)(`Values on ${store.name}`, (it) => {
    it.effect("are those of the hour in which a swap ended, whatever prices come later", function* () {
      yield* forget
      const values = yield* ValuesRepo
      const account = yield* newAccount
      const now = yield* databaseNow
      yield* values.keep(pricesOf({ "btc.btc": "50000.5", "eth.eth": "2000" }), now)
      const id = yield* endSwap(account, completedSwap(150_000_000n, 3n * 10n ** 15n, now))
      const expected = { completed: ["75000.75", 0], commission: ["6", 0] }
      assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), expected)
      // A second look within the hour, and one of a later hour.
      yield* values.keep(pricesOf({ "btc.btc": "60000", "eth.eth": "3000" }), now)
      yield* values.keep(
        pricesOf({ "btc.btc": "90000", "eth.eth": "4000" }),
        EpochMillis.make(now + 2 * hour),
      )
      assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), expected)
      const [listed] = yield* (yield* ListedSwapsRepo).byIds([id])
      assert.strictEqual(listed?.value === undefined ? undefined : formatDecimal(listed.value), "75000.75")
      const prices = yield* values.pricesAt(["btc.btc", "sol.sol"], now)
      const price = prices.get("btc.btc")
      assert.strictEqual(prices.size, 1)
      assert.strictEqual(price && formatDecimal(valueAt(price, 150_000_000n)), "75000.75")
    })

    it.effect("are filled in within the hour where no price was known, and not later", function* () {
      yield* forget
      const values = yield* ValuesRepo
      const sql = yield* SqlClient.SqlClient
      const account = yield* newAccount
      const now = yield* databaseNow
      yield* endSwap(account, completedSwap(100_000_000n, 10n ** 18n, now))
      const late = yield* endSwap(account, completedSwap(200_000_000n, 0n, now))
      yield* sql`UPDATE swap_ends SET ended_at = now() - interval '61 minutes' WHERE swap_id = ${late}`
      yield* endSwap(account, statusIn("failed", { sourceAsset: "btc.btc" }))
      assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), {
        completed: ["0", 2],
        commission: ["0", 1],
        failed: ["0", 0],
      })
      yield* values.keep(pricesOf({ "btc.btc": "50000" }), EpochMillis.make(now + 1_000))
      assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), {
        completed: ["50000", 1],
        commission: ["0", 1],
        failed: ["0", 0],
      })
    })

    it.effect("take no price that is far from the last one of a day", function* () {
      yield* forget
      const values = yield* ValuesRepo
      const now = yield* databaseNow
      const after = (hours: number) => EpochMillis.make(now + hours * hour)
      const priceOf = Effect.fnUntraced(function* (at: EpochMillis) {
        const price = (yield* values.pricesAt(["btc.btc"], at)).get("btc.btc")
        return price && formatDecimal(price)
      })
      yield* values.keep(pricesOf({ "btc.btc": "50000" }), now)
      for (const odd of ["200001", "12499", "0"]) {
        yield* values.keep(pricesOf({ "btc.btc": odd }), after(1))
        assert.strictEqual(yield* priceOf(after(1)), "0.0005")
      }
      yield* values.keep(pricesOf({ "btc.btc": "60000" }), after(1))
      assert.strictEqual(yield* priceOf(after(1)), "0.0006")
      // After a day without a price the next one is taken as it is, and an old one is no price.
      assert.isUndefined(yield* priceOf(after(27)))
      yield* values.keep(pricesOf({ "btc.btc": "300000" }), after(27))
      assert.strictEqual(yield* priceOf(after(27)), "0.003")
    })

    it.effect("follow a swap whose end is corrected, by the price of its time", function* () {
      yield* forget
      const values = yield* ValuesRepo
      const account = yield* newAccount
      const now = yield* databaseNow
      yield* values.keep(pricesOf({ "btc.btc": "50000", "eth.eth": "2000" }), now)
      const id = yield* endSwap(account, completedSwap(100_000_000n, 10n ** 18n, now))
      yield* changeSwap(id, completedSwap(300_000_000n, 2n * 10n ** 18n, now))
      assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), {
        completed: ["150000", 0],
        commission: ["4000", 0],
      })
    })

    it.effect("add up to what an independent sum of the swaps comes to, and stay so", function* () {
      yield* forget
      const values = yield* ValuesRepo
      const account = yield* newAccount
      const now = yield* databaseNow
      yield* values.keep(pricesOf({ "btc.btc": "64321.123456", "eth.eth": "1904.777777" }), now)
      let [volume, commission] = [0n, 0n]
      for (let n = 1n; n <= summed; n++) {
        const [amount, earned] = [amountOf(n), amountOf(n + summed) * 10n ** 6n + n]
        yield* endSwap(account, completedSwap(amount, earned, now))
        // In millionths of a dollar, rounded half up, by integers alone.
        volume += (amount * 64_321_123_456n * 2n + 10n ** 8n) / (2n * 10n ** 8n)
        commission += (earned * 1_904_777_777n * 2n + 10n ** 18n) / (2n * 10n ** 18n)
      }
      const inMillionths = (sum: bigint) => formatDecimal(BigDecimal.make(sum, 6))
      const expected = { completed: [inMillionths(volume), 0], commission: [inMillionths(commission), 0] }
      assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), expected)
      for (const hours of [0, 1, 25]) {
        yield* values.keep(
          pricesOf({ "btc.btc": "99999", "eth.eth": "3000" }),
          EpochMillis.make(now + hours * hour),
        )
        assert.deepStrictEqual<unknown>(yield* valuesOf(account.name), expected)
      }
      const figures = yield* (yield* SumsRepo).figures({ ...always, account: account.name })
      assert.deepStrictEqual(
        figures.map(({ measure, platform, swaps }) => [measure, `${platform}`, swaps]),
        [["commission", "chainflip", Number(summed)], ["completed", "chainflip", Number(summed)]],
      )
    })
  })
for (const store of stores) suite(store)
