import { assert } from "@effect/vitest"
import { Effect, Match, Option } from "effect"
import { mayHaveOpened, type ProviderError } from "#domain/ProviderError.ts"
import type { Provider } from "#providers/Provider.ts"
import type { Ask, ConnectionFailure, Failure, Fixtures } from "../Fixtures.ts"
import {
  allBut,
  assertErrorOf,
  channelsOf,
  type Check,
  check,
  errorOf,
  grouped,
  isNotPossible,
  type Kit,
  openAs,
  quotesAs,
  toQuoteRequest,
  vaultSwapsOf,
} from "./kit.ts"
import { encodeAs, marksOf, send } from "./vaultSwap.ts"

type Operation = Effect.Effect<unknown, ProviderError>

/** Of what a status is asked. */
const subjectOf = <R>(fixtures: Fixtures<R>, of: "channel" | "payload" | undefined): "channel" | "payload" =>
  of ?? (isNotPossible(fixtures.channels) ? "payload" : "channel")

/** What an operation is named in a test: a status by what it is of. */
const nameOf = <R>(fixtures: Fixtures<R>, ask: Ask): string =>
  ask.operation === "status" ? `status of a ${subjectOf(fixtures, ask.of)}` : ask.operation

const ofChannel = <R, E>(
  { fixtures }: Kit<R, E>,
  provider: Provider,
): Effect.Effect<Operation, ProviderError> =>
  Effect.map(
    openAs(provider, fixtures.request),
    ({ channel, status }) => channelsOf(provider).status(channel.id, status),
  )

const ofPayload = <R, E>(
  { fixtures: { payloads } }: Kit<R, E>,
  provider: Provider,
): Effect.Effect<Operation, ProviderError, R> =>
  isNotPossible(payloads)
    ? Effect.sync(() => assert.fail(`there are no payloads: ${payloads.reason}`))
    : Effect.map(send(provider, payloads.requests[0], payloads.send), ({ encoded, transaction }) =>
      vaultSwapsOf(provider).status({ transaction, marks: marksOf(provider, [encoded]) }, Option.none()))

/** Makes ready for what is asked, while all is well; what it gives then does it. */
const prepare = <R, E>(
  kit: Kit<R, E>,
  provider: Provider,
  ask: Ask,
): Effect.Effect<Operation, ProviderError, R> =>
  Match.value(ask).pipe(
    Match.withReturnType<Effect.Effect<Operation, ProviderError, R>>(),
    Match.discriminatorsExhaustive("operation")({
      assets: () => Effect.succeed(provider.assets),
      quote: ({ request }) => Effect.succeed(quotesAs(provider, request)),
      open: ({ request }) => Effect.sync(() => openAs(provider, request)),
      encode: ({ request }) => Effect.sync(() => encodeAs(provider, request)),
      status: ({ of }) =>
        subjectOf(kit.fixtures, of) === "channel" ? ofChannel(kit, provider) : ofPayload(kit, provider),
    }),
  )

const failsAs = <R, E>(
  kit: Kit<R, E>,
  tag: string,
  failure: Failure<R> | ConnectionFailure<R>,
): Check<E> =>
  check(
    kit,
    `${tag}: ${nameOf(kit.fixtures, failure.ask)}, when ${failure.when}`,
    function* (provider, upstream) {
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
      assert.isNotEmpty(yield* quotesAs(provider, toQuoteRequest(offer, kit.fixtures.request)))
    },
  )

const asksAll = <R, E>(kit: Kit<R, E>, asked: ReadonlySet<string>): Check<E> =>
  check(
    kit,
    "each operation that it has, one time at least",
    ({ channels, vaultSwaps }) =>
      Effect.sync(() =>
        assert.sameMembers([...asked], [
          "assets",
          "quote",
          ...channels === undefined ? [] : ["open", "status of a channel"],
          ...vaultSwaps === undefined ? [] : ["encode", "status of a payload"],
        ])
      ),
  )

/** Every way in which an operation fails, the reason that it gives, and that it works again afterwards. */
export const failures = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const ways = Object.entries(kit.fixtures.failures).flatMap(([tag, ways]) =>
    isNotPossible(ways) ? [] : ways.map((way: Failure<R> | ConnectionFailure<R>) => ({ tag, way }))
  )
  const asked = new Set(ways.map(({ way }) => nameOf(kit.fixtures, way.ask)))
  return grouped(`fails for each reason${allBut(kit.fixtures.failures)}`, [
    asksAll(kit, asked),
    ...ways.map(({ tag, way }) => failsAs(kit, tag, way)),
  ])
}
