import { Effect, Option, Predicate, type Schema } from "effect"
import { minimumKeyLength } from "#application/accounts/ApiKey.ts"
import { combineIssues, hasIssues, InvalidRequest, issueAbout, type Issues } from "#domain/Issues.ts"
import { withoutExponent } from "#domain/money/Decimal.ts"
import { type RawParameters, readerOf } from "../requests/parameterIssues.ts"
import { meansTag, nearMiss, tagRefusal } from "../requests/nearNames.ts"

/** The digits up to which a double prints every decimal as it was written. */
const exactDigits = 15

/** The most unknown names that are repeated. */
const mostNames = 20

/** The most characters of a name that is repeated because there is more to say of it. */
const longestNear = 64

const which = (names: ReadonlyArray<string>): string => `of this tool, which takes ${names.join(", ")}`

/** An issue of a name that the tool does not have. A name that is long enough to be an API key is not repeated. */
const unknownName = (name: string, names: ReadonlyArray<string>): Issues => {
  const hint = meansTag(name) ? tagRefusal(name) : nearMiss(name, names)
  const isRepeated = name.length < (hint === undefined ? minimumKeyLength : longestNear)
  return issueAbout(
    isRepeated ? name : `(a name of ${name.length} characters, too long to repeat)`,
    hint ?? (isRepeated ? "is no argument of this tool" : `is no argument ${which(names)}`),
  )
}

/** The issues of all names that the tool does not have. Those that are not repeated are counted. */
const unknownNames = (unknown: ReadonlyArray<string>, names: ReadonlyArray<string>): Issues => {
  const left = unknown.length - mostNames
  return combineIssues([
    ...unknown.slice(0, mostNames).map((name) => unknownName(name, names)),
    ...(left > 0 ? [issueAbout(`(${left} further)`, `are no arguments ${which(names)}`)] : []),
  ])
}

/** A number as the text that stands for it in the contract; none where digits may have been lost on the way. */
const textOfNumber = (number: number): string | undefined => {
  const text = withoutExponent(`${number}`)
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "").length
  return Number.isSafeInteger(number) || digits <= exactDigits ? text : undefined
}

interface Read {
  readonly raw: RawParameters
  readonly issues: Issues
}

/** A call's arguments as text parameters; null is absent. Unknown names are refused: one may be a limit. */
const asParameters = (given: unknown, names: ReadonlyArray<string>): Read => {
  const members = Predicate.isObject(given) ? Object.entries(given).filter(([, value]) => value !== null) : []
  const unknown = members.map(([name]) => name).filter((name) => !names.includes(name))
  const inexact = members.flatMap(([name, value]) =>
    Predicate.isNumber(value) && textOfNumber(value) === undefined ? [name] : []
  )
  return {
    raw: Object.fromEntries(
      members.filter(([name]) => names.includes(name) && !inexact.includes(name)).map(([name, value]) => [
        name,
        Predicate.isNumber(value) ? textOfNumber(value) : value,
      ]),
    ),
    issues: combineIssues([
      unknownNames(unknown, names),
      ...inexact.map((name) =>
        issueAbout(name, "has more digits than a JSON number keeps; write it as text")
      ),
    ]),
  }
}

/** The schemas of arguments, none of which needs a service to be read. */
export type Fields = Readonly<Record<string, Schema.Codec<unknown, unknown>>>

/** Makes the reader of a tool's arguments: as they came, each as text, or all issues of their names and digits. */
export const rawReader = (names: ReadonlyArray<string>) => (given: unknown): Read =>
  asParameters(given, names)

/** Makes the reader of the arguments of a schema, which fails with everything that is wrong with them. */
export const argumentsReader = <F extends Fields>(schema: Schema.Struct<F>) => {
  const reader = readerOf(schema)
  const parametersOf = rawReader(Object.keys(schema.fields))
  return (given: unknown) => {
    const { issues, raw } = parametersOf(given)
    const whole = reader.whole(raw)
    if (Option.isSome(whole) && !hasIssues(issues)) return Effect.succeed(whole.value)
    const misread = Option.isSome(whole) ? [] : [reader.part(raw).issues]
    return Effect.fail(new InvalidRequest({ errors: combineIssues([issues, ...misread]) }))
  }
}
