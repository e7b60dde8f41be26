import { BigDecimal } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { formatDecimal } from "#domain/money/Decimal.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { inUsd, priceDecimals } from "../engine/usd.ts"
import type { Row } from "../follow.ts"

/** The forms in which 1Click writes values (near-intents/wire.md 1). */

/** `2026-11-21T05:00:00.000Z`. */
export const isoTime = (millis: EpochMillis): string => new Date(millis).toISOString()

/** An asset with the price of one whole unit, in native usdc.eth. */
export interface Priced {
  readonly asset: AssetId
  readonly price: bigint
}

const formatted = ({ asset }: Priced, amount: bigint): string =>
  formatDecimal(BigDecimal.make(amount, factsOf(asset).decimals))

/** The places behind the point of a value in USD. */
const usdPlaces = 12

/** An amount as three members: digits of the smallest unit, human units and USD; all null where there is none yet. */
export const amountRows = (path: string, priced: Priced, amount: bigint | undefined): ReadonlyArray<Row> => [
  [path, amount === undefined ? null : `${amount}`],
  [`${path}Formatted`, amount === undefined ? null : formatted(priced, amount)],
  [`${path}Usd`, amount === undefined ? null : inUsd(priced.asset, priced.price, amount, usdPlaces)],
]

/** A price in USD as a JSON number, for display only. */
export const usdNumber = (price: bigint): number =>
  BigDecimal.toNumberUnsafe(BigDecimal.make(price, priceDecimals))
