import { judgedCells } from "../goal.ts"
import { table } from "../table.ts"
import type { Tracking } from "./measureTracking.ts"

/** How open swaps are followed, as a person reads it. */
export const renderTracking = (of: Tracking): string =>
  [
    table([
      [
        `${of.waiting + of.moving} open swaps, ${of.moving} of them moving, on ${of.database}`,
        "found",
        "goal",
        "met",
      ],
      ["look-ups a second", of.lookupsPerSecond.toFixed(0), `(${of.lookupsPerSecondDue.toFixed(0)} due)`, ""],
      ["ms of computing for each", of.computingMillisPerLookup.toFixed(2), "", ""],
      ["swaps never looked up", ...judgedCells(of.neverAsked)],
      ["lag ms: p50", of.lag.p50.toFixed(0), "", ""],
      ["lag ms: p99", of.lag.p99.toFixed(0), "", ""],
      ["lag ms: most", ...judgedCells(of.lag.max)],
      ["MB of the heap more than after the start", ...judgedCells(of.moreMegabytes, 1)],
      ["MB of the machine: most", ...judgedCells(of.residentMegabytes)],
    ]),
    `MB of the heap in use: ${of.heapMegabytes.map((one) => one.toFixed(1)).join(", ")}; ` +
    `load average ${of.loadAverage.toFixed(2)}`,
  ].join("\n")
