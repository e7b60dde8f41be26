import { Result, Schema } from "effect"
import type { NativeAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import type { MalformedBody } from "#domain/ProviderError.ts"
import { Amount, decode } from "../upstream/values.ts"
import { ceilDivide, coinOn, paymentSize, power, statable } from "../upstream/prices.ts"
import type { Path } from "../upstream/witness.ts"
import { fromWire } from "./amounts.ts"

/** The fee members of `GET /inbound_addresses`, read apart: an unreadable one must not take the vault along. */
export const wireFees = {
  gas_rate: Schema.optionalKey(Schema.Unknown),
  gas_rate_units: Schema.optionalKey(Schema.Unknown),
  outbound_fee: Schema.optionalKey(Schema.Unknown),
  outbound_tx_size: Schema.optionalKey(Schema.Unknown),
}

interface WireFees {
  readonly gas_rate?: unknown
  readonly gas_rate_units?: unknown
  readonly outbound_fee?: unknown
  readonly outbound_tx_size?: unknown
}

/** What a size of so many bytes, or so much gas, costs on a chain, in native units of its coin. */
export interface PaymentFee {
  readonly fee: bigint
  readonly size: bigint
}

/** Wei of the units in which rates of EVM chains are told (thorchain/wire.md 4). */
const weiOf: ReadonlyMap<string, bigint> = new Map([
  ["gwei", 10n ** 9n],
  ["centigwei", 10n ** 7n],
  ["mwei", 10n ** 6n],
  ["nAVAX", 10n ** 9n],
])

/** Native units of the coin that a rate of 1 is worth; nothing where the chain has no such unit. */
const worthOf = (chain: Chain, units: string): bigint | undefined =>
  chainFacts(chain).family._tag === "bitcoin"
    ? units === "satsperbyte" ? 1n : undefined
    : chainFacts(chain).family._tag === "evm"
    ? weiOf.get(units)
    : undefined

const amountAt = (value: unknown, at: Path): Result.Result<bigint, MalformedBody> =>
  value === undefined ? Result.succeed(0n) : decode(Amount, value, at)

/** The lower of the stated rate and that of the sending fee; a higher rate is false (thorchain/wire.md 4). */
const paymentFee = (chain: Chain, row: WireFees, index: number) =>
  Result.gen(function* () {
    const coin = coinOn(chain)
    const units = yield* decode(Schema.String, row.gas_rate_units, [index, "gas_rate_units"])
    const worth = worthOf(chain, units)
    const rate = yield* decode(Amount, row.gas_rate, [index, "gas_rate"])
    const outbound = yield* amountAt(row.outbound_fee, [index, "outbound_fee"])
    const size = yield* amountAt(row.outbound_tx_size, [index, "outbound_tx_size"])
    if (coin === undefined || worth === undefined) return undefined
    const sending = fromWire(coin, outbound)
    return sending > 0n && size > 0n && rate * worth * size > sending
      ? { fee: sending, size }
      : { fee: rate * worth, size: 1n }
  })

export const readPaymentFee = (chain: Chain, row: WireFees, index: number): PaymentFee | undefined =>
  Result.getOrUndefined(paymentFee(chain, row, index))

export interface Reserves {
  readonly asset: bigint
  readonly native: bigint
}

/** An amount of one asset in another, at the price that both pools have. */
const inOther = (
  amount: bigint,
  [from, pool]: readonly [AssetId, Reserves],
  [to, other]: readonly [AssetId, Reserves],
): bigint | undefined => {
  const divisor = pool.asset * other.native * power(factsOf(from).decimals)
  return divisor === 0n
    ? undefined
    : ceilDivide(amount * pool.native * other.asset * power(factsOf(to).decimals), divisor)
}

/** What a plain payment costs its sender, in the asset; a token's is converted at the network's own pool prices. */
export const depositCosts = (
  pools: ReadonlyMap<AssetId, { readonly reserves: Reserves }>,
  feeOn: (chain: Chain) => PaymentFee | undefined,
): ReadonlyMap<AssetId, NativeAmount> => {
  const costs = new Map<AssetId, NativeAmount>()
  for (const [asset, { reserves }] of pools) {
    const chain = chainOf(asset)
    const fee = feeOn(chain)
    const size = paymentSize(asset)
    const coin = coinOn(chain)
    if (fee === undefined || size === undefined || coin === undefined) continue
    const inCoin = ceilDivide(fee.fee * size, fee.size)
    const coinPool = pools.get(coin)
    const cost = asset === coin
      ? inCoin
      : coinPool === undefined
      ? undefined
      : inOther(inCoin, [coin, coinPool.reserves], [asset, reserves])
    const stated = cost === undefined ? undefined : statable(cost)
    if (stated !== undefined) costs.set(asset, stated)
  }
  return costs
}
