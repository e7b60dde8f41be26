import { Effect } from "effect"
import { Business } from "#application/business/Business.ts"
import type { ToldAlert } from "#domain/operations/Alert.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { addValues, noValue } from "#domain/money/UsdValue.ts"
import type { Held } from "./decision.tsx"

/** The most stalled swaps of a provider whose values are added up. */
const mostAdded = 100

/** What the stalled swaps of a provider hold; nothing where none is stalled. */
export const heldBy = Effect.fnUntraced(function* (platform: ProviderName) {
  const { items, next } = yield* (yield* Business).swaps({
    platform,
    stalled: true,
    sort: "ascending",
    limit: mostAdded,
  })
  const [first, ...others] = items
  if (first === undefined) return undefined
  const since = (swap: typeof first) => swap.stalledSince ?? Infinity
  const oldest = others.reduce((oldest, swap) => since(swap) < since(oldest) ? swap : oldest, first)
  const values = items.flatMap(({ value }) => value === undefined ? [] : [value])
  const held: Held = {
    oldest: oldest.record.id,
    swaps: items.length,
    hasMore: next !== undefined,
    value: values.reduce(addValues, noValue),
    valued: values.length,
  }
  return held
})

/** What the stalled swaps hold that alerts are about, by provider. */
export const heldOf = Effect.fnUntraced(function* (alerts: ReadonlyArray<ToldAlert>) {
  const providers = alerts.flatMap(({ alert }) => alert.type === "swaps_stalled" ? [alert.provider] : [])
  const found = new Map(
    yield* Effect.forEach(
      new Set(providers),
      (provider) => Effect.map(heldBy(provider), (held) => [provider, held] as const),
    ),
  )
  return (provider: ProviderName): Held | undefined => found.get(provider)
})
