import { Effect } from "effect"
import { plans } from "#test/durability/swaps.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { type Environment, startTask } from "#test/support/process.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"
import { wireForm } from "./Connection.ts"
import { type Effort, makeLoad, takeTurns, type Throughput } from "./load.ts"
import { table } from "./table.ts"
import { startFastUpstream } from "./upstream.ts"

/** Openings on one kind of database, of one checkout of the service. */
interface Openings extends Throughput {
  readonly database: string
  readonly checkout: string
}

const refundAddress = "0x2222222222222222222222222222222222222222"

const here = new URL("../..", import.meta.url).pathname

const kinds = Effect.gen(function* () {
  const folder = { database: "embedded", environment: { DATA_DIR: yield* temporaryFolder } }
  const server = Deno.env.get("TEST_DATABASE_URL")
  if (server === undefined) return [folder]
  return [folder, { database: "Postgres", environment: { DATABASE_URL: yield* temporaryDatabase(server) } }]
})

const startIn = Effect.fnUntraced(function* (checkout: string, environment: Environment) {
  const { settings } = yield* startFastUpstream
  return yield* startTask({ ...settings, OPEN_BULKHEAD: "1000", ...environment }, checkout)
})

/**
 * Openings of one account over an upstream that answers at once, by turns with another checkout where one is given.
 * Postgres takes part where `TEST_DATABASE_URL` is set.
 */
export const measureOpenings = Effect.fnUntraced(function* (effort: Effort, other: string | undefined) {
  const [plan] = plans
  const parameters = new URLSearchParams({ ...plan.parameters, refundAddress })
  const checkouts = other === undefined ? [here] : [other, here]
  const figures: Array<Openings> = []
  for (const index of (yield* kinds).keys()) {
    const loads = yield* Effect.forEach(checkouts, (checkout) =>
      Effect.gen(function* () {
        const { database, environment } = (yield* kinds)[index] ?? { database: "none", environment: {} }
        const { apiKey, url } = yield* startIn(checkout, environment)
        const requests = [wireForm(new URL(`/swap?${parameters}`, url), apiKey)]
        return { database, checkout, load: makeLoad({ url, requests }, effort) }
      }))
    yield* Effect.promise(() => takeTurns(loads.map(({ load }) => load), effort.rounds))
    figures.push(
      ...loads.map(({ checkout, database, load }) => ({ checkout, database, ...load.throughput() })),
    )
  }
  return figures
}, Effect.scoped)

/** The figures as a person reads them. */
export const renderOpenings = (figures: ReadonlyArray<Openings>): string =>
  table([
    ["openings of one account", "checkout", "a second", "p50 ms", "p99 ms"],
    ...figures.map(({ checkout, database, p50, p99, requestsPerSecond }) =>
      [database, checkout, requestsPerSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)] as const
    ),
  ])
