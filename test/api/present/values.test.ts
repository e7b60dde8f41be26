import { assert, describe, it, layer } from "#test/support/it.ts"
import { BigDecimal, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { payablesJson } from "#api/presentSwap.ts"
import { type AssetId, assetIds, factsOf } from "#domain/chains/Asset.ts"
import { maximumNativeAmount, NativeAmount } from "#domain/money/Amount.ts"
import { believedFor } from "#domain/money/UsdValue.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapStatus } from "#domain/swaps/Swap.ts"
import { type SwapRecord, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { makeHourlyPrices } from "#infrastructure/store/business/hourlyPrices.ts"
import { ValuesRepo } from "#infrastructure/store/business/ValuesRepo.ts"
import { quotesJson } from "#interfaces/requests/present/quotes.ts"
import { type Found, NumberText, objectsIn, parseExactly } from "#test/interfaces/requests/present/json.ts"
import { answered, beginning, full } from "#test/interfaces/requests/present/someQuotes.ts"
import { assertDateTwins } from "#test/interfaces/requests/present/twins.ts"
import { embeddedStore } from "#test/support/store.ts"
import { writeRecord } from "#test/support/writeRecord.ts"
import { completed } from "./statuses.ts"

const hour = 3_600_000

/** How many swaps are valued; `deno task values` values 10,000. */
const valued = Number(Deno.env.get("VALUES") ?? "300")

/** A number of the n-th swap, from 0 to below `most`: by a linear congruential generator. */
const random = (n: number, salt: number, most: bigint): bigint =>
  (BigInt(n) * 6_364_136_223_846_793_005n + BigInt(salt) * 1_442_695_040_888_963_407n) % 2n ** 64n % most

/** The price of an asset in an hour, in millionths of a dollar for a whole unit: this test's own table. */
type OwnPrices = (asset: AssetId, hour: number) => bigint | undefined

/** A value in millionths: a half is rounded up. */
const ownValue = (asset: AssetId, native: bigint, price: bigint): bigint => {
  const unit = 10n ** BigInt(factsOf(asset).decimals)
  return (2n * native * price + unit) / (2n * unit)
}

const millionths = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigInt(`${whole}${fraction.padEnd(6, "0")}`)
}

/** The name of the value of an amount: `amount` has `valueUsd`, `egressAmount` has `egressValueUsd`. */
const valueName = (amount: string): string => {
  const name = `${amount.replace(/amount$/i, "")}ValueUsd`
  return name === "ValueUsd" ? "valueUsd" : name
}

/** The path of the object that says when the prices of a value are of: the nearest around it that does. */
const timedBy = (path: string, all: ReadonlyMap<string, Found["object"]>): number | undefined => {
  const at = all.get(path)?.valueUsdAt
  if (at instanceof NumberText) return Number(at.text)
  const end = Math.max(path.lastIndexOf("."), path.lastIndexOf("["))
  return end < 0 ? undefined : timedBy(path.slice(0, end), all)
}

interface Expected {
  readonly assetOf: (name: string, where: Found) => AssetId
  /** The time whose price an amount has, by where it stands; none where it has no value. */
  readonly timeOf: (path: string, asset: AssetId) => number | undefined
  readonly prices: OwnPrices
}

/** Holds each amount that stands twice in a text against its value; gives how many have one. */
const assertValues = (text: string, { assetOf, prices, timeOf }: Expected): number => {
  const written = parseExactly(text)
  const objects = objectsIn(written)
  const all = new Map(objects.map(({ object, path }) => [path, object]))
  let count = 0
  for (const found of objects) {
    const { object, path } = found
    for (const [name, native] of Object.entries(object)) {
      const amount = name.replace(/Native$/, "")
      if (amount === name || object[amount] === undefined || typeof native !== "string") continue
      const asset = assetOf(name, found)
      const at = timeOf(path, asset)
      const price = at === undefined ? undefined : prices(asset, at)
      const value = object[valueName(amount)]
      const where = `${path}.${name}`
      if (price === undefined) assert.isUndefined(value, where)
      else if (!(value instanceof NumberText)) assert.fail(`${where} has no value`)
      else {
        assert.strictEqual(millionths(value.text), ownValue(asset, BigInt(native), price), where)
        assert.isAtMost(timedBy(path, all) ?? Infinity, at ?? 0, where)
        count++
      }
    }
  }
  return count
}

const assets: ReadonlyArray<AssetId> = ["btc.btc", "eth.eth", "usdc.eth", "sol.sol"]
const began = EpochMillis.make(Date.UTC(2026, 6, 1))
const hours = 12

/** Ether has no price in every fifth hour, and SOL never has one. */
const recorded: OwnPrices = (asset, at) => {
  const index = Math.floor((at - began) / hour)
  if (asset === "sol.sol" || (asset === "eth.eth" && index % 5 === 4) || index < 0) return undefined
  if (asset === "usdc.eth") return 1_000_000n
  return (asset === "btc.btc" ? 64_550_123_456n : 1_904_654_321n) + random(index, 7, 900_000_000n)
}

/** A time within the hours that have prices. */
const timeIn = (n: number, salt: number): EpochMillis =>
  EpochMillis.make(began + Number(random(n, salt, BigInt(hours * hour))))

const assetAt = (n: number, salt: number): AssetId => assets[Number(random(n, salt, 4n))] ?? "btc.btc"

const amountAt = (n: number, salt: number): NativeAmount =>
  NativeAmount.make(n % 50 === 0 ? maximumNativeAmount : random(n, salt, 10n ** BigInt(n % 25)))

/** The n-th swap: amounts from 0 to 2^128 − 1 in assets and hours of all kinds. */
const statusOf = (n: number): SwapStatus => {
  const { deposit, depositChannel, swapEgress, ...status } = completed.status
  const egress = (salt: number) => ({
    ...swapEgress,
    amount: amountAt(n, salt),
    witnessedAt: timeIn(n, salt),
  })
  return {
    ...status,
    sourceAsset: assetAt(n, 1),
    destinationAsset: assetAt(n, 2),
    fees: (["ingress", "broker", "liquidity"] as const).map((type, index) => ({
      type,
      asset: assetAt(n, 3 + index),
      amount: amountAt(n, 6 + index),
    })),
    ...(depositChannel === undefined ? {} : {
      depositChannel: {
        ...depositChannel,
        createdAt: timeIn(n, 9),
        expectedDepositAmount: amountAt(n, 10),
        exactAmount: amountAt(n, 11),
      },
    }),
    ...(n % 7 === 0 ? {} : { deposit: { ...deposit, amount: amountAt(n, 12), witnessedAt: timeIn(n, 12) } }),
    ...(n % 3 === 0 ? { refundEgress: egress(13) } : { swapEgress: egress(14) }),
  }
}

const recordOf = (status: SwapStatus, id = 7): SwapRecord => ({
  id: SwapRecordId.make(id),
  platform: ProviderName.make("chainflip"),
  status,
})

const expectedOf = (status: SwapStatus, prices: OwnPrices): Expected => ({
  prices,
  assetOf: (_, { object, path }) => {
    const own = assetIds().find((id) => id === object.asset)
    if (own !== undefined) return own
    if (/\.(?:swapEgress|fallbackEgress)$/.test(path)) {
      return status.destinationAsset
    }
    return status.sourceAsset
  },
  timeOf: (path) => {
    if (path === "$.status.depositChannel") return status.depositChannel?.createdAt
    const [, part = ""] = /^\$\.status\.(\w+)(?:\[\d+\])?$/.exec(path) ?? []
    const { deposit, fallbackEgress, refundEgress, swapEgress } = status
    const moved = new Map(
      Object.entries({ fees: deposit, deposit, fallbackEgress, refundEgress, swapEgress }),
    )
    const payment: Partial<SwapStatus["swapEgress"]> = moved.get(part)
    return payment?.witnessedAt ?? payment?.scheduledAt ?? payment?.failedAt ?? payment?.failure?.failedAt
  },
})

const dollars = (price: bigint) => BigDecimal.make(price, 6)

layer(embeddedStore.layer)("Values of statuses", (it) => {
  it.effect("are amounts times the price of their hour, to the millionth of a dollar", function* () {
    const values = yield* ValuesRepo
    yield* TestClock.setTime(began + 2 * hours * hour)
    for (let index = 0; index < hours; index++) {
      const at = EpochMillis.make(began + index * hour)
      const prices = assets.flatMap((asset) => {
        const price = recorded(asset, at)
        return price === undefined ? [] : [[asset, dollars(price)] as const]
      })
      yield* values.keep(new Map(prices), at)
    }
    let count = 0
    for (let n = 0; n < valued; n++) {
      const status = statusOf(n)
      const { shown, until } = yield* values.priced((priceAt) => writeRecord(recordOf(status), priceAt))
      assert.strictEqual(until, Infinity)
      assertDateTwins(parseExactly(shown))
      count += assertValues(shown, expectedOf(status, recorded))
    }
    assert.isAbove(count, 3 * valued)
  })

  it.effect("are absent until the price of the hour is known, and for ever if it never is", function* () {
    const values = yield* ValuesRepo
    const now = EpochMillis.make(began + 1_000 * hour)
    yield* TestClock.setTime(now + 1_000)
    const status: SwapStatus = {
      ...completed.status,
      deposit: { amount: NativeAmount.make(150_000_000n), witnessedAt: now },
    }
    const show = values.priced((priceAt) => writeRecord(recordOf(status), priceAt))
    const depositOf = (text: string) => JSON.parse(text).status.deposit
    const before = yield* show
    assert.notInclude(before.shown, "alueUsd")
    assert.isBelow(before.until, now + hour)
    yield* values.keep(new Map([["btc.btc", dollars(50_000_500_000n)]]), now)
    yield* TestClock.setTime(before.until)
    const after = yield* show
    assert.strictEqual(depositOf(after.shown).valueUsd, 75_000.75)
    assert.strictEqual(depositOf(after.shown).valueUsdAt, now)
    assert.strictEqual(after.until, Infinity)
  })
})

describe("The prices of hours", () => {
  const counted = () => {
    const reads: Array<number> = []
    const priced = makeHourlyPrices((missing) =>
      Effect.sync(() => {
        reads.push(missing.length)
        return missing.flatMap(({ asset, hour }) => {
          const price = recorded(asset, hour)
          const { decimals } = factsOf(asset)
          return price === undefined ? [] : [{ asset, hour, usd: BigDecimal.make(price, 6 + decimals) }]
        })
      })
    )
    return { priced, reads }
  }

  it.effect("are read once for a page of 500 swaps, and not again for the next", function* () {
    yield* TestClock.setTime(began + 2 * hours * hour)
    const { priced, reads } = counted()
    const page = (from: number) =>
      priced((priceAt) =>
        payablesJson(
          Array.from({ length: 500 }, (_, index) => recordOf(statusOf(from + index), from + index + 1)),
          { networkOf: () => "mainnet", now: began, priceAt },
        )
      )
    const { shown } = yield* page(0)
    assert.lengthOf(reads, 1)
    assert.include(shown, '"valueUsd":')
    yield* page(0)
    yield* page(500)
    assert.isAtMost(reads.length, 2)
  })

  it.effect("of hours to come are those of the present hour until they come", function* () {
    const now = began + 60_000
    yield* TestClock.setTime(now)
    const { priced } = counted()
    const record = recordOf(statusOf(1))
    const ahead = yield* priced((priceAt) => writeRecord(record, priceAt))
    const present = yield* priced((priceAt) =>
      writeRecord(record, (at) => priceAt(at === undefined ? at : EpochMillis.make(Math.min(at, now))))
    )
    assert.include(ahead.shown, '"valueUsd":')
    assert.strictEqual(ahead.shown, present.shown)
    assert.isAtMost(ahead.until, began + hour)
    yield* TestClock.setTime(began + 2 * hours * hour)
    const later = yield* priced((priceAt) => writeRecord(record, priceAt))
    assert.notStrictEqual(later.shown, ahead.shown)
  })

  it.effect("are left out where they cannot be read", function* () {
    const record = recordOf(statusOf(1))
    const failing = makeHourlyPrices(() => Effect.fail("away"))
    yield* TestClock.setTime(began + 2 * hours * hour)
    const without = yield* failing((priceAt) => writeRecord(record, priceAt))
    assert.deepStrictEqual(without, { shown: writeRecord(record), until: began + 2 * hours * hour })
  })

  it.prop("are what every amount of any status has its value by", [SwapStatus], ([status]) => {
    const flat: OwnPrices = (asset) => BigInt(factsOf(asset).decimals) * 1_234_567n + 1n
    const text = writeRecord(recordOf(status), (at) => (asset) =>
      at === undefined ? undefined : ({
        usd: BigDecimal.make(flat(asset, at) ?? 0n, 6 + factsOf(asset).decimals),
        at,
      }))
    assertValues(text, expectedOf(status, flat))
  })
})

describe("Values of quotes", () => {
  const now = 2_000_000_000_000
  const Prices = Schema.Array(Schema.Tuple([
    Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 14n })),
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 * hour })),
  ]))

  it.prop(
    "are amounts times prices no older than an hour, with the time of the oldest",
    [Prices],
    ([all]) => {
      const known = new Map(
        assets.slice(0, 3).flatMap((asset, index) => {
          const [price, age] = all[index] ?? []
          return price === undefined || age === undefined ? [] : [[asset, { price, at: now - age }] as const]
        }),
      )
      const text = quotesJson(answered(full), {
        beginnings: beginning(false, "channel"),
        commissionBps: undefined,
        hasBoostPrice: false,
        at: EpochMillis.make(now),
        prices: new Map(
          [...known].map((
            [asset, { at, price }],
          ) => [asset, { usd: dollars(price), at: EpochMillis.make(at) }]),
        ),
      }, false)
      const believed = [...known].filter(([, { at }]) => now - at <= believedFor)
      const used = new Map(believed)
      const count = assertValues(text, {
        prices: (asset) => used.get(asset)?.price,
        timeOf: (path, asset) =>
          /^\$\[0\](?:\.boostQuote)?(?:\.includedFees\[\d+\])?$/.test(path) ? used.get(asset)?.at : undefined,
        assetOf: (name, { object }) => {
          const [, side = ""] = /^(ingress|intermediate|egress)Amount/.exec(name) ?? []
          return assetIds().find((id) => id === (object.asset ?? object[`${side}Asset`])) ?? "sol.sol"
        },
      })
      const [quote] = JSON.parse(text)
      const oldest = believed.length === 0 ? undefined : Math.min(...believed.map(([, { at }]) => at))
      assert.strictEqual(quote.valueUsdAt, oldest)
      assert.strictEqual(count > 0, believed.length > 0)
      if (believed.length === 0) assert.notInclude(text, "alueUsd")
    },
  )
})
