import { isList, isObject, type Json } from "#test/contract/support/Json.ts"
import { callOf, type Exchange } from "./Bystander.ts"

/** The way to a member; `*` is any element of a list. */
export type Way = ReadonlyArray<string>

/** A change of one member in every answer to a call. */
export interface Mutation {
  readonly call: string
  readonly way: Way
  readonly kind: "removed" | "retyped"
}

/** The way as the differences write it. */
export const writtenWay = (way: Way): string =>
  way.reduce((text, step) => step === "*" ? `${text}[*]` : text === "" ? step : `${text}.${step}`, "")

/** A path of a difference, in which every element of a list is the same. */
export const patternOf = (path: string): string => path.replaceAll(/\[\d+\]/g, "[*]")

const waysIn = (json: Json, way: Way): ReadonlyArray<Way> => {
  if (isList(json)) return json.flatMap((element) => waysIn(element, [...way, "*"]))
  if (!isObject(json)) return []
  return Object.entries(json).flatMap(([name, member]) => [[...way, name], ...waysIn(member, [...way, name])])
}

/** Every change of every member of every call's answers. */
export const mutationsOf = (
  exchanges: ReadonlyArray<Exchange>,
  parse: (text: string) => Json,
): ReadonlyArray<Mutation> =>
  [...Map.groupBy(exchanges, callOf)].flatMap(([call, answers]) => {
    const ways = new Map(
      answers.flatMap(({ answer }) => waysIn(parse(answer), []))
        .map((way) => [JSON.stringify(way), way] as const),
    )
    return [...ways.values()].flatMap((way): ReadonlyArray<Mutation> => [
      { call, way, kind: "removed" },
      { call, way, kind: "retyped" },
    ])
  })

/** A value of another kind, which no member of a scalar, a list or an object is written as. */
const retyped = (json: Json): Json => isList(json) || isObject(json) ? "retyped" : { retyped: true }

/** The answer with another value wherever the way leads; without the member where there is none. */
export const changedAt = (
  json: Json,
  [step, ...rest]: Way,
  change: (member: Json) => Json | undefined,
): Json => {
  if (step === undefined) return json
  if (step === "*") return isList(json) ? json.map((element) => changedAt(element, rest, change)) : json
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, member]) => {
      if (name !== step) return [[name, member]]
      const next = rest.length > 0 ? changedAt(member, rest, change) : change(member)
      return next === undefined ? [] : [[name, next]]
    }),
  )
}

/** The answer with the change made. */
export const mutated = (json: Json, { kind, way }: Mutation): Json =>
  changedAt(json, way, (member) => kind === "removed" ? undefined : retyped(member))
