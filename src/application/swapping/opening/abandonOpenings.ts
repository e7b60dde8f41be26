import { Effect } from "effect"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { OpeningsRepo } from "#infrastructure/store/swaps/OpeningsRepo.ts"

/** Warns the operator of openings that their process did not finish: they may have opened channels. */
const warn = (given: OpeningsRepo["Service"]["giveUpAll"]) =>
  Effect.flatMap(given, (openings) =>
    Effect.forEach(
      openings,
      ({ account, id, platform }) =>
        Effect.logWarning("A process ended while this swap was opened; a channel may exist").pipe(
          Effect.annotateLogs({ swap: id, platform, account }),
        ),
      { discard: true },
    ))

/** Gives up openings that no process can be working on any more. */
export const abandonLapsedOpenings = (
  openings: OpeningsRepo["Service"],
): Effect.Effect<void, StoreUnavailable> =>
  Effect.flatMap(currentMillis, (now) => warn(openings.giveUpLapsed(now)))

/** Gives up all openings under way. Only for a process that is the only one, before it begins. */
export const abandonAllOpenings = (
  openings: OpeningsRepo["Service"],
): Effect.Effect<void, StoreUnavailable> => warn(openings.giveUpAll)
