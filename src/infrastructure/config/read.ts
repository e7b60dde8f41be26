import { Config, Effect, Option, Predicate, Result, Schema } from "effect"
import { hasIssues, type Issues } from "#domain/Issues.ts"
import { credentialsDirectory, mode } from "./common.ts"
import { fileVariable, given, SettingFault } from "./given.ts"
import type { FoundSetting, Setting } from "./Setting.ts"

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

/** What was found of settings, before any of it is checked. */
export interface Sources {
  readonly texts: Texts
  /** What keeps settings from being read, by their names. */
  readonly faults: Issues
}

const variable = (name: string) =>
  Config.option(Config.String(name)).pipe(Effect.map(Option.getOrUndefined), Effect.orDie)

/** The texts of a setting's variables: of the environment of this process, and of the files that hold some (`given`). */
export const readTexts = Effect.fnUntraced(function* ({ variables }: Setting<unknown>) {
  const names = [...new Set(["MODE", ...variables.map(({ name }) => name)])]
  const asked = [credentialsDirectory.name, ...names, ...names.map(fileVariable)]
  const environment = Object.fromEntries(
    yield* Effect.forEach(asked, (name) => Effect.map(variable(name), (text) => [name, text] as const)),
  )
  const found = names.map((name) => [name, given(name, environment)] as const)
  return {
    texts: Object.fromEntries(
      found.flatMap(([name, text]) => Predicate.isString(text) ? [[name, text] as const] : []),
    ),
    faults: Object.fromEntries(
      found.flatMap(([name, text]) => text instanceof SettingFault ? [[name, [text.sentence]] as const] : []),
    ),
  } satisfies Sources
})

/** The source of settings: these texts, and in sandbox mode those that the sandbox announces. */
export const foundIn = (texts: Texts, announced: Texts = {}): FoundSetting => {
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

/** The value of a setting, or one error for everything that is wrong with it, its sources first. */
export const readIn = <A>(
  setting: Setting<A>,
  { faults, texts }: Sources,
  announced?: Texts,
): Effect.Effect<A, SettingsWrong> => {
  const read = setting.read(foundIn(texts, announced))
  if (!hasIssues(faults)) return orSettingsWrong(read)
  // A setting whose source is at fault was read as if it were unset.
  const issues = Result.isFailure(read) ? read.failure : {}
  return Effect.fail(settingsWrong({ ...issues, ...faults }))
}

/** Reads a few settings, regardless of whether the others are valid. */
export const readOnly = <A>(setting: Setting<A>): Effect.Effect<A, SettingsWrong> =>
  Effect.flatMap(readTexts(setting), (sources) => readIn(setting, sources))
