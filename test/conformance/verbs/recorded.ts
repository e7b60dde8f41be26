import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Check, grouped, isNotPossible, type Kit } from "./kit.ts"

/** Bodies that the real upstream has answered, read by the provider's own readers. */
export const recorded = <R, E>({ fixtures: { recorded } }: Kit<R, E>): ReadonlyArray<Check<E>> =>
  isNotPossible(recorded) ? [] : grouped("reads what its upstream was recorded to answer", [
    { name: "which is something", run: Effect.sync(() => assert.isNotEmpty(recorded)) },
    ...recorded.map(({ date, expected, name, operation, read, source }) => ({
      name: `${operation}: ${name}`,
      run: Effect.promise(async () => {
        assert.notStrictEqual(source, "", "says where it stands")
        assert.match(date, /\b20[0-9]{2}\b/, "says from when it is")
        assert.deepStrictEqual(await read(), expected)
      }),
    })),
  ])
