import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { inItsOwnWorld, type Kit } from "./kit.ts"
import { toStatus } from "../../support/toStatus.ts"
import { channelsOf } from "../../support/channelsOf.ts"

/** States that only a newer upstream has. */
export const unknown = <R, E>(kit: Kit<R, E>): void =>
  it.effect("keeps the last known state for a state that it does not know (decision 23)", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const { channel, status } = yield* channelsOf(provider).open(kit.fixtures.request)
        yield* upstream.inventStates
        for (const state of ["waiting", "sending"] as const) {
          const found = yield* toStatus(channelsOf(provider).status(channel.id, { ...status, state }))
          assert.deepStrictEqual(Option.map(found, ({ state }) => state), Option.some(state))
        }
        yield* upstream.heal
        const found = yield* toStatus(channelsOf(provider).status(channel.id, status))
        assert.deepStrictEqual(Option.map(found, ({ state }) => state), Option.some("waiting"))
      })))
