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

/** The rows of a table of settings: one for those of all chains. */
export const rowsOf = (variables: ReadonlyArray<Variable>): ReadonlyArray<Variable> => [
  ...new Map(
    variables.map(({ family, ...one }) => [family ?? one.name, { ...one, name: family ?? one.name }]),
  )
    .values(),
]
