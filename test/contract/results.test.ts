import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses } from "./support/addresses.ts"
import { call, get, type Query, withOwnBroker } from "./support/call.ts"
import { integerAt, listAt, objectAt, textAt } from "./support/Json.ts"
import { faultyParameters } from "./support/problem.ts"
import { deposit, openSwap, passUntil, recordOf } from "./support/swaps.ts"

const ids = (path: string, query: Query) =>
  Effect.map(get(path, query), (list) => listAt(list).map((record) => integerAt(record, "id")))

withOwnBroker()("the result of a swap (decision 58)", (it) => {
  it.effect("is a member and a filter of every list, absent while the swap is open", function* () {
    const [paid, back, open] = [
      yield* openSwap(),
      yield* openSwap({ minimumPrice: "1000", refundAddress: addresses.btc, retryDurationInBlocks: "0" }),
      yield* openSwap(),
    ]
    for (const opened of [paid, back]) yield* deposit(opened, "25000000")
    for (const opened of [paid, back]) yield* passUntil(opened, "completed")
    const [paidId, backId, openId] = [paid, back, open].map((opened) => integerAt(opened, "id"))

    assert.strictEqual(textAt(yield* recordOf(paid), "status", "result"), "completed")
    assert.strictEqual(textAt(yield* recordOf(back), "status", "result"), "refunded")
    assert.notProperty(objectAt(yield* recordOf(open), "status"), "result")
    for (const path of ["/swaps", "/operator/swaps"]) {
      assert.deepStrictEqual(yield* ids(path, { result: "refunded" }), [backId], path)
      assert.deepStrictEqual(yield* ids(path, { result: "completed" }), [paidId], path)
      assert.deepStrictEqual(yield* ids(path, { result: "failed" }), [])
      assert.deepStrictEqual(yield* ids(path, { result: "partlyRefunded" }), [])
      assert.deepStrictEqual(yield* ids(path, [["result", "refunded"], ["result", "completed"]]), [
        backId,
        paidId,
      ])
      assert.deepStrictEqual(yield* ids(path, { result: "refunded", status: "failed" }), [])
      assert.deepStrictEqual(yield* ids(path, { result: "refunded", platform: "chainflip" }), [backId])
      assert.deepStrictEqual(
        faultyParameters(yield* call("GET", path, { query: { result: "refundd" } })),
        ["result"],
      )
      const { text } = yield* call("GET", path, {
        query: [["status", "completed"], ["status", "waiting"]],
        headers: { accept: "text/csv" },
      })
      const [head = "", ...lines] = text.trimEnd().split("\r\n")
      const column = head.split(",").indexOf("result")
      assert.deepStrictEqual(lines.map((line) => line.split(",")[column]), ["", "refunded", "completed"])
    }
    assert.deepStrictEqual(yield* ids("/operator/swaps", { expired: "false", status: "waiting" }), [openId])
    assert.deepStrictEqual(yield* ids("/operator/swaps", { expired: "true" }), [])
  })
})
