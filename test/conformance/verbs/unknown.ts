import { assert } from "@effect/vitest"
import { Option } from "effect"
import type { Payloads } from "../Fixtures.ts"
import { type Check, check, isNotPossible, type Kit, lookAt, openAs } from "./kit.ts"
import { assertAsAsked, lookAgain, sentAndFound } from "./vaultSwap.ts"

const ofChannels = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(
    kit,
    "keeps the last known state for a state that it does not know (decision 23)",
    function* (provider, upstream) {
      const opened = yield* openAs(provider, kit.fixtures.request)
      yield* upstream.inventStates
      for (const state of ["waiting", "sending"] as const) {
        const found = yield* lookAt(provider, opened, { ...opened.status, state })
        assert.deepStrictEqual(Option.map(found, ({ state }) => state), Option.some(state))
      }
      yield* upstream.heal
      const found = yield* lookAt(provider, opened, opened.status)
      assert.deepStrictEqual(Option.map(found, ({ state }) => state), Option.some("waiting"))
    },
  )

const ofPayloads = <R, E>(kit: Kit<R, E>, payloads: Payloads<R>): Check<E> =>
  check(
    kit,
    "keeps the last known state of a vault swap for a state that it does not know (decision 23)",
    function* (provider, upstream) {
      const [request] = payloads.requests
      const sent = yield* sentAndFound(kit, payloads, provider, request)
      yield* upstream.inventStates
      for (const state of ["receiving", "sending"] as const) {
        const found = yield* lookAgain(provider, sent, { ...sent.first.status, state })
        assert.deepStrictEqual(Option.map(found, ({ state }) => state), Option.some(state))
      }
      yield* upstream.heal
      const found = yield* lookAgain(provider, sent, sent.first.status)
      assert.deepStrictEqual(Option.map(found, ({ state }) => state), Option.some(sent.first.status.state))
      Option.map(found, (status) => assertAsAsked(kit, provider, status, request))
    },
  )

/** States that only a newer upstream has. */
export const unknown = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels, payloads } = kit.fixtures
  return [
    ...isNotPossible(channels) ? [] : [ofChannels(kit)],
    ...isNotPossible(payloads) ? [] : [ofPayloads(kit, payloads)],
  ]
}
