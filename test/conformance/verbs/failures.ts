import { assert, describe, it } from "@effect/vitest"
import { Effect, Match } from "effect"
import { mayHaveOpened, type ProviderError } from "../../../src/domain/ProviderError.ts"
import type { Provider } from "../../../src/providers/Provider.ts"
import type { Ask, ConnectionFailure, Failure } from "../Fixtures.ts"
import {
  allBut,
  assertErrorOf,
  errorOf,
  inItsOwnWorld,
  isNotPossible,
  type Kit,
  toQuoteRequest,
  vaultSwapsOf,
} from "./kit.ts"
import { channelsOf } from "../../support/channelsOf.ts"

type Operation = Effect.Effect<unknown, ProviderError>

/** Makes ready for what is asked, while all is well; what it gives then does it. */
const prepare = <R, E>(
  { fixtures }: Kit<R, E>,
  provider: Provider,
  ask: Ask,
): Effect.Effect<Operation, ProviderError> =>
  Match.value(ask).pipe(
    Match.withReturnType<Effect.Effect<Operation, ProviderError>>(),
    Match.discriminatorsExhaustive("operation")({
      assets: () => Effect.succeed(provider.assets),
      quote: ({ request }) => Effect.succeed(provider.quotes(request)),
      open: ({ request }) => Effect.succeed(channelsOf(provider).open(request)),
      encode: ({ request }) => Effect.map(vaultSwapsOf(provider), ({ encode }) => encode(request)),
      status: () =>
        Effect.map(
          channelsOf(provider).open(fixtures.request),
          ({ channel, status }) => channelsOf(provider).status(channel.id, status),
        ),
    }),
  )

const failsAs = <R, E>(
  kit: Kit<R, E>,
  tag: string,
  failure: Failure<R> | ConnectionFailure<R>,
): void =>
  it.effect(`${tag}: ${failure.ask.operation}, when ${failure.when}`, () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const operation = yield* prepare(kit, provider, failure.ask)
        const openedBefore = yield* upstream.openings
        yield* failure.conditions ?? Effect.void
        const error = yield* errorOf(operation)
        assertErrorOf(error, kit.fixtures.platform, failure.ask.operation)
        assert.strictEqual(error.reason._tag, tag)
        if ("reached" in failure) assert.propertyVal(error.reason, "reached", failure.reached)

        const opened = (yield* upstream.openings) - openedBefore
        // What says that nothing was opened has to be true: another provider is asked then (decision 16).
        assert.isAtMost(opened, failure.ask.operation === "open" && mayHaveOpened(error.reason) ? 1 : 0)

        yield* upstream.heal
        const [offer] = kit.fixtures.offers
        assert.isNotEmpty(yield* provider.quotes(toQuoteRequest(offer, kit.fixtures.request)))
      })))

/** Every way in which an operation fails, the reason that it gives, and that it works again afterwards. */
export const failures = <R, E>(kit: Kit<R, E>): void => {
  describe(`fails for each reason${allBut(kit.fixtures.failures)}`, () => {
    for (const [tag, ways] of Object.entries(kit.fixtures.failures)) {
      if (isNotPossible(ways)) continue
      for (const way of ways) failsAs(kit, tag, way)
    }
  })
}
