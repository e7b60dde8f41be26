import { Effect } from "effect"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import type { SwapRecordId } from "../domain/SwapRecord.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { OpeningsRepo } from "../store/swaps/OpeningsRepo.ts"

/** Openings that their process did not finish may have opened channels: the operator must know. */
const warn = (given: Effect.Effect<ReadonlyArray<SwapRecordId>, StoreUnavailable>) =>
  Effect.flatMap(given, (ids) =>
    Effect.forEach(
      ids,
      (id) =>
        Effect.logWarning("A process ended while this swap was opened; a channel may exist").pipe(
          Effect.annotateLogs({ swap: id }),
        ),
      { discard: true },
    ))

/** Gives up what nobody can be working at any more. */
export const giveUpLapsed = (openings: OpeningsRepo["Service"]): Effect.Effect<void, StoreUnavailable> =>
  Effect.flatMap(currentMillis, (now) => warn(openings.giveUpLapsed(now)))

/** Gives up everything that is under way: only for the one process there is, before it begins. */
export const giveUpAll = (openings: OpeningsRepo["Service"]): Effect.Effect<void, StoreUnavailable> =>
  warn(openings.giveUpAll)
