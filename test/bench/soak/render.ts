import { judgedCells } from "../goal.ts"
import { table } from "../table.ts"
import type { Soak } from "./measureSoak.ts"

/** What a service holds while it is used evenly, minute by minute, as a person reads it. */
export const renderSoak = ({ failed, growth, weights }: Soak): string =>
  [
    table([
      ["MB after so many minutes", "resident", "anonymous", "heap in use", "heap", "external", "rounds"],
      ...weights.map(({ anonymous, external, heapTotal, heapUsed, minute, resident, rounds }) =>
        [
          minute.toFixed(1),
          ...[resident, anonymous, heapUsed, heapTotal, external, rounds].map((figure) => figure.toFixed(0)),
        ] as const
      ),
    ]),
    table([
      ["the end beside a third of the time", "times", "goal", "met"],
      [`${failed} rounds failed`, ...judgedCells(growth, 2)],
    ]),
  ].join("\n\n")
