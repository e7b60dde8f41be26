import { Effect } from "effect"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { type RunningService, startService } from "#test/support/process.ts"
import { wireForm } from "../Connection.ts"
import { makeLoad } from "../load.ts"
import type { Place } from "../place.ts"
import { table } from "../table.ts"
import { addresses, fillHistory } from "./fillHistory.ts"

/** Milliseconds of a list, over all rounds. */
export interface FilterFigures {
  readonly name: string
  readonly p50: number
  readonly p99: number
}

/** Filters by kind, as queries: one common and one rare of each, and what no swap has. Two of a kind are not combined. */
const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  time: {
    "a month": "from=2026-06-01&to=2026-06-30",
    "since the first day": "from=2026-01-01",
    "no time": "from=2030-01-01&to=2030-12-31",
  },
  address: {
    "a common recipient": `address=${addresses.common}`,
    "a common refund address": `address=${addresses.refund}`,
    "an address never paid to": `address=${addresses.unpaid}`,
    "a rare address": `address=${addresses.rare}`,
  },
  source: { "a common source": "sourceAsset=btc.btc", "a rare source": "sourceAsset=dot.hub" },
  destination: {
    "a common destination": "destinationAsset=usdc.eth",
    "a rare destination": "destinationAsset=flip.eth",
  },
  platform: { "a rare platform": "platform=thorchain" },
  status: {
    failed: "status=failed",
    receiving: "status=receiving",
    refunded: "result=refunded",
    "partly refunded": "result=partlyRefunded",
  },
}

const singles = Object.entries(kinds).flatMap(([kind, filters]) =>
  Object.entries(filters).map(([name, query]) => ({ kind, name, query }))
)
const pairs = singles.flatMap((one, place) =>
  singles.slice(place + 1).filter(({ kind }) => kind !== one.kind)
    .map((other) => ({ name: `${one.name}, ${other.name}`, query: `${one.query}&${other.query}` }))
)
const combinations = [{ name: "no filter", query: "" }, ...singles, ...pairs].flatMap(({ name, query }) =>
  ["descending", "ascending"].map((sort) => ({ name: `${name}, ${sort}`, query: `${query}&sort=${sort}` }))
)

/** Asks a service for each filter, and for each two of them, in both orders. */
export const measureFilters = Effect.fnUntraced(
  function* ({ apiKey, url }: RunningService, secondsPerRound: number) {
    const effort = { connections: 1, warmUpSeconds: 0.1, rounds: 1, secondsPerRound, mostRequests: 10_000 }
    return yield* Effect.promise(async () => {
      const figures: Array<FilterFigures> = []
      for (const { name, query } of combinations) {
        const load = makeLoad({ url, requests: [wireForm(new URL(`/swaps?${query}`, url), apiKey)] }, effort)
        await load.warmUp()
        await load.round()
        const { p50, p99 } = load.throughput()
        figures.push({ name, p50, p99 })
      }
      return figures
    })
  },
)

const settings = { PROVIDERS: "chainflip,near-intents,relay,thorchain" }

/** A service over so many swaps, and what lists of them take. */
export const measureHistory = Effect.fnUntraced(
  function* ({ location, settings: environment }: Place, swaps: number) {
    yield* Effect.scoped(Effect.gen(function* () {
      const service = yield* startService({ ...environment, ...settings })
      yield* service.kill("SIGTERM")
      yield* service.ended
    }))
    yield* Effect.provide(fillHistory(swaps), sqlLayer(location))
    return yield* measureFilters(yield* startService({ ...environment, ...settings }), 0.3)
  },
  Effect.scoped,
)

/** The figures as a table, the slowest list first. */
export const renderHistory = (figures: ReadonlyArray<FilterFigures>): string =>
  table([
    ["GET /swaps, of 50", "p50 ms", "p99 ms", "p99 <= 50"],
    ...figures.toSorted((one, other) => other.p99 - one.p99).map(({ name, p50, p99 }) =>
      [name, p50.toFixed(2), p99.toFixed(2), p99 <= 50 ? "yes" : "no"] as const
    ),
  ])
