import { Config, Effect, Option, Result, Schema } from "effect"
import type { Issues } from "../domain/Issues.ts"
import { mode } from "./common.ts"
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

/** The variables of a setting in the environment of this process. An empty variable counts as unset. */
export const readTexts = ({ variables }: Setting<unknown>): Effect.Effect<Texts> =>
  Effect.forEach(
    new Set(["MODE", ...variables.map(({ name }) => name)]),
    (name) =>
      Config.option(Config.String(name)).pipe(
        Config.map(Option.filter((text) => text.trim() !== "")),
        Effect.orDie,
        Effect.map((text) => [name, text] as const),
      ),
  ).pipe(
    Effect.map((all) =>
      Object.fromEntries(all.flatMap(([name, text]) => Option.isSome(text) ? [[name, text.value]] : []))
    ),
  )

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
