import { Config, Effect, Option, Result, Schema } from "effect"
import { type Issues, issueWith } from "./domain/Issues.ts"

/** One setting of the environment: what it is called, what it may be, and what it means. */
export interface Setting<A> {
  readonly name: string
  readonly meaning: string
  /** The text that stands for an unset variable; without one the setting may be absent. */
  readonly defaultText: Option.Option<string>
  /** How config/settings.md words a default that depends on something else. */
  readonly defaultNote?: string
  /** Reads it from the environment; a value that does not fit is an issue that never repeats the value. */
  readonly read: Effect.Effect<Result.Result<A, Issues>>
}

interface Description<A> {
  readonly name: string
  readonly meaning: string
  readonly schema: Schema.Codec<A, string>
  /** Completes "NAME must be …". */
  readonly expected: string
}

/** An empty variable is an unset one. */
const text = (name: string): Effect.Effect<Option.Option<string>> =>
  Config.option(Config.String(name)).pipe(
    Config.map(Option.filter((value) => value.trim() !== "")),
    Effect.orDie,
  )

const decode = <A>({ name, schema, expected }: Description<A>, value: string): Result.Result<A, Issues> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema)(value),
    () => issueWith(name, `${name} must be ${expected}`),
  )

/** A setting that has a value in any case. */
export const setting = <A>(
  description: Description<A> & { readonly default: string },
): Setting<A> => ({
  name: description.name,
  meaning: description.meaning,
  defaultText: Option.some(description.default),
  read: Effect.map(
    text(description.name),
    (found) => decode(description, Option.getOrElse(found, () => description.default)),
  ),
})

/** A setting that may be absent; `defaultNote` says what then holds. */
export const optionalSetting = <A>(
  description: Description<A> & { readonly defaultNote: string },
): Setting<Option.Option<A>> => ({
  name: description.name,
  meaning: description.meaning,
  defaultText: Option.none(),
  defaultNote: description.defaultNote,
  read: Effect.map(text(description.name), (found) =>
    Option.match(found, {
      onNone: () => Result.succeed(Option.none()),
      onSome: (value) => Result.map(decode(description, value), Option.some),
    })),
})
