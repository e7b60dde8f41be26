import type { AddedLatency } from "./addedLatency.ts"
import type { AuthenticationCost, GuardedAndOpen } from "./authentication.ts"
import type { ColdStart, Starts } from "./coldStart.ts"
import type { Comparison } from "./compare.ts"
import type { Fairness } from "./fairness/measureFairness.ts"
import { renderFairness } from "./fairness/render.ts"
import { met } from "./goal.ts"
import type { Throughput } from "./load.ts"
import { type Row, table } from "./table.ts"

/** Everything that one run measured. */
export interface Report {
  readonly startedAt: string
  readonly machine: {
    readonly deno: string
    readonly target: string
    readonly processors: number
    /** Of the last minute, before the run: what else the machine does. */
    readonly loadAverage: number
  }
  readonly coldStart: ColdStart
  readonly comparisons: ReadonlyArray<Comparison>
  /** By the service to an upstream that answers at once. */
  readonly added: AddedLatency
  /** Of keys, scopes and limits. */
  readonly authentication: AuthenticationCost
  readonly channels: Throughput
  /** Of two accounts. */
  readonly fairness: Fairness
  /** How long each part of the run took. */
  readonly seconds: Readonly<Record<string, number>>
}

const start = (name: string, { goal, max, median, min }: Starts): Row => [
  name,
  ...[min, median, max].map((seconds) => seconds.toFixed(2)),
  `<${goal.atMost}`,
  met(goal),
]

const throughput = (name: string, { p50, p99, requestsPerSecond }: Throughput): Row => [
  name,
  requestsPerSecond.toFixed(0),
  p50.toFixed(2),
  p99.toFixed(2),
]

const comparison = ({ goal, name, ratio, service, yardstick }: Comparison): ReadonlyArray<Row> => [
  [
    ...throughput(`${name}: service`, service),
    ratio.toFixed(3),
    ...(goal === undefined ? [] : [`>=${goal.atLeast}`, met(goal)]),
  ],
  [...throughput(`${name}: ${yardstick.name}`, yardstick), "1"],
]

const percent = (share: number): string => (share * 100).toFixed(1)

const latency = (name: string, { p50, p99 }: AddedLatency["added"]): Row => [
  name,
  p50.toFixed(2),
  p99.toFixed(2),
]

const guarded = (name: string, { open, ratio, service }: GuardedAndOpen): ReadonlyArray<Row> => [
  [...throughput(`${name}: service`, service), percent(service.repeated), ratio.value.toFixed(3), "", ""],
  [...throughput(`${name}: without`, open), percent(open.repeated), "1", `>=${ratio.atLeast}`, met(ratio)],
]

/** The report as a person reads it. */
export const render = (
  {
    added,
    authentication,
    channels,
    coldStart,
    comparisons,
    fairness,
    machine,
    seconds,
  }: Report,
): string =>
  [
    `Deno ${machine.deno}, ${machine.target}, ${machine.processors} processors, ` +
    `load average ${machine.loadAverage.toFixed(2)} at the start`,
    table([
      [`Start to first answer, ${coldStart.runs} runs`, "min s", "median s", "max s", "goal", "met"],
      start("empty folder", coldStart.emptyFolder),
      start("existing folder", coldStart.existingFolder),
    ]),
    table([
      ["Side by side", "requests/s", "p50 ms", "p99 ms", "ratio", "goal", "met"],
      ...comparisons.flatMap(comparison),
      throughput("opening deposit channels: service", channels),
    ]),
    table([
      [`Quotes at ${added.requestsPerSecond} requests a second`, "p50 ms", "p99 ms"],
      latency("service", added.service),
      latency("its upstream, asked directly", added.upstream),
      latency("difference", added.added),
    ]),
    table([
      ["Keys, scopes and limits", "requests/s", "p50 ms", "p99 ms", "% repeated", "ratio", "goal", "met"],
      ...guarded("hot pair, repeated before the routes", authentication.repeated),
      ...guarded("hot pairs, through the routes", authentication.routed),
    ]),
    renderFairness(fairness),
    `Seconds of the run: ${
      Object.entries(seconds).map(([part, took]) => `${part} ${took.toFixed(0)}`).join(", ")
    }`,
  ].join("\n\n")
