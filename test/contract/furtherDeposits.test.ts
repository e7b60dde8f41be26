import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { nativeAt } from "./support/assets.ts"
import { call, get, withOwnBroker } from "./support/call.ts"
import { find, integerAt, type Json, listAt, numberAt, pick, textAt } from "./support/Json.ts"
import { assertJournalsTell } from "./support/journals.ts"
import { ownDays } from "./support/ownDays.ts"
import { deposit, openSwap, pass, passUntil } from "./support/swaps.ts"

const channelOf = (opened: Json) => ({
  issuedBlock: `${integerAt(opened, "issuedBlock")}`,
  network: textAt(opened, "network"),
  channelId: `${integerAt(opened, "channelId")}`,
})

/** Lets time pass until the swap of a deposit is completed; its record. */
const completed = Effect.fnUntraced(function* (transactionHash: string) {
  for (let steps = 0; steps < 200; steps++) {
    const query = { query: { transactionHash } }
    const answer = yield* call("GET", "/status-by-transaction-hash", query)
    if (answer.status === 200 && textAt(answer.body, "status", "state") === "completed") return answer.body
    yield* pass(12)
  }
  throw new Error("The swap of the deposit never completed")
})

const commissionOf = (record: Json): bigint => {
  const [broker] = listAt(find(record, "status", "fees") ?? []).filter((fee) =>
    textAt(fee, "type") === "broker"
  )
  return broker === undefined ? 0n : nativeAt(broker, "amountNative")
}

withOwnBroker({ PROVIDERS: "chainflip" })("each deposit to a channel (decision 49)", (it) => {
  it.effect("is a swap of its own, by its hash, in lists, sums and counts", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb", commissionBps: "25" })
    const channel = channelOf(opened)
    assert.strictEqual(integerAt(yield* get("/status-by-deposit-channel", channel), "swapCount"), 1)
    const first = yield* deposit(opened, "1000000000000000001")
    yield* passUntil(opened, "swapping", 2)
    // The first is still on its way when the second comes, and the third comes after both have ended.
    const second = yield* deposit(opened, "2000000000000000002")
    const records = [yield* completed(first), yield* completed(second)]
    const third = yield* deposit(opened, "3000000000000000003")
    records.push(yield* completed(third))

    assert.deepStrictEqual(
      records.map((record) => textAt(record, "status", "deposit", "amountNative")),
      ["1000000000000000001", "2000000000000000002", "3000000000000000003"],
    )
    assert.deepStrictEqual(
      records.map((record) => textAt(record, "status", "deposit", "transactionReference")),
      [first, second, third],
    )
    const ids = records.map((record) => numberAt(record, "id"))
    assert.strictEqual(new Set(ids).size, 3)
    assert.strictEqual(ids[0], numberAt(opened, "id"))
    const named = records.map((record) => textAt(record, "status", "depositChannel", "id"))
    assert.strictEqual(new Set(named).size, 1)

    const latest = yield* get("/status-by-deposit-channel", channel)
    assert.deepStrictEqual([numberAt(latest, "id"), integerAt(latest, "swapCount")], [ids[2], 3])
    const listed = yield* get("/swaps", { sort: "ascending" })
    assert.deepStrictEqual(listAt(listed).map((record) => numberAt(record, "id")), ids)
    const csv = yield* call("GET", "/swaps", { headers: { accept: "text/csv" } })
    assert.lengthOf(csv.text.trim().split("\n"), 4)
    for (const hash of [first, second, third]) assert.include(csv.text, hash)

    const total = pick(find(yield* get("/commission", ownDays()), "totals") ?? [], () => true)
    const earned = records.map(commissionOf).reduce((sum, amount) => sum + amount, 0n)
    assert.isTrue(earned > 0n)
    assert.strictEqual(nativeAt(total, "amountNative"), earned)
    yield* assertJournalsTell
  })

  it.effect("has a record by its hash when it is too small to be swapped, and while it is confirmed", function* () {
    const opened = yield* openSwap({ sourceAsset: "eth.arb" })
    yield* completed(yield* deposit(opened, "1000000000000000001"))
    const dust = yield* deposit(opened, "1")
    yield* pass(120)
    const record = yield* get("/status-by-transaction-hash", { transactionHash: dust })
    assert.strictEqual(textAt(record, "status", "state"), "failed")
    assert.strictEqual(textAt(record, "status", "deposit", "failure", "mode"), "DEPOSIT_IGNORED")
    assert.notStrictEqual(numberAt(record, "id"), numberAt(opened, "id"))
    const first = yield* get("/status-by-id", { swapId: numberAt(opened, "id") })
    assert.strictEqual(textAt(first, "status", "state"), "completed")
  })
})
