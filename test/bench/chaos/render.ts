import { met } from "../goal.ts"
import { type Row, table } from "../table.ts"
import type { AllDown } from "./allDown.ts"
import type { FaultyRequests } from "./faultyRequests.ts"
import type { Chaos } from "./measureChaos.ts"
import type { OneOut } from "./oneOut.ts"
import { platforms } from "./quotes.ts"
import type { WhileOpen } from "./whileOpen.ts"

const percent = (share: number): string => (share * 100).toFixed(share === 1 ? 0 : 2)
const seconds = (millis: number): string => (millis / 1_000).toFixed(2)

const latencies = ({ healthyP99, openP99, ratio }: WhileOpen): ReadonlyArray<string> => [
  openP99.toFixed(1),
  healthyP99.toFixed(1),
  ratio.value.toFixed(2),
]

const oneOut = (one: OneOut): Row => [
  `${one.fault}: ${platforms[one.provider]}`,
  `${one.requests}`,
  percent(one.answered.value),
  one.closedP99.value.toFixed(0),
  ...latencies(one),
  seconds(one.recovery.value),
  met(one.answered, one.closedP99, one.ratio, one.recovery),
]

const goals = (of: ReadonlyArray<OneOut>): ReadonlyArray<Row> =>
  of.slice(0, 1).map(({ answered, closedP99, ratio, recovery }) => [
    "goal",
    "",
    percent(answered.atLeast ?? 0),
    `<${closedP99.atMost}`,
    "",
    "",
    `<${ratio.atMost}`,
    `<${seconds(recovery.atMost ?? 0)}`,
    "",
  ])

const down = ({ p50, p99, requests, unavailable }: AllDown): string =>
  table([
    ["All providers down, circuits open", "requests", "503 %", "p50 ms", "p99 ms", "met"],
    [
      "provider_unavailable with Retry-After",
      `${requests}`,
      percent(unavailable.value),
      p50.toFixed(2),
      p99.value.toFixed(2),
      met(unavailable, p99),
    ],
    ["goal", "", percent(unavailable.atLeast ?? 0), "", `<${p99.atMost}`, ""],
  ])

const judged = (name: string, { atMost, reached, value }: FaultyRequests["unexpected"]): Row => [
  name,
  value.toFixed(0),
  `${atMost}`,
  reached ? "yes" : "NO",
]

const faulty = (of: FaultyRequests, faultsLogged: Chaos["faultsLogged"]): string =>
  [
    table([
      [`${of.requests} faulty requests`, "found", "limit", "met"],
      judged("answers that do not fit the fault", of.unexpected),
      judged("faults of its own that the service logged", of.faultsLogged),
      judged("the same, in all of the above", faultsLogged),
      judged(`open files more than before (${of.before.openFiles})`, of.moreOpenFiles),
      judged(`MB more than before (${of.before.heapMegabytes.toFixed(0)})`, of.moreMegabytes),
    ]),
    `Statuses: ${JSON.stringify(of.statuses)}, that do not fit: ${JSON.stringify(of.unexpectedAfter)}`,
  ].join("\n")

/** What clients notice of upstreams that misbehave, as a person reads it. */
export const renderChaos = (chaos: Chaos): string =>
  [
    table([
      [
        `One out, ${chaos.requestsPerSecond.toFixed(0)} requests/s, open ${seconds(chaos.openTime)} s`,
        "requests",
        "200 %",
        "closed p99 ms",
        "open p99 ms",
        "healthy p99 ms",
        "ratio",
        "recovery s",
        "met",
      ],
      ...goals(chaos.oneOut),
      ...chaos.oneOut.map(oneOut),
      ["all of these together", "", "", "", ...latencies(chaos.anyOut), "", met(chaos.anyOut.ratio)],
    ]),
    down(chaos.allDown),
    faulty(chaos.faultyRequests, chaos.faultsLogged),
  ].join("\n\n")
