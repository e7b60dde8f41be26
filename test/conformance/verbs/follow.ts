import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { ProviderError } from "#domain/ProviderError.ts"
import { isSettled, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { Fixtures } from "../Fixtures.ts"

/** So often is a swap looked at before it counts as stuck. */
const patience = 1_000

type History = readonly [first: SwapStatus, ...rest: ReadonlyArray<SwapStatus>]

/** Every record of a swap, from the first to its end. */
export const follow = Effect.fnUntraced(function* (
  look: (known: SwapStatus) => Effect.Effect<Option.Option<SwapStatus>, ProviderError>,
  first: SwapStatus,
  lookEvery: Fixtures<never>["lookEvery"],
): Effect.fn.Return<History, ProviderError> {
  let last = first
  const seen: Array<SwapStatus> = []
  for (let looks = 0; looks < patience && !isSettled(last); looks++) {
    yield* TestClock.adjust(lookEvery)
    const found = yield* look(last)
    last = Option.getOrElse(found, () => last)
    seen.push(last)
  }
  assert.isTrue(isSettled(last), `still ${last.state} after ${patience} looks`)
  return [first, ...seen]
})
