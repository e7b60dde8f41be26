import { Array, Duration, Effect } from "effect"
import { parseArgs } from "node:util"
import { copyOf, temporaryFolder } from "#test/support/folder.ts"
import { measureAuthentication } from "./authentication.ts"
import { measureBlocks, renderBlocks } from "./blocks/measureBlocks.ts"
import { measureStored, type StoredPlan } from "./business/measureStored.ts"
import { renderStored } from "./business/render.ts"
import { measureBeside, renderBeside } from "./beside.ts"
import { measureChannels } from "./channels.ts"
import { measureDashboard, renderDashboard } from "./dashboard/measureDashboard.ts"
import { measureDocs, renderDocs } from "./dashboard/measureDocs.ts"
import { measureDemand } from "./demand/measureDemand.ts"
import { renderDemand } from "./demand/render.ts"
import { type FairnessPlan, measureFairness } from "./fairness/measureFairness.ts"
import { renderFairness } from "./fairness/render.ts"
import { measureColdStart } from "./coldStart.ts"
import { measureHistory, renderHistory } from "./history/measureHistory.ts"
import type { Effort } from "./load.ts"
import { measureOpenings, renderOpenings } from "./openings.ts"
import { compareQuotes } from "./quotes.ts"
import { measurePatterns, renderPatterns } from "./patterns.ts"
import { openPlace } from "./place.ts"
import { measureProviders, renderProviders } from "./providers.ts"
import { render, type Report } from "./report.ts"
import { compareStatus } from "./status.ts"
import { measureSoak } from "./soak/measureSoak.ts"
import { renderSoak } from "./soak/render.ts"
import { measureStreams, renderStreams } from "./streams.ts"

interface Plan {
  readonly starts: number
  /** How many statuses there are to ask for, of ended swaps and of open ones. */
  readonly storedSwaps: number
  readonly reading: Effort
  /** How long is asked at a steady pace. */
  readonly pacedSeconds: number
  readonly opening: Effort
  readonly stored: StoredPlan
  /** Of the comparison of statuses: the whole of its way is compiled only after that. */
  readonly statusWarmUpSeconds: number
  readonly fairness: FairnessPlan
  /** How long ten times what upstreams allow is asked for. */
  readonly demandSeconds: number
}

const thorough: Plan = {
  starts: 3,
  storedSwaps: 50,
  reading: { connections: 16, warmUpSeconds: 8, rounds: 5, secondsPerRound: 0.6, mostRequests: 500_000 },
  pacedSeconds: 6,
  opening: { connections: 16, warmUpSeconds: 0, rounds: 3, secondsPerRound: 2, mostRequests: 2_000 },
  stored: {
    few: 1_000,
    many: 1_000_000,
    effort: { connections: 2, warmUpSeconds: 8, rounds: 10, secondsPerRound: 0.2, mostRequests: 100_000 },
  },
  statusWarmUpSeconds: 8,
  fairness: { rounds: 4, secondsPerRound: 10, channels: 120 },
  demandSeconds: 180,
}

/** Enough to see that nothing is far off. */
const quick: Plan = {
  starts: 1,
  storedSwaps: 10,
  reading: { connections: 16, warmUpSeconds: 2, rounds: 2, secondsPerRound: 0.4, mostRequests: 100_000 },
  pacedSeconds: 1,
  opening: { connections: 16, warmUpSeconds: 0, rounds: 1, secondsPerRound: 1, mostRequests: 500 },
  stored: {
    few: 1_000,
    many: 100_000,
    effort: { connections: 2, warmUpSeconds: 4, rounds: 5, secondsPerRound: 0.1, mostRequests: 100_000 },
  },
  statusWarmUpSeconds: 8,
  fairness: { rounds: 2, secondsPerRound: 5, channels: 40 },
  demandSeconds: 60,
}

/** Notes how long a part of the run takes. */
const timed = (seconds: Record<string, number>) => <A, E, R>(part: string, work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(work), ([took, result]) => {
    seconds[part] = Duration.toSeconds(took)
    return result
  })

const measure = Effect.fnUntraced(function* (plan: Plan) {
  const startedAt = new Date().toISOString()
  const [loadAverage = 0] = Deno.loadavg()
  const machine = {
    deno: Deno.version.deno,
    target: Deno.build.target,
    processors: navigator.hardwareConcurrency,
    loadAverage,
  }
  const seconds: Record<string, number> = {}
  const part = timed(seconds)
  const folders = yield* Effect.all(Array.replicate(temporaryFolder, plan.starts))
  const coldStart = yield* part("starts", measureColdStart(folders))
  // Making a database takes longer than anything else, so the rest begins with copies of one.
  const folder = Effect.suspend(() => copyOf(folders[0]))
  const quotes = yield* part("quotes", compareQuotes(plan.reading, plan.pacedSeconds, yield* folder))
  const authentication = yield* part(
    "authentication",
    measureAuthentication(plan.reading, yield* Effect.all([folder, folder])),
  )
  const status = yield* part(
    "status",
    compareStatus(
      { ...plan.reading, warmUpSeconds: plan.statusWarmUpSeconds },
      plan.storedSwaps,
      yield* folder,
    ),
  )
  const channels = yield* part("channels", measureChannels(plan.opening, yield* folder))
  const fairness = yield* part("fairness", measureFairness(plan.fairness, yield* folder))
  const report: Report = {
    startedAt,
    machine,
    coldStart,
    comparisons: [...quotes.comparisons, ...status],
    added: quotes.added,
    authentication,
    channels,
    fairness,
    seconds,
  }
  return report
}, Effect.scoped)

/** One part by itself, and how a person reads it. */
const measureAlone = Effect.fnUntraced(function* (
  plan: Plan,
  part: string,
  other: string | undefined,
  minutes: number,
) {
  if (part === "openings") {
    const openings = yield* measureOpenings({ ...plan.opening, warmUpSeconds: 4, rounds: 4 }, other)
    return { report: { openings }, text: renderOpenings(openings) }
  }
  if (part === "business") {
    // Rounds long enough for the slowest question on a busy machine.
    const effort = { ...plan.stored.effort, secondsPerRound: 0.5 }
    const business = yield* measureStored({ ...plan.stored, effort }, yield* temporaryFolder)
    return { report: { business }, text: renderStored(business) }
  }
  if (part === "history") {
    const history = yield* measureHistory(yield* openPlace(yield* temporaryFolder), plan.stored.many)
    return { report: { history }, text: renderHistory(history) }
  }
  if (part === "providers") {
    const providers = yield* measureProviders(plan.pacedSeconds * 4)
    return { report: { providers }, text: renderProviders(providers) }
  }
  if (part === "dashboard") {
    const dashboard = yield* measureDashboard(plan.stored.many)
    return { report: { dashboard }, text: renderDashboard(dashboard) }
  }
  if (part === "docs") {
    const docs = yield* measureDocs
    return { report: { docs }, text: renderDocs(docs) }
  }
  if (part === "blocks") {
    const blocks = yield* measureBlocks
    return { report: { blocks }, text: renderBlocks(blocks) }
  }
  if (part === "patterns") {
    const patterns = measurePatterns()
    return { report: { patterns }, text: renderPatterns(patterns) }
  }
  if (part === "streams") {
    const streams = yield* measureStreams
    return { report: { streams }, text: renderStreams(streams) }
  }
  if (part === "soak") {
    const soak = yield* measureSoak({ minutes, roundsPerSecond: 1.3, every: 60 }, yield* temporaryFolder)
    return { report: { soak }, text: renderSoak(soak) }
  }
  if (part === "demand") {
    const { settings } = yield* openPlace(yield* temporaryFolder)
    const demand = yield* measureDemand(plan.demandSeconds, "DATABASE_URL" in settings ? settings : {})
    return { report: { demand }, text: renderDemand(demand) }
  }
  const fairness = yield* measureFairness(plan.fairness, yield* temporaryFolder)
  return { report: { fairness }, text: renderFairness(fairness) }
}, Effect.scoped)

/** This checkout beside another one, whose folder is given. */
const measureTwo = (plan: Plan, other: string) =>
  Effect.map(measureBeside(other, plan.reading, plan.starts), (beside) => ({
    report: { beside },
    text: renderBeside(beside),
  }))

const measureAll = (plan: Plan) => Effect.map(measure(plan), (report) => ({ report, text: render(report) }))

const { values } = parseArgs({
  args: Deno.args,
  options: {
    quick: { type: "boolean" },
    only: { type: "string" },
    beside: { type: "string" },
    json: { type: "string" },
    minutes: { type: "string", default: "30" },
  },
})
const alone = [
  "blocks",
  "business",
  "dashboard",
  "demand",
  "docs",
  "fairness",
  "history",
  "openings",
  "patterns",
  "providers",
  "soak",
  "streams",
]
if (values.only !== undefined && !alone.includes(values.only)) {
  throw new Error(`--only ${values.only}: the parts that can be measured alone are ${alone.join(", ")}`)
}
const plan = values.quick === true ? quick : thorough
const chosen = () => {
  if (values.only !== undefined) return measureAlone(plan, values.only, values.beside, Number(values.minutes))
  return values.beside === undefined ? measureAll(plan) : measureTwo(plan, values.beside)
}
const { report, text } = await Effect.runPromise<
  { readonly report: unknown; readonly text: string },
  unknown
>(chosen())
console.log(text)
if (values.json !== undefined) {
  await Deno.writeTextFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
}
