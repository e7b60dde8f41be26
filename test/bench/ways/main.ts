/**
 * The files through which a request of each kind goes, by V8's precise coverage: those in which a function ran in each
 * of several such requests, so that what runs beside a request is not among them; and the fewest steps of Effect's run loop
 * that one of them took. The simulated networks are another process, and what the service does by itself waits for an
 * hour. With the name of a way, its files as well.
 */
import { Effect } from "effect"
import { byId, openByGet } from "#test/durability/client.ts"
import { plans } from "#test/durability/swaps.ts"
import { type RunningService, startServiceIn } from "#test/support/process.ts"
import { startNetworks } from "../stage.ts"
import { until } from "../until.ts"
import { quoteUrl } from "../quoteUrl.ts"
import { type Row, table } from "../table.ts"
import { startFastUpstream } from "../upstream.ts"

const rounds = 8
const warmUps = 2

/** In milliseconds, longer than an answer is repeated without the way through the routes. */
const repeatedMillis = 150
/** In milliseconds, longer than `STATUS_MAX_AGE` below. */
const staleMillis = 2_200

const quiet = {
  STATUS_MAX_AGE: "2 seconds",
  ...Object.fromEntries(
    ["TRACKER", "WEBHOOK", "TREASURY", "WITHDRAWAL", "ALERT"].map((name) => [`${name}_INTERVAL`, "1 hour"]),
  ),
}

/** The folders of upstreams, which a house without them would not have. */
const ofUpstream = /^providers\/(chainflip|near-intents|relay|thorchain)\//

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** What ran in a while: files, and steps of the run loop. */
interface Ran {
  readonly files: ReadonlySet<string>
  readonly steps: number
}

/** What ran since this was asked last. */
const ranSince = async ({ kill, output }: RunningService): Promise<Ran> => {
  const told = () => [...output().matchAll(/steps=(\d+) ran=\[(.*)\]/g)]
  const before = told().length
  await Effect.runPromise(kill("SIGUSR2"))
  await until(() => told().length > before)
  const [, steps, files] = told().at(-1) ?? []
  if (files === undefined) throw new Error("The service did not say what ran")
  return { files: new Set(files.split(" ")), steps: Number(steps) }
}

let asked = 0

/** Another amount each time, so that no answer of before is used again. */
const newAmount = () => {
  asked += 1
  return (1 + asked / 1e4).toFixed(4)
}

/** Requests of one kind, each the first of its subject unless it says otherwise. */
interface Way {
  readonly name: string
  /** What happens before the request, and is not counted. */
  readonly before?: (service: RunningService) => Promise<void>
  readonly send: (service: RunningService) => Promise<void>
}

const expecting = (status: number, path: (service: RunningService) => URL, key?: string) =>
async (
  service: RunningService,
) => {
  const answer = await fetch(path(service), { headers: { "x-api-key": key ?? service.apiKey } })
  const text = await answer.text()
  if (answer.status !== status) throw new Error(`Expected ${status}: ${answer.status} ${text}`)
}

const [plan] = plans
let swap = 0

const openAnother = async (service: RunningService) => {
  swap = (await Effect.runPromise(openByGet(service, plan.parameters))).id
}

const askStatus = (service: RunningService) => Effect.runPromise(Effect.asVoid(byId(service, swap)))

/** Asked of a service whose one provider has an upstream that answers at once. */
const wayOfOne: Way = {
  name: "quote of one provider",
  send: expecting(200, ({ url }) => quoteUrl(url, newAmount())),
}

const ways: ReadonlyArray<Way> = [
  { name: "401", send: expecting(401, ({ url }) => quoteUrl(url, "1"), "no key of anybody") },
  { name: "quote", send: expecting(200, ({ url }) => quoteUrl(url, newAmount())) },
  { name: "swap", send: openAnother },
  {
    name: "status of the upstream",
    before: async (service) => {
      await openAnother(service)
      await pause(staleMillis)
    },
    send: askStatus,
  },
  {
    name: "status of the database",
    before: async (service) => {
      await openAnother(service)
      await pause(staleMillis)
      await askStatus(service)
      await pause(repeatedMillis)
    },
    send: askStatus,
  },
  { name: "history", send: expecting(200, ({ url }) => new URL("/swaps", url)) },
  { name: "operator's accounts", send: expecting(200, ({ url }) => new URL("/operator/accounts", url)) },
]

/** What runs in every request of a kind. */
const ranIn = async (service: RunningService, { before, send }: Way): Promise<Ran> => {
  const runs: Array<Ran> = []
  for (let round = -warmUps; round < rounds; round++) {
    await before?.(service)
    await pause(repeatedMillis)
    await ranSince(service)
    await send(service)
    const ran = await ranSince(service)
    if (round >= 0) runs.push(ran)
  }
  return runs.reduce((common, { files, steps }) => ({
    files: common.files.intersection(files),
    steps: Math.min(common.steps, steps),
  }))
}

const linesOf = (files: ReadonlyArray<string>): number =>
  files.map((file) => Deno.readTextFileSync(new URL(`../../../src/${file}`, import.meta.url)))
    .reduce((sum, text) => sum + text.split("\n").length - 1, 0)

const rowOf = (name: string, { files, steps }: Ran): Row => {
  const own = [...files].filter((file) => !ofUpstream.test(file))
  const rooms = new Set(own.map((file) => file.split("/")[0]))
  return [name, ...[steps, files.size, own.length, linesOf(own), rooms.size].map(String)]
}

const measure = Effect.gen(function* () {
  const start = startServiceIn("test/bench/ways/coveredService.ts")
  const networks = yield* startNetworks
  const service = yield* start({ ...quiet, SANDBOX_URL: networks.url.origin })
  const { settings } = yield* startFastUpstream
  const serviceOfOne = yield* start({ ...quiet, ...settings })
  return yield* Effect.promise(async () => {
    const measured: Array<readonly [string, Ran]> = [[wayOfOne.name, await ranIn(serviceOfOne, wayOfOne)]]
    for (const way of ways) measured.push([way.name, await ranIn(service, way)])
    return measured
  })
}).pipe(Effect.scoped)

const measured = await Effect.runPromise(measure)
console.log(table([
  ["a request", "steps", "files", "without the upstreams'", "their lines", "rooms"],
  ...measured.map(([name, ran]) => rowOf(name, ran)),
]))
for (const [name, { files }] of measured) {
  if (Deno.args.includes(name)) console.log(`\n${name}\n${[...files].sort().join("\n")}`)
}
