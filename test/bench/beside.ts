import { Duration, Effect } from "effect"
import { temporaryFolder } from "#test/support/folder.ts"
import { type Environment, type RunningService, startServiceIn, startTask } from "#test/support/process.ts"
import { wireForm } from "./Connection.ts"
import { type Effort, makeLoad, takeTurns, type Target, type Throughput } from "./load.ts"
import { groupMegabytes } from "./processes.ts"
import { quoteUrl } from "./quoteUrl.ts"
import { median } from "./statistics.ts"
import { makeStoredSwaps, type StoredSwaps } from "./storedSwaps.ts"
import { type Row, table } from "./table.ts"
import { startFastUpstream } from "./upstream.ts"

/** A figure of two checkouts. */
interface Pair<A> {
  readonly here: A
  readonly other: A
}

/** Requests of one kind, answered by both checkouts by turns. */
interface Requests extends Pair<Throughput> {
  readonly name: string
}

/** Seconds until the first answer, and resident megabytes half a minute after it. */
interface Start {
  readonly seconds: number
  readonly megabytes: number
}

/** What two checkouts of the service do in one run. */
export interface Beside {
  readonly requests: ReadonlyArray<Requests>
  readonly emptyFolder: Pair<ReadonlyArray<Start>>
  readonly existingFolder: Pair<ReadonlyArray<Start>>
}

const here = new URL("../..", import.meta.url).pathname

const distinctAmounts = Array.from({ length: 60_000 }, (_, index) => `1.${`${index}`.padStart(5, "0")}`)

const distinct = ({ apiKey, url }: RunningService): Target => ({
  url,
  requests: distinctAmounts.map((amount) => wireForm(quoteUrl(url, amount), apiKey)),
})

const hot = ({ apiKey, url }: RunningService): Target => ({
  url,
  requests: [wireForm(quoteUrl(url, "1"), apiKey)],
})

/** A request that may have a body is not answered before the routes, so the shared quotes go all the way. */
const routed = ({ apiKey, url }: RunningService): Target => ({
  url,
  requests: [wireForm(quoteUrl(url, "1"), apiKey, ["content-length: 0"])],
})

const paths = (paths: ReadonlyArray<string>) => ({ apiKey, url }: RunningService): Target => ({
  url,
  requests: paths.map((path) => wireForm(new URL(path, url), apiKey)),
})

const turns = Effect.fnUntraced(function* <Service extends RunningService>(
  name: string,
  services: Pair<Service>,
  target: (service: Service) => Target,
  effort: Effort,
) {
  const loads = {
    here: makeLoad(target(services.here), effort),
    other: makeLoad(target(services.other), effort),
  }
  yield* Effect.promise(() => takeTurns([loads.other, loads.here], effort.rounds))
  const requests: Requests = { name, here: loads.here.throughput(), other: loads.other.throughput() }
  return requests
})

const both = <A, E, R>(start: (checkout: string) => Effect.Effect<A, E, R>, other: string) =>
  Effect.all({ here: start(here), other: start(other) })

/** Quotes of one provider whose network answers at once, and an endpoint that has nothing but schemas. */
const quotes = Effect.fnUntraced(function* (other: string, effort: Effort) {
  const { settings, upstream } = yield* startFastUpstream
  const services = yield* both((checkout) => startTask(settings, checkout), other)
  const endpoint = yield* startServiceIn("test/bench/bareEndpoint.ts")({ UPSTREAM: upstream.url.origin })
  const cold = makeLoad(distinct(services.here), effort)
  const schemas = makeLoad(distinct(endpoint), effort)
  yield* Effect.promise(() => takeTurns([cold, schemas], effort.rounds))
  const alone: Requests = {
    name: "quotes, distinct, beside schemas alone",
    here: cold.throughput(),
    other: schemas.throughput(),
  }
  return [
    yield* turns("quotes, distinct", services, distinct, effort),
    alone,
    yield* turns("quotes, shared, through the routes", services, routed, effort),
    yield* turns("quotes, hot pair", services, hot, effort),
  ]
}, Effect.scoped)

/** Swaps that are stored, of each checkout in its own folder. */
const reading = Effect.fnUntraced(function* (other: string, effort: Effort) {
  const start = Effect.fnUntraced(function* (checkout: string) {
    const folder = yield* temporaryFolder
    const stored = yield* makeStoredSwaps(folder, 20, checkout)
    const service = yield* startTask({
      DATA_DIR: folder,
      SANDBOX_SPEED: "0",
      STATUS_MAX_AGE: "1 hour",
      TRACKER_INTERVAL: "1 hour",
      LOOKUPS_PER_SECOND: "10000",
    }, checkout)
    return { ...service, stored }
  })
  const services = yield* both(start, other)
  const byId = (ids: (stored: StoredSwaps) => ReadonlyArray<number>) => (service: typeof services.here) =>
    paths(ids(service.stored).map((id) => `/status-by-id?swapId=${id}`))(service)
  return [
    yield* turns("status, ended swap", services, byId(({ ended }) => ended), effort),
    yield* turns("status, open swap", services, byId(({ open }) => open), effort),
    yield* turns("history, 20 swaps", services, paths(["/swaps?limit=20"]), effort),
  ]
}, Effect.scoped)

/** One start to its first answer, and what it holds after half a minute without requests. */
const startOnce = Effect.fnUntraced(function* (environment: Environment, checkout: string) {
  const begin = performance.now()
  const service = yield* startTask(environment, checkout)
  yield* Effect.promise(async () => {
    const answer = await fetch(quoteUrl(service.url, "1"), { headers: { "x-api-key": service.apiKey } })
    await answer.body?.cancel()
    if (answer.status !== 200) throw new Error(`The first answer was a ${answer.status}`)
  })
  const seconds = (performance.now() - begin) / 1_000
  yield* Effect.sleep(Duration.seconds(30))
  const start: Start = { seconds, megabytes: groupMegabytes(service) }
  yield* service.killGroup("SIGTERM")
  yield* service.ended
  return start
}, Effect.scoped)

const starts = Effect.fnUntraced(function* (other: string, rounds: number) {
  const begun = yield* Effect.replicateEffect(
    Effect.gen(function* () {
      const folders = yield* Effect.all({ here: temporaryFolder, other: temporaryFolder })
      const once = Effect.all({
        here: startOnce({ DATA_DIR: folders.here }, here),
        other: startOnce({ DATA_DIR: folders.other }, other),
      })
      return { empty: yield* once, existing: yield* once }
    }),
    rounds,
  )
  const pair = (kind: "empty" | "existing"): Pair<ReadonlyArray<Start>> => ({
    here: begun.map((round) => round[kind].here),
    other: begun.map((round) => round[kind].other),
  })
  return { emptyFolder: pair("empty"), existingFolder: pair("existing") }
}, Effect.scoped)

/** This checkout and another, measured by turns. */
export const measureBeside = Effect.fnUntraced(function* (other: string, effort: Effort, rounds: number) {
  const beside: Beside = {
    requests: [...yield* quotes(other, effort), ...yield* reading(other, effort)],
    ...yield* starts(other, rounds),
  }
  return beside
})

const middle = (starts: ReadonlyArray<Start>) => ({
  seconds: median(starts.map(({ seconds }) => seconds)),
  megabytes: median(starts.map(({ megabytes }) => megabytes)),
})

const startRows = (name: string, pair: Pair<ReadonlyArray<Start>>): ReadonlyArray<Row> => {
  const [mine, others] = [middle(pair.here), middle(pair.other)]
  const row = (what: string, one: number, two: number): Row => [
    `${name}, ${what}`,
    one.toFixed(2),
    two.toFixed(2),
    (one / two).toFixed(2),
  ]
  return [
    row("seconds to the first answer", mine.seconds, others.seconds),
    row("megabytes after 30 s", mine.megabytes, others.megabytes),
  ]
}

/** As a person reads it. */
export const renderBeside = ({ emptyFolder, existingFolder, requests }: Beside): string =>
  [
    table([
      [
        "requests a second",
        "here",
        "other",
        "ratio",
        "p50 ms here",
        "p50 ms other",
        "p99 ms here",
        "p99 ms other",
      ],
      ...requests.map(({ here, name, other }): Row => [
        name,
        here.requestsPerSecond.toFixed(0),
        other.requestsPerSecond.toFixed(0),
        (here.requestsPerSecond / other.requestsPerSecond).toFixed(3),
        here.p50.toFixed(2),
        other.p50.toFixed(2),
        here.p99.toFixed(2),
        other.p99.toFixed(2),
      ]),
    ]),
    table([
      ["starts", "here", "other", "ratio"],
      ...startRows("empty folder", emptyFolder),
      ...startRows("existing folder", existingFolder),
    ]),
  ].join("\n\n")
