import { Context, Duration, Effect, Layer, Option, Schedule } from "effect"
import {
  bucketMillis,
  bucketOf,
  type HistoryFigure,
  historyFigures,
  type HistoryPart,
  type HistoryPeriod,
  latencyFigureOf,
  tellPart,
  type ToldPart,
} from "#domain/operations/ProviderHistory.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { type HistoryAddition, ProviderHistoryRepo } from "../store/ops/ProviderHistoryRepo.ts"
import { CallRecorder } from "./CallRecorder.ts"
import { repeating, surviving } from "../platform/outages.ts"

/** How often figures are written. A process that is killed loses those since the last time. */
const writeEvery = Duration.seconds(5)

/** How often the oldest parts are deleted, and how many rows at once. */
const tidyEvery = Duration.minutes(10)
const atOnce = 1_000

/** The most parts that wait to be written while the database is away: some hours of them. */
const mostWaiting = 2_000

type Figures = Partial<Record<HistoryFigure, number>>

interface Waiting extends Omit<HistoryAddition, "figures"> {
  readonly figures: Figures
}

/** An open circuit, and the time up to which it was counted. */
interface OpenCircuit {
  readonly provider: string
  readonly operation: string
  readonly counted: number
}

/** The figures that wait to be written. */
const makeWaiting = () => {
  let waiting = new Map<string, Waiting>()
  const open = new Map<string, OpenCircuit>()

  const add = (
    { provider, operation }: Pick<Waiting, "provider" | "operation">,
    at: number,
    figure: HistoryFigure,
    count: number,
  ): void => {
    const part = bucketOf(at)
    const key = `${provider} ${operation} ${part}`
    const known = waiting.get(key) ?? { provider, operation, at: part, figures: {} }
    if (!waiting.has(key) && waiting.size >= mostWaiting) return
    known.figures[figure] = (known.figures[figure] ?? 0) + count
    waiting.set(key, known)
  }

  /** Adds the time of an open circuit up to now, to each part that it was open in. */
  const addOpen = ({ counted, ...of }: OpenCircuit, to: number): void => {
    for (let from = counted; from < to;) {
      const end = Math.min(to, bucketOf(from) + bucketMillis)
      add(of, from, "openMillis", end - from)
      from = end
    }
  }

  const recorder: CallRecorder = {
    call: (call, at) => {
      add(call, at, call.ended, 1)
      if (call.tookMillis !== undefined) add(call, at, latencyFigureOf(call.tookMillis), 1)
    },
    circuit: (provider, operation, isOpen, at) => {
      const key = `${provider} ${operation}`
      const known = open.get(key)
      if (known !== undefined) addOpen(known, at)
      if (!isOpen) open.delete(key)
      else open.set(key, { provider, operation, counted: at })
    },
    offers: (offering, best, at) => {
      for (const provider of offering) add({ provider, operation: "quote" }, at, "offered", 1)
      add({ provider: best, operation: "quote" }, at, "best", 1)
    },
  }

  /** Everything that waits, which is then no longer kept here. */
  const take = (now: number): ReadonlyArray<Waiting> => {
    for (const [key, circuit] of open) {
      addOpen(circuit, now)
      open.set(key, { ...circuit, counted: Math.max(now, circuit.counted) })
    }
    const taken = [...waiting.values()]
    waiting = new Map()
    return taken
  }

  /** Puts back what could not be written, beside what was counted since. */
  const giveBack = (taken: ReadonlyArray<Waiting>): void => {
    for (const part of taken) {
      for (const [figure, count] of figuresOf(part)) add(part, part.at, figure, count)
    }
  }

  return { recorder, take, giveBack }
}

const figuresOf = ({ figures }: Waiting): ReadonlyArray<readonly [HistoryFigure, number]> =>
  historyFigures.flatMap((figure) =>
    figures[figure] === undefined ? [] : [[figure, figures[figure]] as const]
  )

/**
 * The history of providers: how their calls ended, how long these took and how long circuits were open, by group of
 * operations and five minutes. Figures wait in memory, so that no call waits for the database, and are written every
 * few seconds and when the process stops. A process that is killed loses the last seconds; a write whose answer was
 * lost is made again, so a part can count some calls twice after the database was away. They are figures to look at,
 * not records to settle by.
 */
export class ProviderHistory extends Context.Service<ProviderHistory, {
  /** The parts of a period in which there was anything, by operation and time; without the last seconds. */
  readonly read: (period: HistoryPeriod) => StoreEffect<ReadonlyArray<ToldPart>>
  /** The same parts with all their figures. */
  readonly figures: (period: HistoryPeriod) => StoreEffect<ReadonlyArray<HistoryPart>>
  /** Writes down all figures that wait. Those that cannot be written go on waiting. */
  readonly write: Effect.Effect<void>
}>()("swap-broker/ops/ProviderHistory") {
  /** The history, and the recorder that counts for it. */
  static readonly layer = Layer.effectContext(
    Effect.gen(function* () {
      const repo = yield* ProviderHistoryRepo
      const { giveBack, recorder, take } = makeWaiting()

      const write = Effect.gen(function* () {
        const taken = take(yield* currentMillis)
        if (taken.length === 0) return
        yield* repo.add(taken).pipe(
          surviving("Recording the provider history failed"),
          Effect.tap((added) =>
            Effect.sync(() => {
              if (Option.isNone(added)) giveBack(taken)
            })
          ),
        )
      })

      return Context.make(
        ProviderHistory,
        ProviderHistory.of({
          read: Effect.fn("ProviderHistory.read")((period: HistoryPeriod) =>
            Effect.map(repo.read(period), (parts) => parts.map(tellPart))
          ),
          figures: repo.read,
          write,
        }),
      ).pipe(Context.add(CallRecorder, recorder))
    }),
  )

  /** The history with its background work, until the scope closes; what waits then is written. */
  static readonly layerRunning = ({ keep }: { readonly keep: Duration.Duration }) =>
    Layer.effectDiscard(Effect.gen(function* () {
      const history = yield* ProviderHistory
      const repo = yield* ProviderHistoryRepo
      const tidy = Effect.gen(function* () {
        const before = EpochMillis.make(Math.max(0, (yield* currentMillis) - Duration.toMillis(keep)))
        while ((yield* repo.expire(before, atOnce)) === atOnce) yield* Effect.yieldNow
      })
      yield* Effect.addFinalizer(() => history.write)
      yield* history.write.pipe(Effect.repeat(Schedule.spaced(writeEvery)), Effect.forkScoped)
      yield* tidy.pipe(repeating("Cleaning the provider history failed", tidyEvery))
    })).pipe(Layer.provideMerge(ProviderHistory.layer))
}
