import { Effect } from "effect"
import { type RunningService, startService } from "#test/support/process.ts"
import { Connection, wireForm } from "./Connection.ts"
import { atLeast, type Judged } from "./goal.ts"
import { type Effort, makeLoad, takeTurns, type Target, type Throughput } from "./load.ts"
import { quoteUrl } from "./quoteUrl.ts"
import { startFastUpstream } from "./upstream.ts"

/** What one of the two achieved, and the share of its answers that came before any route was taken. */
interface Measured extends Throughput {
  readonly repeated: number
}

/** The service beside itself without keys, scopes and limits. */
export interface GuardedAndOpen {
  readonly service: Measured
  readonly open: Measured
  /** Requests per second of the service by those without. */
  readonly ratio: Judged
}

/** What authentication costs of hot quotes: those that are repeated at once, and those that take the routes. */
export interface AuthenticationCost {
  readonly repeated: GuardedAndOpen
  readonly routed: GuardedAndOpen
}

/** At most 15 % of the throughput. */
const leastRatio = 0.85

/** More than answers are kept to be repeated, so that each is gone before it is asked for again. */
const busyPairs = 1_500

/** The provider's answers stay in use, so that no call of it is measured. */
const reuse = { QUOTE_CACHE_TTL: "10 minutes" }

const asking = (amounts: ReadonlyArray<string>, url: URL, apiKey?: string): Target => ({
  url,
  requests: amounts.map((amount) => wireForm(quoteUrl(url, amount), apiKey)),
})

const one = ["1"]
const many = Array.from({ length: busyPairs }, (_, index) => `1.${`${index}`.padStart(4, "0")}`)

const answered = /^swap_broker_request_duration_seconds_count\{[^}]*route="\/quotes"[^}]*\} (\S+)$/gm
const repeated = /^swap_broker_quotes_shared_total\{[^}]*how="repeated"[^}]*\} (\S+)$/gm

const sumOf = (text: string, series: RegExp): number =>
  [...text.matchAll(series)].reduce((sum, [, count]) => sum + Number(count), 0)

/** How many quotes were answered since the start, and how many of them before the routes. */
const countsOf = async ({ url }: RunningService) => {
  const text = await (await fetch(new URL("/metrics", url))).text()
  return { answered: sumOf(text, answered), repeated: sumOf(text, repeated) }
}

/** One of the two under load; each has only one provider, so that an answer is repeated once or not at all. */
const makeMeasured = async (service: RunningService, target: Target, effort: Effort) => {
  const before = await countsOf(service)
  const load = makeLoad(target, effort)
  return {
    load,
    measured: async (): Promise<Measured> => {
      const after = await countsOf(service)
      return {
        ...load.throughput(),
        repeated: (after.repeated - before.repeated) / (after.answered - before.answered),
      }
    },
  }
}

/** So that the provider's answer to each request is there to be used again. */
const askOnce = async ({ requests, url }: Target): Promise<void> => {
  const connection = await Connection.open(url)
  for (const request of requests) await connection.ask(request)
  connection.close()
}

/** The open one is sent no key, so that not even the reading of one is done there. */
const measure = async (
  guarded: RunningService,
  unguarded: RunningService,
  amounts: ReadonlyArray<string>,
  effort: Effort,
): Promise<GuardedAndOpen> => {
  const withKey = asking(amounts, guarded.url, guarded.apiKey)
  const withoutKey = asking(amounts, unguarded.url)
  for (const target of [withKey, withoutKey]) await askOnce(target)
  const ofService = await makeMeasured(guarded, withKey, effort)
  const ofOpen = await makeMeasured(unguarded, withoutKey, effort)
  // The two differ by little, so more rounds than elsewhere.
  await takeTurns([ofService.load, ofOpen.load], 2 * effort.rounds)
  const [service, open] = [await ofService.measured(), await ofOpen.measured()]
  return { service, open, ratio: atLeast(leastRatio, service.requestsPerSecond / open.requestsPerSecond) }
}

/**
 * Hot quotes of the service and, by turns, of the same layers without keys, scopes and limits. Answers that are
 * repeated within 100 ms do not come to the routes in either, so those that do are measured by themselves.
 */
export const measureAuthentication = Effect.fnUntraced(
  function* (effort: Effort, [folder, other]: readonly [folder: string, other: string]) {
    const { settings } = yield* startFastUpstream
    const service = yield* startService({ ...settings, ...reuse, DATA_DIR: folder })
    const open = yield* startService({ ...settings, ...reuse, DATA_DIR: other }, "test/bench/openService.ts")
    return yield* Effect.promise(async (): Promise<AuthenticationCost> => ({
      repeated: await measure(service, open, one, effort),
      routed: await measure(service, open, many, effort),
    }))
  },
  Effect.scoped,
)
