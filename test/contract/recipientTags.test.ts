import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { harmlessNames, tagNames } from "../support/tagNames.ts"
import { call, get, type Query, withBroker } from "./support/call.ts"
import { integerAt } from "./support/Json.ts"
import { pathOf, payloadKinds, payloadParameters } from "./support/payloads.ts"
import { faultyParameters } from "./support/problem.ts"
import { swapParameters } from "./support/swaps.ts"

const ways = [
  (path: string, query: Query) => call("GET", path, { query }),
  (path: string, query: Query) => call("POST", path, { query }),
  (path: string, query: Query) => call("POST", path, { body: Object.fromEntries(Object.entries(query)) }),
]

/** The paths that begin a swap, with what opens one. */
const paths: ReadonlyArray<readonly [path: string, query: Query]> = [
  ["/swap", swapParameters()],
  ...payloadKinds.map((kind) => [pathOf(kind), payloadParameters(kind)] as const),
]

const wayOf = (index: number) => ways[index % ways.length] ?? assert.fail()

/** The most names that the header lists. */
const mostListed = 20

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

withBroker()("a tag of the recipient or the refund, where a swap begins (decision 51)", (it) => {
  for (const [path, query] of paths) {
    it.effect(
      `${path}: 500 names of one are refused by the name that was sent, and nothing is opened`,
      function* () {
        const before = yield* openChannels
        for (const [index, name] of tagNames(500).entries()) {
          const answer = yield* wayOf(index)(path, { ...query, [name]: "12345" })
          assert.strictEqual(answer.status, 400, `${name}: ${answer.text}`)
          assert.deepStrictEqual(faultyParameters(answer), [name])
        }
        assert.strictEqual(yield* openChannels, before)
      },
      60_000,
    )

    it.effect(`${path}: 500 harmless names are ignored, and listed`, function* () {
      const names = harmlessNames(500)
      for (let from = 0; from < names.length; from += mostListed) {
        const some = names.slice(from, from + mostListed)
        const more = Object.fromEntries(some.map((name) => [name, "12345"]))
        const answer = yield* wayOf(from / mostListed)(path, { ...query, ...more })
        assert.strictEqual(answer.status, 200, answer.text)
        const listed = some.map((name) => name.includes(" ") ? `"${name}"` : name).join(", ")
        assert.strictEqual(answer.headers.get("ignored-parameters"), listed)
      }
    }, 60_000)
  }

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
