import { Schema } from "effect"
import { type AssetFacts, assetFacts } from "../../../domain/Asset.ts"
import { Chain } from "../../../domain/Chain.ts"
import { Amount, Count, maybe } from "../../upstream/values.ts"

const knownAssets: ReadonlyArray<AssetFacts> = Object.values(assetFacts)

/** chain → value; chains that we do not know are ignored. */
const chainMap = <S extends Schema.Constraint>(value: S) =>
  Schema.Struct(Object.fromEntries(Chain.literals.map((chain) => [chain, maybe(value)])))

/** chain → ticker → value (chainflip/wire.md 1.5 AssetMap); assets that we do not know are ignored. */
const assetMap = <S extends Schema.Constraint>(value: S) =>
  Schema.Struct(Object.fromEntries(Chain.literals.map((chain) => {
    const tickers = knownAssets.filter((facts) => facts.chain === chain).map((facts) => facts.ticker)
    return [chain, maybe(Schema.Struct(Object.fromEntries(tickers.map((ticker) => [ticker, maybe(value)]))))]
  })))

const AmountMap = assetMap(Amount)

/** An amount for each asset that the upstream names. */
export type AmountMap = typeof AmountMap.Type

const CountMap = chainMap(Count)

/** The parts of `cf_environment` that limits and estimates are made of (chainflip/wire.md 1.5). */
export const WireEnvironment = Schema.Struct({
  ingress_egress: Schema.Struct({
    minimum_deposit_amounts: AmountMap,
    witness_safety_margins: CountMap,
    ingress_delays: maybe(CountMap),
  }),
  swapping: Schema.Struct({
    maximum_swap_amounts: maybe(AmountMap),
    max_swap_retry_duration_blocks: maybe(Count),
    max_swap_request_duration_blocks: maybe(Count),
  }),
})
export type WireEnvironment = typeof WireEnvironment.Type

/** The part of `cf_safe_mode_statuses` that stops every swap (chainflip/wire.md 1.6, 2.6). */
export const WireSafeMode = Schema.Struct({
  swapping: maybe(Schema.Struct({
    swaps_enabled: maybe(Schema.Boolean),
    deposit_enabled: maybe(Schema.Boolean),
  })),
})
export type WireSafeMode = typeof WireSafeMode.Type
