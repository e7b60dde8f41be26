import { Schema } from "effect"
import { type AssetId, assetIds } from "../chains/Asset.ts"

/** The wildcard for every asset in a route rule. */
export const anyAsset = "*"

/** One side of a route rule: an asset, or the wildcard. */
export type RouteAsset = typeof anyAsset | AssetId

/** Every side that a rule can have. */
export const routeAssets = (): ReadonlyArray<RouteAsset> => [anyAsset, ...assetIds()]

export const RouteAsset: Schema.Codec<RouteAsset> = Schema.suspend(() => Schema.Literals(routeAssets()))

export const RoutePair = Schema.Struct({ sourceAsset: RouteAsset, destinationAsset: RouteAsset })
export type RoutePair = typeof RoutePair.Type

/** Whether an account may swap one asset to the other (decision 34). */
export const RouteRule = Schema.Struct({ ...RoutePair.fields, allowed: Schema.Boolean }).annotate({
  identifier: "RouteRule",
})
export type RouteRule = typeof RouteRule.Type

/** An account's rules by their pair, for `routeAllowed`. */
export type RouteTable = ReadonlyMap<string, boolean>

const entry = (source: RouteAsset, destination: RouteAsset): string => `${source} ${destination}`

export const routeTable = (rules: ReadonlyArray<RouteRule>): RouteTable =>
  new Map(rules.map((rule) => [entry(rule.sourceAsset, rule.destinationAsset), rule.allowed]))

/** Whether a pair is allowed: by its rule, else its assets' (deny wins), else the general one, else yes. */
export const routeAllowed = (table: RouteTable, source: AssetId, destination: AssetId): boolean => {
  if (table.size === 0) return true
  const ofPair = table.get(entry(source, destination))
  if (ofPair !== undefined) return ofPair
  const ofSource = table.get(entry(source, anyAsset))
  const ofDestination = table.get(entry(anyAsset, destination))
  return ofSource === undefined && ofDestination === undefined
    ? table.get(entry(anyAsset, anyAsset)) ?? true
    : ofSource !== false && ofDestination !== false
}
