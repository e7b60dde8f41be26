import { Config, Effect, Option, Result, Schema } from "effect"
import { type Issues, issueWith } from "../domain/Issues.ts"
import { credentialsDirectory, mode } from "./common.ts"
import type { Found, Setting } from "./Setting.ts"

/** Settings are invalid: all of them are reported at once, each with its name and what was expected. */
export class SettingsWrong extends Schema.TaggedError<SettingsWrong>()("SettingsWrong", {
  issues: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return ["The settings do not fit:", ...this.issues.map((sentence) => `  ${sentence}`)].join("\n")
  }
}

/** One error for all issues of the settings, each sentence once: a variable can be part of several settings. */
export const settingsWrong = (issues: Issues): SettingsWrong =>
  new SettingsWrong({ issues: [...new Set(Object.values(issues).flat())] })

/** The value, or one error for everything that is wrong. */
export const orSettingsWrong = <A>(result: Result.Result<A, Issues>): Effect.Effect<A, SettingsWrong> =>
  Effect.fromResult(Result.mapError(result, settingsWrong))

export type Texts = Readonly<Record<string, string>>

/** The variables that the sandbox sets, given the URL that it listens on. */
export type Announced = (sandboxUrl: URL) => Texts

const variable = (name: string): Effect.Effect<Option.Option<string>> =>
  Config.option(Config.String(name)).pipe(
    Config.map(Option.filter((text) => text.trim() !== "")),
    Effect.orDie,
  )

/** The content of the file of a setting, without the end of its last line; none where there is no such file. */
const credential = (folder: string, name: string): Effect.Effect<Option.Option<string>, SettingsWrong> =>
  Effect.tryPromise({
    try: async () => {
      const text = (await Deno.readTextFile(`${folder}/${name}`)).replace(/\r?\n$/, "")
      return text.trim() === "" ? Option.none() : Option.some(text)
    },
    catch: (cause) => cause,
  }).pipe(Effect.catch((cause) =>
    cause instanceof Deno.errors.NotFound ? Effect.succeedNone : Effect.fail(
      settingsWrong(issueWith(name, `${name} cannot be read in ${credentialsDirectory.name}: ${cause}`)),
    )
  ))

/**
 * The texts of a setting's variables: those of the environment of this process, and where one is not set that of its
 * file in `CREDENTIALS_DIRECTORY`. An empty text counts as unset.
 */
export const readTexts = Effect.fnUntraced(function* ({ variables }: Setting<unknown>) {
  const folder = yield* variable(credentialsDirectory.name)
  const names = [...new Set(["MODE", ...variables.map(({ name }) => name)])]
  const all = yield* Effect.forEach(names, (name) =>
    variable(name).pipe(
      Effect.flatMap((text) =>
        Option.isNone(text) && Option.isSome(folder) ? credential(folder.value, name) : Effect.succeed(text)
      ),
      Effect.map((text) => Option.toArray(text).map((text) => [name, text] as const)),
    ))
  return Object.fromEntries(all.flat())
})

/** The source of settings: these texts, and in sandbox mode those that the sandbox announces. */
export const foundIn = (texts: Texts, announced: Texts = {}): Found => {
  const of = (all: Texts) => (name: string) => Option.fromUndefinedOr(all[name])
  const ofMode = Result.getOrElse(
    mode.read({ mode: "sandbox", set: of(texts), text: of(texts), announced: of(announced) }),
    () => "sandbox" as const,
  )
  return {
    mode: ofMode,
    set: of(texts),
    text: of(ofMode === "sandbox" ? { ...announced, ...texts } : texts),
    announced: of(announced),
  }
}

/** Reads a few settings, regardless of whether the others are valid. */
export const readOnly = <A>(setting: Setting<A>): Effect.Effect<A, SettingsWrong> =>
  Effect.flatMap(readTexts(setting), (texts) => orSettingsWrong(setting.read(foundIn(texts))))
