import type { Variable } from "./Setting.ts"

/** Those of one subject together: the words before the first underscore. */
const bySubject = (variables: ReadonlyArray<Variable>): ReadonlyArray<Variable> =>
  [...Map.groupBy(variables, ({ name }) => name.split("_")[0]).values()].flat()

/** Each variable once: first what an operator sets (settings.md), then what suits as it is (tuning.md), by group. */
export const inPageOrder = (variables: ReadonlyArray<Variable>): ReadonlyArray<Variable> => {
  const names = variables.map(({ name }) => name)
  const once = variables.filter(({ name }, index) => names.indexOf(name) === index)
  const groups = [...new Set(once.map(({ group }) => group))]
  const sorted = groups.flatMap((group) => bySubject(once.filter((one) => one.group === group)))
  return [...sorted.filter(({ isTuning }) => !isTuning), ...sorted.filter(({ isTuning }) => isTuning)]
}

/** The value or behaviour while a variable is unset, in one line. */
export const unsetText = ({ unset: { live, sandbox } }: Variable): string =>
  live === sandbox ? live : `${live}; sandbox: ${sandbox}`

/** The rows of a table of settings: one for those of all chains, with their names. */
export const rowsOf = (variables: ReadonlyArray<Variable>): ReadonlyArray<Variable> =>
  [...Map.groupBy(variables, ({ family, name }) => family ?? name)].flatMap(([name, all]) =>
    all.slice(0, 1).map(({ family, meaning, ...one }) => {
      const chains = all.map((each) => each.name.slice(`${family}`.length - "<CHAIN>".length)).join(", ")
      return {
        ...one,
        name,
        meaning: family === undefined ? meaning : `${meaning}. Chains, as in \`${all[0]?.name}\`: ${chains}`,
      }
    })
  )
