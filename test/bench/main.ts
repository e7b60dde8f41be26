import { Effect } from "effect"
import { parseArgs } from "node:util"
import { measureChannels } from "./channels.ts"
import { measureColdStart } from "./coldStart.ts"
import type { Effort } from "./load.ts"
import { compareQuotes } from "./quotes.ts"
import { render, type Report } from "./report.ts"
import { compareStatus } from "./status.ts"

interface Plan {
  readonly starts: number
  readonly finishedSwaps: number
  readonly reading: Effort
  readonly opening: Effort
}

const thorough: Plan = {
  starts: 5,
  finishedSwaps: 100,
  reading: { connections: 16, rounds: 5, secondsPerRound: 3, mostRequests: 500_000 },
  opening: { connections: 16, rounds: 3, secondsPerRound: 3, mostRequests: 2_000 },
}

/** Less than half a minute; enough to see that nothing is far off. */
const quick: Plan = {
  starts: 1,
  finishedSwaps: 10,
  reading: { connections: 16, rounds: 2, secondsPerRound: 0.5, mostRequests: 100_000 },
  opening: { connections: 16, rounds: 1, secondsPerRound: 1, mostRequests: 500 },
}

const measure = Effect.fnUntraced(function* (plan: Plan) {
  const startedAt = new Date().toISOString()
  const [loadAverage = 0] = Deno.loadavg()
  const machine = {
    deno: Deno.version.deno,
    target: Deno.build.target,
    processors: navigator.hardwareConcurrency,
    loadAverage,
  }
  const quotes = yield* compareQuotes(plan.reading)
  const report: Report = {
    startedAt,
    machine,
    coldStart: yield* measureColdStart(plan.starts),
    comparisons: [
      ...quotes.comparisons,
      yield* compareStatus(plan.reading, plan.finishedSwaps),
    ],
    added: quotes.added,
    channels: yield* measureChannels(plan.opening),
  }
  return report
})

const { values } = parseArgs({
  args: Deno.args,
  options: { quick: { type: "boolean" }, json: { type: "string" } },
})
const report = await Effect.runPromise(measure(values.quick === true ? quick : thorough))
console.log(render(report))
if (values.json !== undefined) {
  await Deno.writeTextFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
}
