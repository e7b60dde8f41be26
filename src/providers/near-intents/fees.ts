import { BigDecimal, Option, Result, Schema } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { shareOf } from "#domain/money/Bps.ts"
import type { Fee } from "#domain/money/Fee.ts"
import { Count, Decimal, decode, maybe } from "../upstream/values.ts"
import { impactPercent } from "../upstream/prices.ts"
import type { Options } from "./settings.ts"

/** The fees of an order: whose account, and basis points of the input. */
export const WireFees = maybe(Schema.Array(Schema.Struct({ recipient: Schema.String, fee: Count })))

/** What is charged with the commission: rows of so many basis points of the input, each taken by itself. */
export interface Charged {
  /** The operator's own. */
  readonly received: ReadonlyArray<number>
  /** The upstream's, on top of the operator's. */
  readonly kept: ReadonlyArray<number>
  readonly isEstimate?: true
}

/** The fees of an echo: those to the operator's account are received, all others are kept by the upstream. */
export const chargedBy = (
  appFees: Exclude<typeof WireFees.Type, undefined>,
  feeAccount: Options["feeAccount"],
): Charged => {
  const isOurs = ({ recipient }: typeof appFees[number]) => Option.contains(feeAccount, recipient)
  return {
    received: appFees.filter(isOurs).map(({ fee }) => fee),
    kept: appFees.filter((row) => !isOurs(row)).map(({ fee }) => fee),
  }
}

/** What so many asked basis points cost where the upstream does not tell: it takes half of them, and 20 at least. */
export const usuallyCharged = (askedBps: number): Charged => ({
  received: [Math.ceil(askedBps / 2)],
  kept: [Math.max(Math.floor(askedBps / 2), 20)],
  isEstimate: true,
})

export const sumOf = (rows: ReadonlyArray<number>): number => rows.reduce((sum, bps) => sum + bps, 0)

/** The protocol's fee: a pip, 0.0001 %, of the input (near-intents/wire.md 1). */
const protocolPart = 1_000_000n

/** In order (decision 22): `broker` is received, `provider` is kept; the solvers' earnings are not itemised. */
export const toFees = (costs: {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amountIn: NativeAmount
  readonly charged: Charged
  /** Native units of the destination asset; absent where the upstream states none. */
  readonly withdrawFee?: NativeAmount | undefined
}): ReadonlyArray<Fee> => {
  const { sourceAsset, destinationAsset, amountIn, charged, withdrawFee } = costs
  const rows = (type: "broker" | "provider", bps: ReadonlyArray<number>): ReadonlyArray<Fee> =>
    sumOf(bps) === 0 ? [] : [{
      type,
      asset: sourceAsset,
      amount: NativeAmount.make(bps.reduce((sum, bps) => sum + shareOf(amountIn, bps), 0n)),
      ...(charged.isEstimate === true ? { isEstimate: true } : {}),
    }]
  return [
    { type: "network", asset: sourceAsset, amount: NativeAmount.make(amountIn / protocolPart) },
    ...rows("broker", charged.received),
    ...rows("provider", charged.kept),
    ...(withdrawFee === undefined
      ? []
      : [{ type: "egress", asset: destinationAsset, amount: withdrawFee } as const]),
  ]
}

/** The figures of an answer that tell what the upstream thinks they are worth. */
interface Worth {
  readonly amountInUsd?: unknown
  readonly amountOutUsd?: unknown
  readonly amountOut: bigint
  readonly withdrawFee?: bigint
  readonly charged: Charged
}

const dollarPlaces = 18

const dollarsOf = (member: string, value: unknown): bigint =>
  Result.match(decode(Decimal, value, ["quote", member]), {
    onFailure: () => 0n,
    onSuccess: (dollars) => BigDecimal.scale(dollars, dollarPlaces).value,
  })

/** The impact on the price, by the upstream's prices of the amounts; the withdrawal fee and the commission count as paid out. */
export const impactOf = (
  { amountInUsd, amountOut, amountOutUsd, charged, withdrawFee }: Worth,
): BigDecimal.BigDecimal | undefined => {
  const [worth, out] = [dollarsOf("amountInUsd", amountInUsd), dollarsOf("amountOutUsd", amountOutUsd)]
  return amountOut === 0n || out === 0n ? undefined : impactPercent(
    worth * BigInt(10_000 - sumOf(charged.received) - sumOf(charged.kept)) / 10_000n,
    out * (amountOut + (withdrawFee ?? 0n)) / amountOut,
  )
}
