import type { Tally } from "./Scene.ts"

/** Answers that were changed. */
export const countOf = ({ counts }: Tally): number =>
  counts.other + counts.hostile + counts.absent + counts.kind

const heading = ["provider", "asked", "answer changed", "other", "hostile", "absent", "refused"]

const row = ({ counts, refused, scene }: Tally): ReadonlyArray<string> => [
  scene.provider,
  scene.name,
  scene.operation.name,
  `${counts.other}`,
  `${counts.hostile}`,
  `${counts.absent}`,
  `${refused}`,
]

/** How many changes of each kind there were, by provider, request and operation. */
export const tableOf = (tallies: ReadonlyArray<Tally>): string => {
  const rows = [heading, ...tallies.map(row)]
  const widths = heading.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows.map((cells) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  )
    .join("\n")
}

/** One line for a provider. */
export const lineOf = (provider: string, tallies: ReadonlyArray<Tally>): string => {
  const own = tallies.filter(({ scene }) => scene.provider === provider)
  const sum = (count: (tally: Tally) => number) => own.reduce((total, tally) => total + count(tally), 0)
  return `Tampering, ${provider}: ${sum(countOf)} answers changed (${
    sum(({ counts }) => counts.other)
  } other, ` +
    `${sum(({ counts }) => counts.hostile)} hostile, ${sum(({ counts }) => counts.absent)} absent) of ` +
    `${sum(({ possible }) => possible)} possible, ${sum(({ refused }) => refused)} refused`
}
