import { Context } from "effect"
import { distanceWithin } from "#domain/nearest.ts"
import { fileVariable } from "./given.ts"

export const EnvironmentNames = Context.Reference<ReadonlyArray<string>>(
  "swap-broker/config/EnvironmentNames",
  { defaultValue: () => Object.keys(Deno.env.toObject()) },
)

/** A variable of the environment that no setting has, and the setting whose name it nearly has. */
export interface NearMiss {
  readonly name: string
  readonly setting: string
}

/** Case, and the signs between words, do not tell names apart. */
const letters = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, "")

/** Shorter names are near to too much that is usual: `MODE` to `NODE`, `PORT` to `PWD`. */
const leastLetters = 6

const isNear = (name: string, setting: string): boolean => {
  const [one, other] = [letters(name), letters(setting)]
  if (one === other) return true
  const least = setting.endsWith("_FILE") ? leastLetters + 4 : leastLetters
  return Math.min(one.length, other.length) >= least && distanceWithin(one, other, 1)
}

/** Unknown names within a letter, case or sign of an unset setting's name. Values are not read. */
export const nearMisses = (
  names: ReadonlyArray<string>,
  settings: ReadonlyArray<string>,
): ReadonlyArray<NearMiss> => {
  const known = new Set(settings.flatMap((name) => [name, fileVariable(name)]))
  const there = new Set(names)
  const missed = [...known].filter((name) => !there.has(name))
  return names.filter((name) => !known.has(name)).flatMap((name) => {
    const setting = missed.find((one) => isNear(name, one))
    return setting === undefined ? [] : [{ name, setting }]
  })
}

export const nearMissText = ({ name, setting }: NearMiss): string =>
  `${name} is not a setting and has no effect. Did you mean ${setting}?`
