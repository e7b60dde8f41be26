import { Effect } from "effect"
import {
  type HistoryFigure,
  historyFigures,
  latencyAt,
  tellMillis,
  tellPart,
  type ToldPart,
} from "#domain/operations/ProviderHistory.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { hourMillis, lastHours, startOfDay } from "../../pages/charts.tsx"
import { type Hour, hours } from "../../pages/figures.tsx"
import type { Html } from "../../pages/jsx-runtime.ts"

/** The share of failed calls from which an hour is called slow, and from which it is called failing. */
const [someFail, manyFail] = [0.02, 0.2]

/** How the calls of some parts ended, whatever their operation. */
export interface Calls {
  readonly calls: number
  readonly failed: number
  readonly refused: number
  readonly rejected: number
}

const callsOf = (parts: ReadonlyArray<ToldPart>): Calls => {
  const sum = (figure: (part: ToldPart) => number) => parts.reduce((total, part) => total + figure(part), 0)
  return {
    calls: sum(({ calls }) => calls),
    failed: sum(({ failed }) => failed),
    refused: sum(({ refused }) => refused),
    rejected: sum(({ rejected }) => rejected),
  }
}

/** The last 24 hours of a provider: their parts by hour and operation, their sums, and how each hour was. */
export interface Day extends Calls {
  readonly parts: ReadonlyArray<ToldPart>
  /** The hours, the last one now. */
  readonly hours: ReadonlyArray<Calls & { readonly at: EpochMillis; readonly was: Hour }>
  /** What half of its calls took at most, and nine in ten; absent where no call was timed. */
  readonly p50Millis: number | undefined
  readonly p90Millis: number | undefined
}

const hourWas = ({ calls, failed }: Calls): Hour => {
  if (calls === 0) return "none"
  const share = failed / calls
  return share >= manyFail ? "failing" : share >= someFail ? "slow" : "fine"
}

/** The last 24 hours of a provider. */
export const dayOf = Effect.fnUntraced(function* (provider: ProviderName, now: EpochMillis) {
  const period = { provider, from: startOfDay(now), to: now, partMillis: hourMillis }
  const history = yield* (yield* ProviderHistory).figures(period)
  const parts = history.map(tellPart)
  const total = (name: HistoryFigure) => history.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0)
  const all = Object.fromEntries(historyFigures.map((name) => [name, total(name)]))
  const day: Day = {
    parts,
    ...callsOf(parts),
    hours: lastHours(now).map((at) => {
      const calls = callsOf(parts.filter((part) => part.at === at))
      return { at, ...calls, was: hourWas(calls) }
    }),
    p50Millis: tellMillis(latencyAt(all, 0.5)),
    p90Millis: tellMillis(latencyAt(all, 0.9)),
  }
  return day
})

/** The hours of a day as bars. */
export const hoursOf = (name: string, { hours: day }: Pick<Day, "hours">): Html => {
  const failing = day.filter(({ was }) => was === "failing").length
  return hours(`${name}: failing in ${failing} of the last 24 hours`, day.map(({ was }) => was))
}

/** The hour since which it fails, hours without calls left aside; nothing where its last calls went well. */
export const failingSince = ({ hours: day }: Pick<Day, "hours">): EpochMillis | undefined => {
  const asked = day.filter(({ was }) => was !== "none")
  const lastGood = asked.findLastIndex(({ was }) => was !== "failing")
  return asked[lastGood + 1]?.at
}
