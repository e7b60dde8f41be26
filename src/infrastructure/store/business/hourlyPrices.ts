import { type BigDecimal, Effect, Option } from "effect"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { PriceAt, UsdPrice } from "#domain/money/UsdValue.ts"
import { type EpochMillis, hourMillis, hourOf } from "#domain/Time.ts"
import { currentMillis } from "../../platform/currentMillis.ts"
import { makeLruCache } from "../../platform/lruCache.ts"

/** An asset in the hour that begins at `hour`. */
export interface AssetHour {
  readonly asset: AssetId
  readonly hour: EpochMillis
}

/** What is known of a price, and until when: a missing one may come while its hour lasts. */
interface Entry {
  readonly price: UsdPrice | undefined
  readonly until: number
}

/** The most hours in memory: more than the longest page of a history has, which is 500 swaps of some hours each. */
const mostHours = 4_000

/** How long a missing price stays missing before it is read again, and how long after its hour one may be written. */
const readAgainAfter = 5_000
const writtenWithin = 60_000

/**
 * Keeps the prices of hours in memory, as they never change. What is made with them (`shown`) stays so `until` a missing
 * one may be known. It is made once if they are in memory; else those that are not are read together, and it is made
 * again. Where they cannot be read, it lacks them.
 */
export const makeHourlyPrices = <E>(
  read: (
    missing: ReadonlyArray<AssetHour>,
  ) => Effect.Effect<ReadonlyArray<AssetHour & { readonly usd: BigDecimal.BigDecimal }>, E>,
) => {
  const hours = makeLruCache<EpochMillis, Map<AssetId, Entry>>(mostHours)

  const make = <A>(of: (priceAt: PriceAt) => A, now: EpochMillis) => {
    const missing = new Map<string, AssetHour>()
    let until = Infinity
    const shown = of((at) => {
      if (at === undefined) return () => undefined
      // A network whose clock is ahead, as simulated ones are, has events in hours to come: these have the present price.
      const hour = hourOf(at < now ? at : now)
      if (at >= hour + hourMillis) until = Math.min(until, hour + hourMillis)
      const entries = hours.find(hour)
      return (asset) => {
        const entry = entries?.get(asset)
        if (entry === undefined || entry.until <= now) missing.set(`${asset} ${hour}`, { asset, hour })
        else until = Math.min(until, entry.until)
        return entry?.price
      }
    })
    return { shown, until, missing: [...missing.values()] }
  }

  const keep = ({ asset, hour }: AssetHour, entry: Entry): void => {
    const entries = hours.find(hour) ?? new Map<AssetId, Entry>()
    hours.keep(hour, entries.set(asset, entry))
  }

  return Effect.fnUntraced(function* <A>(of: (priceAt: PriceAt) => A) {
    const now = yield* currentMillis
    const { missing, ...first } = make(of, now)
    if (missing.length === 0) return first
    const found = yield* Effect.option(read(missing))
    if (Option.isNone(found)) return { ...first, until: now }
    for (const one of missing) {
      const isOver = now >= one.hour + hourMillis + writtenWithin
      keep(one, { price: undefined, until: isOver ? Infinity : now + readAgainAfter })
    }
    for (const { usd, ...one } of found.value) keep(one, { price: { usd, at: one.hour }, until: Infinity })
    const { shown, until } = make(of, now)
    return { shown, until }
  })
}
