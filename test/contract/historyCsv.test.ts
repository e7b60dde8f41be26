import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { parseRows } from "#test/interfaces/http/csv/parseCsv.ts"
import { call, get, type Query, withOwnBroker } from "./support/call.ts"
import { find, integerAt, type Json, listAt, numberAt, objectAt, pick, textAt } from "./support/Json.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { deposit, openSwap, passUntil } from "./support/swaps.ts"

const csv = Effect.fnUntraced(function* (query: Query = {}, key?: string) {
  const answer = yield* call("GET", "/swaps", {
    query,
    headers: { accept: "text/csv" },
    ...(key === undefined ? {} : { key }),
  })
  assert.strictEqual(answer.status, 200, answer.text)
  assert.match(answer.headers.get("content-type") ?? "", /^text\/csv; charset=utf-8/)
  assert.strictEqual(answer.headers.get("vary"), "accept")
  assert.strictEqual(answer.headers.get("content-disposition"), 'attachment; filename="swaps.csv"')
  return { rows: parseRows(answer.text), link: answer.headers.get("link") }
})

const idsOf = (rows: ReadonlyArray<Readonly<Record<string, string>>>) => rows.map(({ id }) => Number(id))

const complete = Effect.gen(function* () {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", commissionBps: "25" })
  yield* deposit(opened, "1000000000000000001")
  yield* passUntil(opened, "completed")
  return integerAt(opened, "id")
})

/** Members of a record that stand in a line under the names of their columns. */
const cellsOf = (record: Json): Readonly<Record<string, string>> => {
  const broker = pick(find(record, "status", "fees") ?? [], (fee) => textAt(fee, "type") === "broker")
  return {
    id: numberAt(record, "id"),
    platform: textAt(record, "platform"),
    state: textAt(record, "status", "state"),
    swapId: textAt(record, "status", "swapId"),
    sourceAsset: textAt(record, "status", "sourceAsset"),
    destinationAsset: textAt(record, "status", "destinationAsset"),
    destinationAddress: textAt(record, "status", "destinationAddress"),
    depositChannelId: textAt(record, "status", "depositChannel", "id"),
    depositAddress: textAt(record, "status", "depositChannel", "depositAddress"),
    createdAt: textAt(record, "status", "depositChannel", "createdAtDate"),
    depositAmount: numberAt(record, "status", "deposit", "amount"),
    depositAmountNative: textAt(record, "status", "deposit", "amountNative"),
    depositTransaction: textAt(record, "status", "deposit", "transactionReference"),
    depositWitnessedAt: textAt(record, "status", "deposit", "witnessedAtDate"),
    swapEgressAmount: numberAt(record, "status", "swapEgress", "amount"),
    swapEgressAmountNative: textAt(record, "status", "swapEgress", "amountNative"),
    swapEgressTransaction: textAt(record, "status", "swapEgress", "transactionReference"),
    swapEgressWitnessedAt: textAt(record, "status", "swapEgress", "witnessedAtDate"),
    brokerCommissionBps: numberAt(record, "status", "depositChannel", "brokerCommissionBps"),
    commissionAsset: textAt(broker, "asset"),
    commissionAmount: numberAt(broker, "amount"),
    commissionAmountNative: textAt(broker, "amountNative"),
  }
}

withOwnBroker()("the history as CSV", (it) => {
  it.effect("has the figures of the list, digit by digit", function* () {
    const id = yield* complete
    const { rows } = yield* csv()
    const record = pick(yield* get("/swaps"), (one) => integerAt(one, "id") === id)
    const row = rows.find((one) => one.id === `${id}`) ?? {}
    for (const [name, cell] of Object.entries(cellsOf(record))) assert.strictEqual(row[name], cell, name)
  })

  it.effect("filters and sorts as the list does, and lists all where no limit is given", function* () {
    const ids = yield* Effect.forEach(
      Array.from({ length: 55 }),
      () => Effect.map(openSwap(), (opened) => integerAt(opened, "id")),
    )
    const waiting = (yield* csv({ status: "waiting" })).rows
    assert.deepStrictEqual(idsOf(waiting), ids.toReversed())
    assert.isTrue(waiting.every(({ state }) => state === "waiting"))
    const base = { status: "waiting", offset: `${ids[10]}` }
    assert.deepStrictEqual(
      idsOf((yield* csv({ ...base, sort: "ascending", platform: "chainflip" })).rows),
      ids.slice(10),
    )
    assert.deepStrictEqual((yield* csv({ ...base, platform: "chainflip", status: "failed" })).rows, [])
    assert.deepStrictEqual((yield* csv({ ...base, offset: "0" })).rows, [])
    const limited = yield* csv({ ...base, limit: "3" })
    assert.deepStrictEqual(idsOf(limited.rows), ids.slice(8, 11).toReversed())
    assert.include(limited.link ?? "", `offset=${ids[7]}`)
  })

  // How it goes on from the second one, test/interfaces/http/csv shows with pages that are cheaper.
  it.effect("goes on over pages without one missing or twice", function* () {
    const { key } = yield* issue(yield* newAccount())
    const ids = yield* Effect.forEach(
      Array.from({ length: 503 }),
      () => Effect.map(openSwap({}, { key }), (opened) => integerAt(opened, "id")),
      { concurrency: 8 },
    )
    const { link, rows } = yield* csv({ status: "waiting" }, key)
    assert.isNull(link)
    assert.deepStrictEqual(idsOf(rows), ids.toSorted((one, other) => other - one))
  })

  it.effect("is JSON for everybody who does not say otherwise", function* () {
    for (const accept of ["*/*", "application/json", "text/csv;q=0.1, application/json", "image/png"]) {
      const answer = yield* call("GET", "/swaps", { headers: { accept } })
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/, accept)
      assert.strictEqual(answer.headers.get("vary"), "accept")
      listAt(answer.body)
    }
  })

  it.effect("is refused as the list is", function* () {
    const headers = { accept: "text/csv" }
    const query = { limit: "501", status: "done" }
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swaps", { query, headers })), [
      "limit",
      "status",
    ])
    assertFailure(yield* call("GET", "/swaps", { key: null, headers }), 401)
    const { key } = yield* issue(yield* newAccount(), { scopes: ["status"] })
    assertFailure(yield* call("GET", "/swaps", { key, headers }), 403)
  })

  it.effect("has nothing of another account", function* () {
    yield* complete
    const { key } = yield* issue(yield* newAccount())
    for (const status of ["completed", "waiting"]) {
      assert.deepStrictEqual((yield* csv({ status }, key)).rows, [])
    }
  })

  it.effect("is documented beside the list", function* () {
    const document = yield* get("/openapi.json")
    const content = find(document, "paths", "/swaps", "get", "responses", "200", "content") ?? null
    assert.deepStrictEqual(Object.keys(objectAt(content)).toSorted(), ["application/json", "text/csv"])
  })
})
