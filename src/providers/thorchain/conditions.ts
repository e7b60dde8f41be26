import { BigDecimal, Duration, Effect, Option, Ref, Result, Schema } from "effect"
import { NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { AssetNotListed, type MalformedBody, type ProviderErrorReason } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Capabilities, Paying } from "../Capabilities.ts"
import type { AssetSupport } from "../Provider.ts"
import { Amount, decode, maybe } from "../upstream/values.ts"
import { tellRefusal } from "../upstream/transport.ts"
import { makeRefreshed } from "../upstream/refreshed.ts"
import { onlyWitnessed } from "../upstream/witness.ts"
import { makeAgreement } from "./agreement.ts"
import { leastOver } from "./amounts.ts"
import { belowMinimum, type Client, feeNotCovered, halted, noContract, notBelieved } from "./client.ts"
import { depositCosts, type Reserves } from "./depositCosts.ts"
import { type Family, findAsset, isByContract } from "./networks.ts"
import type { Options } from "./settings.ts"
import { feel, haltOf, isStill, type Pair, type Pulse, readHeight, type Vaults } from "./vaults.ts"

/** `GET /pools`; the native coin's balance has the network's own name. */
export const WirePools = Schema.Array(Schema.Struct({
  asset: Schema.String,
  status: Schema.String,
  trading_halted: maybe(Schema.Boolean),
  balance_asset: maybe(Amount),
  balance_rune: maybe(Amount),
  balance_cacao: maybe(Amount),
  asset_tor_price: maybe(Amount),
}))
type WirePool = typeof WirePools.Type[number]

interface Pool {
  readonly isTrading: boolean
  readonly reserves: Reserves
  readonly usdPrice?: BigDecimal.BigDecimal
}

type Pools = ReadonlyMap<AssetId, Pool>

/** Digits of a price; none is so fine. */
const pricePlaces = 8

/** Nodes leave out numbers that are 0 (thorchain/wire.md 5). */
const assetBalance = ({ balance_asset = noAmount }: WirePool): bigint => balance_asset

const nativeBalance = ({ balance_cacao, balance_rune }: WirePool): bigint =>
  balance_rune ?? balance_cacao ?? 0n

/** US dollars for a whole unit. Where the node states none, a dollar coin's pool prices the native coin. */
const usdPriceOf = (pool: WirePool, dollars: WirePool | undefined): BigDecimal.BigDecimal | undefined => {
  if (pool.asset_tor_price !== undefined) {
    return pool.asset_tor_price === 0n ? undefined : BigDecimal.make(pool.asset_tor_price, pricePlaces)
  }
  if (dollars === undefined) return undefined
  const divisor = assetBalance(pool) * nativeBalance(dollars)
  const value = nativeBalance(pool) * assetBalance(dollars) * 10n ** BigInt(pricePlaces)
  return divisor === 0n || value < divisor ? undefined : BigDecimal.make(value / divisor, pricePlaces)
}

/** The pools of the assets of ours; those of others are passed over. */
export const readPools = (family: Family, body: unknown): Result.Result<Pools, MalformedBody> =>
  Result.map(decode(WirePools, body), (rows) => {
    const dollars = rows.find(({ asset }) => findAsset(family, asset) === "usdc.eth")
    const pools = new Map<AssetId, Pool>()
    for (const row of rows) {
      const asset = findAsset(family, row.asset)
      if (asset === undefined) continue
      pools.set(asset, {
        isTrading: row.status === "Available" && row.trading_halted !== true,
        reserves: { asset: assetBalance(row), native: nativeBalance(row) },
        ...optionalMembers(usdPriceOf(row, dollars), (usdPrice) => ({ usdPrice })),
      })
    }
    return pools
  })

export type Conditions = Effect.Success<ReturnType<typeof makeConditions>>

export interface PoolState {
  readonly vaults: Vaults
  readonly pools: Pools
  /** What a plain payment of each asset costs its sender, in that asset, where it is known. */
  readonly depositCosts: ReadonlyMap<AssetId, NativeAmount>
}

const defaultMaxAge = Duration.seconds(15)
/** Some fetches may fail before nothing is known any more. */
const stayFor = 4

/** Tells the operator of what is named on chains that nothing is swapped from for it. */
const tellFaults = ({ byChain }: Vaults): Effect.Effect<void> =>
  Effect.forEach(byChain.values(), ({ fault }) => {
    if (fault?._tag !== "MalformedBody") return Effect.void
    onlyWitnessed(() => Result.fail(fault))
    return tellRefusal(fault)
  }, { discard: true })

export const makeConditions = Effect.fnUntraced(function* (
  client: Client,
  family: Family,
  { catalogueMaxAge = defaultMaxAge, lookupTimeout, routers, simulatedTime }: Options,
) {
  const pulse = yield* Ref.make(Option.none<Pulse>())

  const isAtStandstill = Effect.gen(function* () {
    const { answeredAt, body } = yield* client.lastBlock
    const height = yield* Effect.fromResult(readHeight(family, body))
    const now = simulatedTime ? answeredAt : yield* currentMillis
    const felt = yield* Ref.updateAndGet(pulse, (last) => Option.some(feel(last, height, now)))
    return Option.exists(felt, (felt) => isStill(felt, now))
  })
  const vaults = Effect.zipWith(
    makeAgreement(client, family, routers),
    isAtStandstill,
    (vaults, isStill): Vaults => ({ ...vaults, isPaused: vaults.isPaused || isStill }),
    { concurrent: true },
  )
  const { keepFresh, latest } = yield* makeRefreshed({
    endpoint: family.endpoint,
    what: `What the ${family.endpoint} takes`,
    ask: Effect.gen(function* () {
      const [found, pools] = yield* Effect.all([
        vaults,
        Effect.flatMap(client.pools, ({ body }) => Effect.fromResult(readPools(family, body))),
      ], { concurrency: "unbounded" })
      yield* tellFaults(found)
      return {
        vaults: found,
        pools,
        depositCosts: depositCosts(pools, (chain) => found.byChain.get(chain)?.fee),
      }
    }),
    maxAge: catalogueMaxAge,
    longest: Duration.times(Duration.fromInputUnsafe(catalogueMaxAge), stayFor),
    lookupTimeout,
  })
  return { current: latest, vaults, keepFresh }
})

/** What the networks can do (thorchain/wire.md 3): a payment that misses its price goes back at once. */
export const capabilities: Capabilities = {
  maximumCommissionBps: 1_000,
  affiliates: false,
  boost: false,
  dca: true,
  shortestChunkInterval: 1,
  ccm: false,
  needsAmount: true,
  retry: false,
  refusesLimitAbove: true,
  lateDeposit: "untold",
  ends: { limit: "by chunk", deposit: "told", paysByDeposit: true, pays: "one" },
  // Public nodes take about a question a second (thorchain/wire.md); half of them may find nothing.
  unknownPerMinute: 30,
}

/** What the network can do, and whether the operator has a name there that commission is paid to. */
export const payingOf = ({ name }: Family, affiliate: Options["affiliate"]): Paying => ({
  name,
  capabilities,
  hasPayee: Option.isSome(affiliate),
})

export const dustOf = ({ vaults }: Pick<PoolState, "vaults">, asset: AssetId): bigint =>
  vaults.byChain.get(chainOf(asset))?.dust ?? 0n

/** An output that the network takes for dust on its way out, too: nothing would arrive. */
export const checkOutput = (
  found: Pick<PoolState, "vaults">,
  asset: AssetId,
  output: NativeAmount,
): Result.Result<void, ProviderErrorReason> =>
  output < leastOver(asset, dustOf(found, asset)) ? Result.fail(feeNotCovered) : Result.void

/** Why nothing is swapped from an asset: a fault of its chain's row, or a contract that the row does not name. */
const faultOf = (family: Family, { vaults }: PoolState, asset: AssetId): ProviderErrorReason | undefined => {
  const vault = vaults.byChain.get(chainOf(asset))
  return vault?.fault ??
    (vault?.router === undefined && isByContract(family, asset) ? noContract(asset) : undefined)
}

/** Both assets have to have a pool that trades, their chains have to be at work, and the amount has to be seen. */
export const checkPair = (
  family: Family,
  found: PoolState,
  pair: Pair & { readonly amount: NativeAmount },
  paying: boolean,
): Result.Result<void, ProviderErrorReason> => {
  const { pools, vaults } = found
  const unlisted = [pair.sourceAsset, pair.destinationAsset].find((asset) => !pools.has(asset))
  if (unlisted !== undefined) {
    return Result.fail(new AssetNotListed({ detail: `The network has no pool of ${unlisted}` }))
  }
  const halt = haltOf(vaults, pair, paying)
  if (halt !== undefined) return Result.fail(halt)
  // A payment's vault is looked at anew.
  const fault = paying ? undefined : faultOf(family, found, pair.sourceAsset)
  if (fault !== undefined) return Result.fail(notBelieved(pair.sourceAsset, fault))
  const resting = [pair.sourceAsset, pair.destinationAsset].find((asset) =>
    pools.get(asset)?.isTrading !== true
  )
  if (resting !== undefined) return Result.fail(halted(resting))
  const { amount, sourceAsset } = pair
  const least = NativeAmount.makeOption(leastOver(sourceAsset, dustOf(found, sourceAsset)))
  return Option.isSome(least) && amount < least.value
    ? Result.fail(belowMinimum(sourceAsset, least.value))
    : Result.void
}

/** The part of a pool that is quoted for limits: it covers all fees, and is swapped at once. */
const sampledPart = 10_000n

const toSupport = (family: Family, found: PoolState): ReadonlyArray<AssetSupport> =>
  [...found.pools].map(([asset, { isTrading, reserves, usdPrice }]) => {
    const vault = found.vaults.byChain.get(chainOf(asset))
    const dust = vault?.dust ?? 0n
    const sample = NativeAmount.makeOption(leastOver(asset, dust + reserves.asset / sampledPart))
    const isOn = isTrading && !found.vaults.isPaused && vault?.isHalted === false
    return {
      asset,
      ingress: isOn && family.sources.includes(chainOf(asset)) && faultOf(family, found, asset) === undefined,
      egress: isOn,
      minimumDeposit: NativeAmount.make(leastOver(asset, dust)),
      ...optionalMembers(Option.getOrUndefined(sample), (sampleDeposit) => ({ sampleDeposit })),
      ...optionalMembers(usdPrice, (usdPrice) => ({ usdPrice })),
    }
  })

export const assetSupport = (family: Family, { current }: Conditions) =>
  Effect.map(current, (found) => toSupport(family, found))
