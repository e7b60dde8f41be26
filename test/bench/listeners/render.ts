import { judgedCells } from "../goal.ts"
import { table } from "../table.ts"
import type { Listeners } from "./measureListeners.ts"

/** How many can follow events, as a person reads it. */
export const renderListeners = (of: Listeners): string =>
  [
    table([
      [`${of.events} events to the streams of one account, on ${of.database}`, "found", "goal", "met"],
      ["streams open", ...judgedCells(of.open)],
      ["arrivals missing", ...judgedCells(of.missing)],
      ["arrival ms: p50", of.arrival.p50.toFixed(0), "", ""],
      ["arrival ms: p99", ...judgedCells(of.arrival.p99)],
      ["arrival ms: most", of.arrival.max.toFixed(0), "", ""],
      ["KB of the heap for each", ...judgedCells(of.kilobytesPerListener, 1)],
      ["others meanwhile, ms: p50", of.others.p50.toFixed(1), "", ""],
      ["others meanwhile, ms: p99", ...judgedCells(of.others.p99)],
      ["others not answered", ...judgedCells(of.others.notAnswered)],
      ["open files more than before, when all are closed", ...judgedCells(of.moreOpenFiles)],
      ["MB of the heap more than before", ...judgedCells(of.moreMegabytes, 1)],
    ]),
    `Load average ${of.loadAverage.toFixed(2)}`,
  ].join("\n")
