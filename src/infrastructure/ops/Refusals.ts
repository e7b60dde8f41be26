import { Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import type { ProviderName } from "#domain/ProviderName.ts"
import { patternOf, type RefusedAnswer } from "#domain/RefusedAnswer.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { mostRefusalsKept, RefusalsRepo } from "../store/ops/RefusalsRepo.ts"
import { metrics } from "./Metrics.ts"
import { surviving } from "../platform/outages.ts"

/** Takes down answers that were refused. It only counts in memory, as the call waits for it. */
export interface RefusalRecorder {
  /** Returns the member by which it is counted. */
  readonly refused: (refusal: RefusedAnswer) => string
}

/** Where the guard reports refused answers; nowhere unless `Refusals` provides it. */
export const RefusalRecorder = Context.Reference<RefusalRecorder>("swap-broker/ops/RefusalRecorder", {
  defaultValue: () => ({ refused: ({ path }) => patternOf(path) }),
})

/** How often refused answers are written. A process that is killed loses those since the last time. */
const writeEvery = Duration.seconds(5)

/** The most members of an operation that are counted apart: their names come from upstreams. */
const mostMembers = 60
const otherMember = "other"

const keyOf = ({ operation, provider }: RefusedAnswer): string => `${provider} ${operation}`

/** Counts the members by which refusals are told apart: elements of a list are one, and what is too much is another. */
const makeMembers = () => {
  const members = new Map<string, Set<string>>()
  return (refusal: RefusedAnswer): string => {
    const known = members.get(keyOf(refusal)) ?? new Set<string>()
    members.set(keyOf(refusal), known)
    const member = patternOf(refusal.path)
    if (!known.has(member) && known.size >= mostMembers) return otherMember
    known.add(member)
    return member
  }
}

/** The latest refused answers by provider and operation, over all replicas; written every few seconds, from memory. */
export class Refusals extends Context.Service<Refusals, {
  /** The latest of a provider, the newest first. */
  readonly latest: (provider: ProviderName) => StoreEffect<ReadonlyArray<RefusedAnswer>>
  /** Writes down all that wait. Those that cannot be written go on waiting. */
  readonly write: Effect.Effect<void>
}>()("swap-broker/ops/Refusals") {
  /** The refusals, and the recorder that counts them. */
  static readonly layer: Layer.Layer<Refusals, never, RefusalsRepo> = Layer.effectContext(
    Effect.gen(function* () {
      const repo = yield* RefusalsRepo
      const context = yield* Effect.context<never>()
      const memberOf = makeMembers()
      const waiting = new Map<string, ReadonlyArray<RefusedAnswer>>()

      const wait = (key: string, refusals: ReadonlyArray<RefusedAnswer>): void => {
        waiting.set(key, refusals.slice(-mostRefusalsKept))
      }

      const write = Effect.gen(function* () {
        const taken = [...waiting]
        waiting.clear()
        yield* Effect.forEach(taken, ([key, refusals]) =>
          repo.add(refusals).pipe(
            surviving("Recording refused responses failed"),
            Effect.tap((added) =>
              Effect.sync(() => {
                if (Option.isNone(added)) wait(key, [...refusals, ...waiting.get(key) ?? []])
              })
            ),
          ), { discard: true })
      })

      const recorder: RefusalRecorder = {
        refused: (refusal) => {
          const { operation, provider } = refusal
          const member = memberOf(refusal)
          metrics.answersRefused({ provider, operation, member }).updateUnsafe(1, context)
          wait(keyOf(refusal), [...waiting.get(keyOf(refusal)) ?? [], refusal])
          return member
        },
      }

      const latest = Effect.fn("Refusals.latest")((provider: ProviderName) =>
        Effect.andThen(write, repo.latest(provider))
      )

      return Context.make(Refusals, Refusals.of({ latest, write })).pipe(
        Context.add(RefusalRecorder, recorder),
      )
    }),
  )

  /** The refusals with their background work, until the scope closes; what waits then is written. */
  static readonly layerRunning: Layer.Layer<Refusals, never, RefusalsRepo> = Layer.effectDiscard(
    Effect.gen(function* () {
      const { write } = yield* Refusals
      yield* Effect.addFinalizer(() => write)
      yield* write.pipe(Effect.repeat(Schedule.spaced(writeEvery)), Effect.forkScoped)
    }),
  ).pipe(Layer.provideMerge(Refusals.layer))
}
