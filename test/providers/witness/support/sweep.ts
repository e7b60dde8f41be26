import { assert } from "@effect/vitest"
import { Effect, Logger, Option, Schema } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import type { WireDrift, WireMemory } from "#domain/operations/WireRound.ts"
import { WireRoundsRepo } from "#infrastructure/store/ops/WireRoundsRepo.ts"
import { bystander, callOf } from "#test/cli/rehearse/support/Bystander.ts"
import { mutated, type Mutation, mutationsOf, writtenWay } from "#test/cli/rehearse/support/mutations.ts"
import { type Json, parseJson } from "#test/contract/support/Json.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { writeJson } from "#test/tampering/support/json.ts"
import { nextRounds, witnessing } from "./witnessing.ts"

const parse = (text: string): Json => Schema.is(Schema.String)(text) && text !== "" ? parseJson(text) : null

const roundOf = (provider: string) =>
  Effect.map(
    nextRounds,
    (all) => all.find((one) => one.provider === provider) ?? assert.fail(`No round of ${provider}`),
  )

const memoryOf = (provider: string) =>
  Effect.map(
    Effect.flatMap(WireRoundsRepo, (repo) => repo.find(ProviderName.make(provider))),
    Option.match({
      onNone: () => assert.fail("Nothing is remembered"),
      onSome: ({ memory }) => memory.members,
    }),
  )

/** A stage of which nothing but its being there is read. */
const anything = "stages.inbound_observed"

/** Whether the witness has to notice a change: the member is read, and where it is gone it was always there before. */
const isNoticeable = (members: WireMemory["members"], { call, kind, way }: Mutation): boolean => {
  const known = members[call]?.[writtenWay(way)]
  return known !== undefined && (kind === "retyped" ? writtenWay(way) !== anything : known.isSteady)
}

/** Whether a place of drift is the member, or the value that it is a part of. */
const names = ({ call, member }: WireDrift, mutation: Mutation): boolean =>
  call === mutation.call && member === writtenWay(mutation.way)

/** Figures that are only shown (decision 62): read as absent in another form, so nothing of the witness names them. */
export const isOnlyShown = (change: string): boolean =>
  /estimatedDuration|timeEstimate|_seconds/i.test(change)

/** How the changes of a provider's answers came out. */
export interface Sweep {
  readonly possible: number
  readonly made: number
  readonly missed: ReadonlyArray<string>
}

/** Changes one member at a time, some of them or all, with a round after each. */
export const sweep = Effect.fnUntraced(
  function* (provider: string, choose: <A>(all: ReadonlyArray<A>) => ReadonlyArray<A>) {
    const client = yield* startSandbox()
    const { exchanges, tamper, url } = yield* bystander(client.url)
    return yield* Effect.gen(function* () {
      for (let round = 0; round < 3; round++) assert.deepStrictEqual((yield* roundOf(provider)).drift, [])
      const members = yield* memoryOf(provider)
      const possible = mutationsOf(exchanges, parse).filter((mutation) => isNoticeable(members, mutation))
      const missed: Array<string> = []
      const chosen = choose(possible)
      for (const mutation of chosen) {
        const { call, kind, way } = mutation
        tamper((exchange) =>
          callOf(exchange) === call ? writeJson(mutated(parse(exchange.answer), mutation)) : exchange.answer
        )
        const { drift } = yield* roundOf(provider)
        if (!drift.some((place) => names(place, mutation))) {
          const told = drift.map(({ call, came, member, operation }) =>
            `${operation} ${call} ${member} ${came}`
          )
          missed.push(`${call} ${writtenWay(way)} ${kind}: ${told.slice(0, 4).join("; ")}`)
        }
        tamper(undefined)
        const { drift: left } = yield* roundOf(provider)
        if (left.length > 0) {
          missed.push(`after ${call} ${writtenWay(way)} ${kind} left: ${JSON.stringify(left[0])}`)
        }
      }
      return { possible: possible.length, made: chosen.length, missed } satisfies Sweep
    }).pipe(
      Effect.provide(witnessing({ SANDBOX_URL: url.origin, PROVIDERS: provider }, 60)),
      Effect.provide(Logger.layer([])),
    )
  },
)

/** Some changes; an odd stride meets both kinds. */
export const some = (stride: number) => <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.filter((_, index) => index % stride === 0)
