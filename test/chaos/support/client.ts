import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"

/** Asks for quotes and looks at nothing but the status, for where there are many. Interrupted, it hangs up. */
export const statusOf = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
  const url = new URL(`/quotes-native?${new URLSearchParams(query)}`, yield* brokerUrl)
  return yield* Effect.promise(async (signal) => {
    const response = await fetch(url, { headers: { "x-api-key": testKey }, signal })
    await response.body?.cancel()
    return response.status
  })
})

/** Waits until something holds; fails when it does not within two minutes. */
export const eventually = (what: string, holds: () => boolean) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 6_000 && !holds(); tries++) yield* Effect.sleep("20 millis")
    assert.isTrue(holds(), what)
  })
