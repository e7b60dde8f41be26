import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { nativeAt } from "./support/assets.ts"
import { call, get, type Query, withBroker } from "./support/call.ts"
import { find, integerAt, type Json, listAt, numberAt, pick, textAt } from "./support/Json.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { aroundNow, deposit, openSwap, pass, passUntil, type SwapQuery } from "./support/swaps.ts"

const day = 86_400

/** A swap that came to its end: what its record says that it earned. */
const complete = Effect.fnUntraced(function* (amount: string, changes: SwapQuery = {}) {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", commissionBps: "25", ...changes })
  yield* deposit(opened, amount)
  const { status } = yield* passUntil(opened, "completed")
  const fees = find(status, "fees") ?? []
  const broker = listAt(fees).find((fee) => textAt(fee, "type") === "broker")
  return {
    asset: broker === undefined ? undefined : textAt(broker, "asset"),
    amount: broker === undefined ? 0n : nativeAt(broker, "amountNative"),
  }
})

const rowsOf = (body: Json) =>
  listAt(body, "days").map((row) => ({
    day: textAt(row, "day"),
    asset: textAt(row, "asset"),
    amount: nativeAt(row, "amountNative"),
    swaps: integerAt(row, "swaps"),
  }))

const sumOf = (rows: ReadonlyArray<{ readonly amount: bigint }>) =>
  rows.reduce((sum, { amount }) => sum + amount, 0n)

withBroker()("earned commission", (it) => {
  it.effect("is what the records say, by day and asset, with the sum of all days, however far the networks' time is", function* () {
    assert.deepStrictEqual<unknown>(yield* get("/commission", aroundNow), {
      from: aroundNow.from,
      to: aroundNow.to,
      totals: [],
      days: [],
    })
    const one = yield* complete("1000000000000000001")
    const two = yield* complete("2000000000000000001")
    yield* pass(20 * day)
    const later = yield* complete("3000000000000000001")
    const free = yield* complete("1000000000000000001", { commissionBps: "0" })
    assert.deepStrictEqual([free.asset, free.amount], [undefined, 0n])
    assert.isTrue(one.amount > 0n && two.amount > one.amount && later.amount > two.amount)

    const body = yield* get("/commission", aroundNow)
    const rows = rowsOf(body)
    assert.deepStrictEqual([...new Set(rows.map(({ asset }) => asset))], ["usdc.eth"])
    assert.strictEqual(sumOf(rows), sumOf([one, two, later]))
    const total = pick(find(body, "totals") ?? [], () => true)
    assert.strictEqual(textAt(total, "amountNative"), `${sumOf([one, two, later])}`)
    assert.strictEqual(integerAt(total, "swaps"), 3)
    const digits = textAt(total, "amountNative").padStart(7, "0")
    const human = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, "")
    assert.strictEqual(numberAt(total, "amount"), human)

    // Two at the most, where midnight comes between.
    for (const row of rows) {
      assert.deepStrictEqual(rowsOf(yield* get("/commission", { from: row.day, to: row.day })), [row])
    }
    const inDollars = yield* get("/commission", { ...aroundNow, asset: "usdc.eth" })
    assert.deepStrictEqual(rowsOf(inDollars), rowsOf(body))
    assert.deepStrictEqual(rowsOf(yield* get("/commission", { ...aroundNow, asset: "btc.btc" })), [])
  })

  it.effect("is nothing for a swap that went back or is under way", function* () {
    const before = yield* get("/commission", aroundNow)
    const opened = yield* openSwap({
      sourceAsset: "eth.arb",
      commissionBps: "25",
      minimumPrice: "1000000",
      refundAddress: "0x1111111111111111111111111111111111111111",
      retryDurationInBlocks: "2",
    })
    yield* deposit(opened, "1000000000000000001")
    const { status } = yield* passUntil(opened, "completed")
    assert.isDefined(find(status, "refundEgress"))
    yield* openSwap({ commissionBps: "25" })
    assert.deepStrictEqual(yield* get("/commission", aroundNow), before)
  })

  it.effect("is that of the own account alone", function* () {
    yield* complete("1000000000000000001")
    const { key } = yield* issue(yield* newAccount())
    const disguised: Query = [...Object.entries(aroundNow), ["account", "default"], ["accountId", "1"]]
    assert.deepStrictEqual(rowsOf(yield* get("/commission", disguised, { key })), [])
    assert.isNotEmpty(rowsOf(yield* get("/commission", aroundNow)))
    const { key: without } = yield* issue(yield* newAccount(), { scopes: ["status", "swap"] })
    assertFailure(yield* call("GET", "/commission", { query: aroundNow, key: without }), 403)
    assertFailure(yield* call("GET", "/commission", { query: aroundNow, key: null }), 401)
  })

  const bad: ReadonlyArray<readonly [query: Query, faulty: ReadonlyArray<string>]> = [
    [{}, ["from", "to"]],
    [{ from: "2026-07-01" }, ["to"]],
    [{ to: "2026-07-01" }, ["from"]],
    [{ from: "2026-07-02", to: "2026-07-01" }, ["from"]],
    [{ from: "2026-07-01", to: "2027-07-02" }, ["to"]],
    [{ from: "2026-02-30", to: "2026-03-01" }, ["from"]],
    [{ from: "2026-7-1", to: "2026-07-01T00:00:00Z" }, ["from", "to"]],
    [{ from: "", to: "today" }, ["from", "to"]],
    [{ from: "-000001-01-01", to: "+010000-01-01" }, ["from", "to"]],
    [{ ...aroundNow, asset: "shib.eth" }, ["asset"]],
    [{ ...aroundNow, asset: "" }, ["asset"]],
    [[["from", "2026-07-01"], ["from", "2026-07-01"], ["to", "2026-07-01"]], ["from"]],
    [[...Object.entries(aroundNow), ["asset", "btc.btc"], ["asset", "eth.eth"]], ["asset"]],
  ]
  for (const [query, faulty] of bad) {
    it.effect(`refuses ${JSON.stringify(query)}`, function* () {
      assert.deepStrictEqual(faultyParameters(yield* call("GET", "/commission", { query })), faulty)
    })
  }

  it.effect("covers 366 days at once", function* () {
    yield* get("/commission", { from: "2026-07-01", to: "2027-07-01" })
    yield* get("/commission", { from: "0001-01-01", to: "0001-01-01" })
    yield* get("/commission", { from: "9999-12-31", to: "9999-12-31" })
  })
})
