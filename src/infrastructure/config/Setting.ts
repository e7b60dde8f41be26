import { Option, Result, Schema, SchemaAST, Struct } from "effect"
import { hasIssues, issueAbout, type Issues, issuesOf } from "#domain/Issues.ts"

/** The networks that the service works with: simulated ones, or the real ones with real money. */
export type Mode = "sandbox" | "live"

/** One variable of the environment, as the table of settings shows it. */
export interface Variable {
  readonly name: string
  readonly meaning: string
  /** The form of its value: completes "NAME must be …". */
  readonly expected: string
  /** The value or behaviour while the variable is unset, as Markdown. */
  readonly unset: Readonly<Record<Mode, string>>
  /** The texts that hold while the variable is unset. */
  readonly defaults?: Readonly<Record<Mode, string>>
  /** Whether the value may be seen by the service alone. */
  readonly isSecret?: boolean
  /** A command that makes a value. */
  readonly madeWith?: string
  /** Whether the provider that reads the variable needs it, outside of the sandbox. */
  readonly isRequired?: boolean
  /** Whether its default suits almost every operator, so that it is listed in `tuning.md`. */
  readonly isTuning: boolean
  /** The heading that it is listed under. */
  readonly group?: string
  /** The name of the row that it shares with the same variable of every other chain. */
  readonly family?: string
}

export interface FoundSetting {
  readonly mode: Mode
  /** The text of a variable that is set. */
  readonly set: (name: string) => Option.Option<string>
  /** The text of a variable that is set; in sandbox mode, else the text that the sandbox announces for it. */
  readonly text: (name: string) => Option.Option<string>
  /** The text that the sandbox announces for a variable, in either mode. */
  readonly announced: (name: string) => Option.Option<string>
}

/** A value that the operator sets, through one or more variables. */
export interface Setting<out A> {
  readonly variables: ReadonlyArray<Variable>
  /** The value, or every issue by its variable's name. No issue repeats a variable's text: it may be a secret. */
  readonly read: (found: FoundSetting) => Result.Result<A, Issues>
}

export interface VariableSetting<out A> extends Setting<A> {
  readonly name: string
}

export type Value<S> = S extends Setting<infer A> ? A : never

interface Description<A> {
  readonly name: string
  readonly meaning: string
  readonly schema: Schema.Codec<A, string>
  /** Completes "NAME must be …". */
  readonly expected: string
  /** A command that makes a value, such as of a key. */
  readonly madeWith?: string
  /** Whether its default suits almost every operator; true where absent. */
  readonly isTuning?: boolean
}

const decode = <A>({ name, schema, expected }: Description<A>, text: string): Result.Result<A, Issues> =>
  Result.mapError(Schema.decodeUnknownResult(schema)(text), () => issueAbout(name, `must be ${expected}`))

/** Whether the values of a schema are secrets: those that are `Redacted`. */
const isSecret = ({ ast }: Schema.Top): boolean =>
  SchemaAST.toType(ast).annotations?.["expected"] === "Redacted"

/** A text for each mode, which one text may give for both. */
export type ModeText = string | Readonly<Record<Mode, string>>

export const forModes = (text: ModeText): Readonly<Record<Mode, string>> =>
  typeof text === "string" ? { live: text, sandbox: text } : text

const variable = <A>(
  { name, meaning, expected, madeWith, schema, isTuning = true }: Description<A>,
  unset: ModeText,
  more: Pick<Variable, "defaults" | "isRequired"> = {},
) => ({
  name,
  variables: [{
    name,
    meaning,
    expected,
    unset: forModes(unset),
    isSecret: isSecret(schema),
    isTuning,
    ...(madeWith === undefined ? {} : { madeWith }),
    ...more,
  }],
})

/** A setting with a default, the same for both modes or one for each. */
export const setting = <A>(
  description: Description<A> & { readonly default: ModeText },
): VariableSetting<A> => {
  const defaults = forModes(description.default)
  return {
    ...variable(
      description,
      { live: `\`${defaults.live}\``, sandbox: `\`${defaults.sandbox}\`` },
      { defaults },
    ),
    read: ({ mode, text }) =>
      decode(description, Option.getOrElse(text(description.name), () => defaults[mode])),
  }
}

/** A setting that may be absent; `unset` describes the behaviour then. */
export const optionalSetting = <A>(
  description: Description<A> & { readonly unset: ModeText },
): VariableSetting<Option.Option<A>> => ({
  ...variable(description, description.unset),
  read: ({ text }) =>
    Option.match(text(description.name), {
      onNone: () => Result.succeed(Option.none()),
      onSome: (found) => Result.map(decode(description, found), Option.some),
    }),
})

/** A setting that a provider needs; the sandbox announces its own value for the providers that it simulates. */
export const requiredSetting = <A>(description: Description<A>): VariableSetting<A> => ({
  ...variable(
    { ...description, isTuning: false },
    { sandbox: "simulated", live: "none, **required** for this provider" },
    { isRequired: true },
  ),
  read: ({ mode, text }) =>
    Option.match(text(description.name), {
      onNone: () => {
        const why = mode === "live" ? " with MODE=live" : ", as the sandbox has none"
        return Result.fail(issueAbout(description.name, `is required${why}`))
      },
      onSome: (found) => decode(description, found),
    }),
})

/** Whether the operator has set a place other than the sandbox. */
const isElsewhere = ({ name }: VariableSetting<unknown>, { announced, set }: FoundSetting): boolean =>
  Option.exists(set(name), (place) => !Option.contains(announced(name), place))

/** Whether a place is the sandbox's own, in whichever mode. */
export const isOfSandbox = (place: VariableSetting<unknown>): Setting<boolean> => ({
  variables: [],
  read: ({ announced, text }) =>
    Result.succeed(
      Option.exists(announced(place.name), (sandbox) => Option.contains(text(place.name), sandbox)),
    ),
})

/** A setting of a place, such as its key: the sandbox's own value holds only where the place is the sandbox. */
export const ofPlace = <A>(
  place: VariableSetting<unknown>,
  setting: VariableSetting<A>,
): VariableSetting<A> => ({
  ...setting,
  read: (found) => setting.read(isElsewhere(place, found) ? { ...found, text: found.set } : found),
})

/** A value derived from a setting and the mode. */
export const derived = <A, B>(
  setting: Setting<A>,
  derive: (value: A, found: FoundSetting) => B,
): Setting<B> => ({
  variables: setting.variables,
  read: (found) => Result.map(setting.read(found), (value) => derive(value, found)),
})

/** A value fixed by the mode, without a variable. */
export const byMode = <A>(values: Readonly<Record<Mode, A>>): Setting<A> => ({
  variables: [],
  read: ({ mode }) => Result.succeed(values[mode]),
})

/** A fixed value, without a variable. */
export const fixed = <A>(value: A): Setting<A> => ({ variables: [], read: () => Result.succeed(value) })

interface Read extends Struct.Lambda {
  <A>(self: Setting<A>): Result.Result<A, Issues>
  readonly "~lambda.out": this["~lambda.in"] extends Setting<infer A> ? Result.Result<A, Issues> : never
}

interface Succeeded extends Struct.Lambda {
  <A>(self: Result.Result<A, Issues>): A
  readonly "~lambda.out": this["~lambda.in"] extends Result.Result<infer A, Issues> ? A : never
}

const succeeded = Struct.lambda<Succeeded>((result) => Result.getOrThrow(result))

/** Several settings as one, a struct of their values by the same names. All of their issues are reported together. */
export const struct = <const S extends Readonly<Record<string, Setting<unknown>>>>(settings: S) => ({
  variables: Object.values(settings).flatMap(({ variables }) => variables),
  read: (found: FoundSetting) => {
    const results = Struct.map(settings, Struct.lambda<Read>((one) => one.read(found)))
    const issues = issuesOf(Object.values<Result.Result<unknown, Issues>>(results))
    return hasIssues(issues) ? Result.fail(issues) : Result.succeed(Struct.map(results, succeeded))
  },
})

/** Settings that are listed under one heading; under another one those that every operator chooses. */
export const inGroup = <S extends Setting<unknown>>(group: string, setting: S, chosen = group): S => ({
  ...setting,
  variables: setting.variables.map((variable) => ({
    ...variable,
    group: variable.isTuning ? group : chosen,
  })),
})

/** Several settings of one kind, with all of their issues together. */
export const each = <A>(settings: ReadonlyArray<Setting<A>>): Setting<ReadonlyArray<A>> => ({
  variables: settings.flatMap(({ variables }) => variables),
  read: (found) => {
    const results = settings.map((setting) => setting.read(found))
    const issues = issuesOf(results)
    return hasIssues(issues) ? Result.fail(issues) : Result.mapError(Result.all(results), () => issues)
  },
})
