import { Effect, Option, Predicate } from "effect"
import { relativeTime } from "#domain/durationText.ts"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Json } from "./json.ts"

/** A text beside a time, by the ending of its name. */
const texts = { Date: (at: number) => toIsoDate(EpochMillis.make(at)), Relative: relativeTime } as const

type Ending = keyof typeof texts

/** What stands beside a time, and whether it is over: then it is never told to come, though a network's clock may be ahead. */
interface Beside {
  readonly endings: ReadonlyArray<Ending>
  readonly isOver: boolean
}

const whole: Beside = { endings: ["Date", "Relative"], isOver: false }

/** The members of answers that are times: those of REST in milliseconds of the epoch, our own in ISO 8601. */
const timeLabels: ReadonlyMap<string, Beside> = new Map([
  ["expiresAt", whole],
  ["expectedBy", whole],
  ["since", { ...whole, isOver: true }],
  // The sandbox's clock, which runs ahead of ours.
  ["timeMillis", { endings: ["Date"], isOver: false }],
  ["depositUntil", { endings: ["Relative"], isOver: false }],
  ["openedAt", { endings: ["Relative"], isOver: true }],
  ["changedAt", { endings: ["Relative"], isOver: true }],
  ["at", { endings: ["Relative"], isOver: true }],
])

const instantOf = (value: Json): Option.Option<EpochMillis> =>
  Option.flatMap(
    Option.liftPredicate(Predicate.isNumber)(Predicate.isString(value) ? Date.parse(value) : value),
    EpochMillis.makeOption,
  )

const textsBeside = (name: string, value: Json, now: EpochMillis): ReadonlyArray<readonly [string, Json]> => {
  const beside = timeLabels.get(name)
  const at = instantOf(value)
  if (beside === undefined || Option.isNone(at)) return []
  const { endings, isOver } = beside
  const told = (ending: Ending) =>
    texts[ending](ending === "Relative" && isOver ? Math.min(at.value, now) : at.value, now)
  return endings.map((ending) => [`${name}${ending}`, told(ending)])
}

/** The member of answers that is what REST answers, and stays so. */
const ofRest = "full"

type Members = { readonly [name: string]: Json }

const membersWithTexts = (json: Members, now: EpochMillis): Members =>
  Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => [
      [name, name === ofRest ? value : withTexts(value, now)] as const,
      ...textsBeside(name, value, now),
    ]),
  )

const withTexts = (json: Json, now: EpochMillis): Json => {
  if (Array.isArray(json)) return json.map((one) => withTexts(one, now))
  return Predicate.isObject(json) ? membersWithTexts(json, now) : json
}

/** An answer with its times readable beside them, as of now: an answer that is kept has none of these texts yet. */
export const withReadableTimes = (body: Members): Effect.Effect<Members> =>
  Effect.map(currentMillis, (now) => membersWithTexts(body, now))
