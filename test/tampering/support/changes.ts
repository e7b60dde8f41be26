import { Result, Schema } from "effect"
import { find, type Json } from "#test/contract/support/Json.ts"
import { changed, type Path, writeJson } from "./json.ts"
import { patternOf, type Place, placesOf } from "./places.ts"
import { hostileValues, neighbours } from "./values.ts"

/**
 * A change to another value that the wire schema takes, to one that no honest upstream says, to nothing, or as an honest
 * upstream may say the same.
 */
export type Kind = "other" | "hostile" | "absent" | "kind"

/** One change of one member of an answer. */
export interface Change {
  readonly path: Path
  readonly kind: Kind
  /** Nothing takes the member out. */
  readonly value: Json | undefined
  /** What becomes of the member as it stands then, instead of `value`. */
  readonly edit?: (was: Json) => Json
}

/** What an upstream answers, and where in it what the schema is of. */
export interface Form {
  readonly schema: Schema.Codec<unknown, unknown>
  readonly at: Path
}

const distinct = (values: ReadonlyArray<Json>, current: Json | undefined): ReadonlyArray<Json> => {
  const seen = new Set(current === undefined ? [] : [writeJson(current)])
  return values.filter((value) => {
    const text = writeJson(value)
    return seen.has(text) ? false : Boolean(seen.add(text))
  })
}

/** The same values, beginning with another one for each place so that all get their turn. */
const turned = <A>(values: ReadonlyArray<A>, turn: number): ReadonlyArray<A> =>
  values.slice(turn % values.length).concat(values.slice(0, turn % values.length))

/** How many changes of each kind are made of a member at most. */
export interface Share {
  readonly other: number
  readonly hostile: number
}

const memoized = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/** A change that is worked out when it is made; nothing where the schema takes no such value. */
export type Possible = () => Change | undefined

const times = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/**
 * Changes of every member of an answer. `others` are answers of the same operation about something else, such as
 * another customer's swap: their members are the most plausible lies.
 */
export const changesOf = (
  { at, schema }: Form,
  answer: Json,
  others: ReadonlyArray<Json>,
  share: Share,
): ReadonlyArray<Possible> => {
  const root = find(answer, ...at)
  if (root === undefined) return []
  const decode = Schema.decodeUnknownResult(schema)
  const isTaken = (path: Path, value: Json): boolean =>
    Result.isSuccess(decode(JSON.parse(writeJson(changed(root, path, value)))))
  const elsewhere = Map.groupBy(
    others.flatMap((other) => placesOf(schema.ast, find(other, ...at) ?? null)),
    ({ path }) => patternOf(path),
  )

  const valuesAt = (place: Place): ReadonlyArray<Json> => {
    const found = elsewhere.get(patternOf(place.path)) ?? []
    const values = found.flatMap(({ value }) => value === undefined ? [] : [value])
    return distinct([...values, ...neighbours(place)], place.value)
  }

  const changesAt = (place: Place, turn: number): ReadonlyArray<Possible> => {
    const path = [...at, ...place.path]
    const values = turned(valuesAt(place), turn)
    const legal = memoized(() => values.filter((value) => isTaken(place.path, value)).slice(0, share.other))
    const isKnown = place.forms.length > 0
    const absent: ReadonlyArray<Possible> = place.value === undefined
      ? []
      : [() => ({ path, kind: "absent", value: undefined })]
    const other = times(Math.min(values.length, isKnown ? share.other : 1)).map((index): Possible => () => {
      const value = legal()[index]
      return value === undefined ? undefined : { path, kind: "other", value }
    })
    const hostile = turned(hostileValues, turn).slice(0, isKnown ? share.hostile : 1)
      .map((value): Possible => () => ({ path, kind: "hostile", value }))
    return [...absent, ...other, ...hostile]
  }
  return placesOf(schema.ast, root).flatMap(changesAt)
}
