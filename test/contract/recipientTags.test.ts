import { assert } from "@effect/vitest"
import { call, withBroker } from "./support/call.ts"
import { faultyParameters } from "./support/problem.ts"
import { treatsNames } from "./support/recipientTags.ts"
import { swapParameters } from "./support/swaps.ts"

withBroker()("a tag of the recipient or the refund, where a swap begins (decision 51)", (it) => {
  treatsNames(it, 40, 60_000)

  it.effect("one that says nothing is ignored and listed, and one within a member is refused by its path", function* () {
    const empty = yield* call("POST", "/swap", { body: { ...swapParameters(), memo: null, extraId: "" } })
    assert.strictEqual(empty.status, 200, empty.text)
    assert.strictEqual(empty.headers.get("ignored-parameters"), "extraId, memo")
    for (
      const [more, path] of [
        [{ xrpl: { tag: 0 } }, "xrpl.tag"],
        [{ extra: { id: "7" } }, "extra.id"],
        [{ outputs: [{ to: "r", memo: "7" }] }, "outputs[0].memo"],
        [{ ccmPayload: { gasBudget: "1", message: "0x", memo: "7" } }, "ccmPayload.memo"],
      ] as const
    ) {
      const answer = yield* call("POST", "/swap", { body: { ...swapParameters(), ...more } })
      assert.strictEqual(answer.status, 400, answer.text)
      assert.deepStrictEqual(faultyParameters(answer), [path])
    }
  })

  it.effect("a message for a contract stays what it was, and is no tag of the top level", function* () {
    const ccmPayload = { gasBudget: "500000", message: "0xdeadbeef" }
    const sent = yield* call("POST", "/swap", { body: { ...swapParameters(), ccmPayload } })
    assert.strictEqual(sent.status, 200, sent.text)
    const alone = yield* call("POST", "/swap", { body: { ...swapParameters(), message: "0xdeadbeef" } })
    assert.deepStrictEqual(faultyParameters(alone), ["message"])
  })
})
