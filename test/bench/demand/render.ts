import { judgedCells } from "../goal.ts"
import { table } from "../table.ts"
import type { Demand } from "./measureDemand.ts"

/** What demand beyond the upstreams' limits comes to, as a person reads it. */
export const renderDemand = (
  { answered, bare, offered, openings, quotes, refused, seconds, statuses, upstreams }: Demand,
) =>
  table([
    [
      `${quotes} quotes in ${seconds} s, ten times the limits`,
      "a pair of replicas",
      "goal",
      "met",
      "a bare server",
    ],
    ["429s of upstreams", ...judgedCells(refused), `${bare.refused}`],
    ["openings made, %", ...judgedCells(openings, 1)],
    ["lists of swaps answered, %", ...judgedCells(statuses, 1)],
    ["quotes with an offer within a second, %", ...judgedCells(answered, 1), bare.answered.toFixed(1)],
    ...Object.entries(offered).map(([name, judged]) =>
      [
        `  of who asks seldom, with ${name}'s, %`,
        ...judgedCells(judged, 1),
        (bare.offered[name] ?? 0).toFixed(1),
      ] as const
    ),
    ...Object.entries(upstreams).map(([name, { calls, refused }]) =>
      [`  calls of ${name} in a minute; 429s`, (calls * 60 / seconds).toFixed(0), "", `${refused}`] as const
    ),
  ])
