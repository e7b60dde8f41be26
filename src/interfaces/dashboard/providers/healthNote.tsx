import { Duration, Effect } from "effect"
import { EpochMillis } from "#domain/Time.ts"
import { age, ago, clock, dollars, type Hour, hours, rate } from "../../pages/values.tsx"
import { hourLabel, hourMillis, lastHours, startOfDay } from "../../pages/charts.tsx"
import { contactUrl, type Html, nothing, path, withFragment, withQuery } from "../../pages/jsx-runtime.ts"
import { acts, button, note, untrusted } from "../../pages/parts.tsx"
import { counted } from "#domain/figures.ts"
import { healthOf, type ProviderStanding, stateOf, wholeSwitch } from "#providers/Registry.ts"
import { latestError, operationList, pausedAt, providerPath, scopeOf, stateText } from "./providerParts.tsx"
import {
  type HistoryFigure,
  historyFigures,
  latencyAt,
  tellMillis,
  tellPart,
  type ToldPart,
} from "#domain/operations/ProviderHistory.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { ProviderHistory } from "#infrastructure/ops/ProviderHistory.ts"
import { Alerts } from "#application/alerts/Alerts.ts"
import type { Stalls } from "#domain/swaps/SwapRecord.ts"
import { StallDetector } from "#application/swapping/following/StallDetector.ts"
import { type Held, heldBy } from "../alerts/decision.tsx"

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

/** A provider with its day, its stalled swaps and what they hold. */
export interface Seen {
  readonly standing: ProviderStanding
  readonly day: Day
  readonly stalls: Stalls | undefined
  readonly held: Held | undefined
  /** Since when it is down or degraded, once an alert tells so. */
  readonly failedSince: EpochMillis | undefined
}

export const loadProvider = Effect.fnUntraced(function* (standing: ProviderStanding, now: EpochMillis) {
  const { name } = standing
  const stalls = (yield* (yield* StallDetector).stalls).find(({ platform }) => platform === name)
  const active = yield* (yield* Alerts).active
  const failure = active.find(({ alert }) => alert.type === "provider_down" && alert.provider === name)
  const seen: Seen = {
    standing,
    failedSince: failure?.since,
    day: yield* dayOf(name, now),
    stalls,
    held: stalls === undefined ? undefined : yield* heldBy(name),
  }
  return seen
})

/** Whether somebody should look at it: it is not up, its calls fail in this hour, or swaps are stalled at it. */
export const isUnhealthy = ({ day, stalls, standing }: Pick<Seen, "day" | "stalls" | "standing">): boolean =>
  healthOf(standing) !== "up" || failingSince(day) !== undefined || stalls !== undefined

/** The stalled swaps of a provider, as a list. */
export const stalledPath = (platform: string) =>
  withQuery(path`/dashboard/swaps`, { view: "stalled", platform })

const switchedOff = (standing: ProviderStanding, now: EpochMillis): Html => {
  const whole = wholeSwitch(standing)
  if (whole !== undefined) {
    return (
      <>
        Switched off by {untrusted(whole.changedBy)} {ago(whole.changedAt, now)}:{" "}
        {untrusted(whole.reason)}.{" "}
      </>
    )
  }
  const parts = standing.switches.map(scopeOf)
  return <>{parts.length > 0 && `Switched off: ${parts.join(", ")}. `}</>
}

/** What is paused, and when the first of it is tried again. */
const pausedText = ({ failedSince, standing }: Seen, now: EpochMillis): Html => {
  const paused = pausedAt(standing)
  if (paused.length === 0) return nothing
  const waits = paused.flatMap((one) => {
    const circuit = standing.registered?.operations[one].circuit
    return circuit?._tag === "Open" ? [Duration.toMillis(circuit.retryAfter)] : []
  })
  const retry = EpochMillis.make(Math.ceil(now + Math.min(...waits)))
  return (
    <>
      Paused after repeated errors{failedSince !== undefined && <>{" "}since {clock(failedSince, now)} UTC
      </>}; other calls continue. Next retry {age(retry, now)}. Calls resume automatically.{" "}
    </>
  )
}

const failing = (day: Day): Html => {
  const since = failingSince(day)
  if (since === undefined) return nothing
  const parts = day.hours.filter(({ at }) => at >= since)
  const [calls, failed] = [
    parts.reduce((sum, { calls }) => sum + calls, 0),
    parts.reduce((sum, { failed }) => sum + failed, 0),
  ]
  return <>{rate(failed, calls) ?? ""} of calls failed since {hourLabel(since)} UTC.{" "}</>
}

const lastError = (standing: ProviderStanding, now: EpochMillis): Html => {
  const error = latestError(standing)
  return (
    <>
      {error !== undefined && (
        <>
          Last error ({operationList([error.operation])}) {ago(error.at, now)}:{" "}
          {untrusted(error.detail.replace(/\.$/, ""), 160)}.{" "}
        </>
      )}
    </>
  )
}

/** What the stalled swaps of a provider hold. */
const held = ({ held, stalls }: Seen, isTitle: boolean): Html => {
  if (stalls === undefined) return nothing
  const value = held !== undefined && held.valued > 0
    ? dollars(held.value, "whole", "of the deposit")
    : undefined
  if (isTitle) return <>{value !== undefined && <>They hold {value}.{" "}</>}The provider itself is up.</>
  return (
    <>
      <b>{counted(stalls.swaps, "swap")} stalled</b>
      {value !== undefined && <>{" "}with {value}</>}.
    </>
  )
}

/** Whether a provider is well itself, and swaps at it are not. */
const isStalledOnly = ({ day, standing }: Seen): boolean =>
  healthOf(standing) === "up" && failingSince(day) === undefined

/** What ails a provider. */
const illnessOf = (seen: Seen, now: EpochMillis): Html => (
  <>
    {seen.standing.registered === undefined ? "Not configured. Check its settings. " : nothing}
    {switchedOff(seen.standing, now)}
    {pausedText(seen, now)}
    {failing(seen.day)}
    {!isStalledOnly(seen) && lastError(seen.standing, now)}
    {held(seen, isStalledOnly(seen))}
  </>
)

const titleOf = (seen: Seen): string => {
  const { standing } = seen
  if (isStalledOnly(seen)) {
    return `${counted(seen.stalls?.swaps ?? 0, "swap")} stalled at ${standing.contact.name}`
  }
  const state = stateOf(standing)
  const paused = state === "off" ? [] : pausedAt(standing)
  const rest = paused.length > 0
    ? `: ${operationList(paused)} paused`
    : state === "up"
    ? ", but calls fail"
    : ""
  return `${stateText(standing)}${rest}`
}

/** The ill providers, those that are down first; nothing where all are well. */
export const healthNote = (all: ReadonlyArray<Seen>, now: EpochMillis): Html => {
  const ill = all.filter(isUnhealthy)
  if (ill.length === 0) return nothing
  const isDown = ({ standing }: Seen) => stateOf(standing) === "down"
  const [down, others] = [ill.filter(isDown), ill.filter((seen) => !isDown(seen))]
  const actsOf = (seen: Seen): Html => {
    const { support } = seen.standing.contact
    const place = support === undefined ? undefined : contactUrl(support)
    return acts(
      <>
        {seen.held !== undefined &&
          button("Open the oldest swap", path`/dashboard/swaps/${seen.held.oldest}`)}
      </>,
      place !== undefined && button(`Contact ${seen.standing.contact.name} support`, place),
      wholeSwitch(seen.standing) === undefined
        ? button(
          `Switch new swaps at ${seen.standing.contact.name} off`,
          switchPath(seen.standing.name, { operation: "open", enabled: "false" }),
        )
        : button("Switch it on", switchPath(seen.standing.name, { enabled: "true" })),
    )
  }
  return (
    <>
      {[...down, ...others].map((seen) =>
        note(
          isDown(seen) ? "bad" : "warn",
          { title: titleOf(seen), text: illnessOf(seen, now) },
          { acts: actsOf(seen) },
        )
      )}
    </>
  )
}

/** The form of the switch of a provider, filled in with a scope and position. */
export const switchPath = (
  name: string,
  wish: { readonly enabled: "true" | "false"; readonly operation?: string; readonly asset?: string },
) =>
  withFragment(
    withQuery(providerPath(name), { set: wish.enabled, of: wish.operation, asset: wish.asset }),
    "switch",
  )
