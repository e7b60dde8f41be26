import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { observe } from "#test/interfaces/http/observe.ts"
import { broker, brokerUrl } from "#test/support/broker.ts"
import { visitAsAgent } from "./support/agents.ts"
import { secretSettings } from "./support/canaryService.ts"
import { misplace, visit } from "./support/flows.ts"
import { callersOwn, leaks, leaksOf, markers } from "./support/markers.ts"

describe("secrets", () => {
  it.live("are in no span", () => {
    const observed = observe()
    return Effect.gen(function* () {
      const url = yield* brokerUrl
      yield* Effect.promise(() => visit(url))
      yield* Effect.promise(() => misplace(url, [markers.apiKey]))
      const { confirmation } = yield* Effect.promise(() => visitAsAgent(url))
      assert.isAbove(observed.spans.length, 1_000)
      assert.deepStrictEqual(leaksOf(confirmation)(observed.text()), [])
      assert.deepStrictEqual(leaks(observed.text()), [])
      assert.deepStrictEqual(leaksOf(callersOwn)(observed.text()), [])
    }).pipe(Effect.provide(broker(secretSettings).pipe(Layer.provide(observed.layer))))
  })
})
