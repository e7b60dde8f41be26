import { Effect, Layer, Option } from "effect"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { Configured } from "#providers/definition.ts"
import { Registry } from "#providers/Registry.ts"
import type { Settings } from "#settings.ts"
import { durationText } from "#domain/durationText.ts"
import { counted } from "#domain/figures.ts"
import { callable, ownProviders } from "../ownProviders.ts"
import { say } from "../output.ts"
import { askAssets, perform, type Plan, usdPricesOf } from "#providers/witness/perform.ts"
import { type Asker, makeAsker, perSecond, type Tally, watched } from "#providers/witness/apiChecks.ts"
import type { CheckDifference } from "#providers/witness/CheckDifference.ts"
import { makeNotes, type Notes } from "#providers/witness/checkNotes.ts"
import { listedPairs } from "#providers/witness/pairs.ts"
import { type Reads, readsOf } from "#providers/witness/Reads.ts"

export interface RehearsalInput extends Plan {
  /** The only provider to ask; all that are enabled where it is absent. */
  readonly provider: Option.Option<ProviderName>
  /** The most questions to one provider that begin in a second. */
  readonly perSecond: number
}

/** How the questions of one operation came out. */
export interface Step extends Tally {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
}

/** What a provider was asked for of all that it lists. */
export interface Coverage {
  readonly provider: ProviderName
  readonly pairsListed: number
  readonly pairsAsked: number
}

export interface Rehearsal {
  readonly fits: boolean
  readonly steps: ReadonlyArray<Step>
  readonly coverage: ReadonlyArray<Coverage>
  /** Those that do not fit first. */
  readonly differences: ReadonlyArray<CheckDifference>
}

/** The provider, watched in what it does by itself: it finds out which assets there are. */
const watchedWith = (notes: Notes) => (one: Configured): Configured => ({
  ...one,
  layer: (surroundings) =>
    Layer.provide(one.layer(surroundings), watched(notes, { provider: one.name, operation: "assets" })),
})

const missing = (
  settings: Settings,
  { provider: wanted }: RehearsalInput,
  reads: ReadonlyArray<Reads>,
): ReadonlyArray<ProviderName> =>
  Option.isSome(wanted)
    ? []
    : settings.enabledProviders.filter((provider) => reads.every(({ name }) => name !== provider))

const operations = ["assets", "quote", "encode", "status", "node", "treasury"] as const

const stepsOf = ({ provider, tallies }: Asker): ReadonlyArray<Step> =>
  operations.flatMap((operation) => {
    const tally = tallies.get(operation)
    return tally === undefined ? [] : [{ provider, operation, ...tally }]
  })

/** Asks the providers for everything that opens nothing, and tells how the answers differ from what is expected. */
export const rehearse = Effect.fnUntraced(function* (settings: Settings, input: RehearsalInput) {
  const notes = makeNotes()
  const configured = yield* callable(settings, input.provider)
  return yield* Effect.gen(function* () {
    const reads = (yield* (yield* Registry).enabled).map(readsOf)
    for (const provider of missing(settings, input, reads)) {
      const found = "is enabled, and cannot be asked: it is not configured, or simulated inside the service"
      notes.add({ provider, operation: "assets" }, { kind: "failure", found })
    }
    const all = yield* Effect.forEach(reads, (one) => {
      const asker = makeAsker(notes, one.name, perSecond(input.perSecond))
      return Effect.map(askAssets(one, asker), (assets) => ({ reads: one, asker, assets }))
    }, { concurrency: "unbounded" })
    const prices = usdPricesOf(all.flatMap(({ assets }) => assets))
    const most = Math.max(0, ...all.map(({ assets }) => input.choose(listedPairs(assets)).length))
    const time = durationText(most * 1_000 / input.perSecond)
    yield* say(`Requesting up to ${counted(most, "quote")} of each provider. This takes ${time} or more`)
    const coverage = yield* Effect.forEach(
      all,
      ({ asker, assets, reads }) =>
        Effect.map(perform(reads, asker, input, assets, prices), ({ chosen, listed }): Coverage => ({
          provider: reads.name,
          pairsListed: listed,
          pairsAsked: chosen,
        })),
      { concurrency: "unbounded" },
    )
    const differences = notes.differences()
    return {
      fits: differences.every(({ fits }) => fits),
      steps: all.flatMap(({ asker }) => stepsOf(asker)),
      coverage,
      differences,
    } satisfies Rehearsal
  }).pipe(Effect.provide(ownProviders(settings, configured.map(watchedWith(notes)))))
})
