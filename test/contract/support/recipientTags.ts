import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { harmlessNames, tagNames } from "#test/support/tagNames.ts"
import { call, get, type Query, type withBroker } from "./call.ts"
import { integerAt } from "./Json.ts"
import { pathOf, payloadKinds, payloadParameters } from "./payloads.ts"
import { faultyParameters } from "./problem.ts"
import { swapParameters } from "./swaps.ts"

const ways = [
  (path: string, query: Query) => call("GET", path, { query }),
  (path: string, query: Query) => call("POST", path, { query }),
  (path: string, query: Query) => call("POST", path, { body: Object.fromEntries(Object.entries(query)) }),
]

/** The paths that begin a swap here, with what opens one. */
const paths: ReadonlyArray<readonly [path: string, query: Query]> = [
  ["/swap", swapParameters()],
  ...payloadKinds.map((kind) => [pathOf(kind), payloadParameters(kind)] as const),
]

const wayOf = (index: number) => ways[index % ways.length] ?? assert.fail()

/** The most names that the header lists. */
const mostListed = 20

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

type It = Parameters<Parameters<ReturnType<typeof withBroker>>[1]>[0]

/** That so many names of tags, and harmless ones, are treated as decision 51 says at each endpoint that begins a swap. */
export const treatsNames = (it: It, count: number, patience: number): void => {
  for (const [path, query] of paths) {
    it.effect(
      `${path}: ${count} names of one are refused by the name that was sent, and nothing is opened`,
      function* () {
        const before = yield* openChannels
        for (const [index, name] of tagNames(count).entries()) {
          const answer = yield* wayOf(index)(path, { ...query, [name]: "12345" })
          assert.strictEqual(answer.status, 400, `${name}: ${answer.text}`)
          assert.deepStrictEqual(faultyParameters(answer), [name])
        }
        assert.strictEqual(yield* openChannels, before)
      },
      patience,
    )

    it.effect(`${path}: ${count} harmless names are ignored, and listed`, function* () {
      const names = harmlessNames(count)
      for (let from = 0; from < names.length; from += mostListed) {
        const some = names.slice(from, from + mostListed)
        const more = Object.fromEntries(some.map((name) => [name, "12345"]))
        const answer = yield* wayOf(from / mostListed)(path, { ...query, ...more })
        assert.strictEqual(answer.status, 200, answer.text)
        const listed = some.map((name) => name.includes(" ") ? `"${name}"` : name).join(", ")
        assert.strictEqual(answer.headers.get("ignored-parameters"), listed)
      }
    }, patience)
  }

  it.effect(`/tx-payload/xrpl: ${count} names of one are refused there, too`, function* () {
    for (const [index, name] of tagNames(count).entries()) {
      assert.include(faultyParameters(yield* wayOf(index)("/tx-payload/xrpl", { [name]: "12345" })), name)
    }
  }, patience)
}
