import { met } from "../goal.ts"
import { type Row, table } from "../table.ts"
import type { Question, StoredFigures } from "./measureStored.ts"

const row = ({ few, goal, many, name, ratio }: Question): Row => [
  name,
  few.toFixed(2),
  many.toFixed(2),
  ratio.toFixed(2),
  `<=${goal.atMost}`,
  met(goal),
]

/** The figures as a table. */
export const renderStored = ({ database, few, fillSeconds, many, questions }: StoredFigures): string =>
  [
    table([
      [
        `p50 ms on ${database}, by how many swaps are stored`,
        few.toLocaleString("en"),
        many.toLocaleString("en"),
        "ratio",
        "goal",
        "met",
      ],
      ...questions.map(row),
    ]),
    `Filling both took ${fillSeconds.toFixed(0)} s`,
  ].join("\n")
