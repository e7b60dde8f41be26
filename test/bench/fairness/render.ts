import { judgedCells } from "../goal.ts"
import { type Row, table } from "../table.ts"
import type { Fairness, FairnessOfWay } from "./measureFairness.ts"

const rowsOf = (of: FairnessOfWay): ReadonlyArray<Row> => [
  [of.way, "", "", ""],
  ["  success, %", ...judgedCells(of.success, 1)],
  [`  p99 over p99 undisturbed`, ...judgedCells(of.ratio, 2)],
  ["  ms: p50, p99", `${of.disturbed.p50.toFixed(0)}, ${of.disturbed.p99.toFixed(0)}`, "", ""],
  [
    "  ms undisturbed: p50, p99",
    `${of.undisturbed.p50.toFixed(0)}, ${of.undisturbed.p99.toFixed(0)}`,
    "",
    "",
  ],
  ["  seconds that no look-up was later than", ...judgedCells(of.lag, 1)],
  [
    "  answers to the flood",
    Object.entries(of.flooded).map(([status, count]) => `${status}: ${count}`).join(" "),
    "",
    "",
  ],
]

/** What one account notices of another, as a person reads it. */
export const renderFairness = (of: Fairness): string =>
  [
    table([
      [`One account while another floods, on ${of.database}`, "found", "goal", "met"],
      ...of.ways.flatMap(rowsOf),
    ]),
    `Load average ${of.loadAverage.toFixed(2)}`,
  ].join("\n")
