import { Effect, Option } from "effect"
import type { UndecidedOpening } from "../domain/Idempotency.ts"
import { OpeningTrace } from "../providers/Provider.ts"
import type { Registry } from "../providers/Registry.ts"
import { OutcomeUnknown } from "./Claim.ts"
import type { OpenedSwap, OpeningEntry, OpeningNotRecorded } from "./OpeningEntry.ts"

const unknown = Effect.fail(new OutcomeUnknown())

/**
 * Looks an opening with unknown outcome up at the provider that was asked, and records the channel if there
 * is one. Nothing where provably none was opened: only then may one be opened in its place.
 */
export const findOpened = Effect.fn("Swaps.findOpened")(function* (
  registry: Registry["Service"],
  { platform, request, requestedAt }: UndecidedOpening,
  entry: OpeningEntry,
): Effect.fn.Return<Option.Option<OpenedSwap>, OutcomeUnknown | OpeningNotRecorded> {
  const provider = Option.getOrUndefined(yield* registry.find(platform))
  if (provider?.findOpening === undefined) return yield* unknown
  const trace = yield* provider.findOpening(request, requestedAt).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logWarning("An opening with unknown outcome could not be looked up", error),
        unknown,
      )
    ),
  )
  return yield* OpeningTrace.$match(trace, {
    Found: ({ opened }) => Effect.asSome(entry.opened(platform, opened)),
    NothingOpened: () => Effect.succeedNone,
    NotKnown: () => unknown,
  })
})
