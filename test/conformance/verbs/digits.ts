import { assert } from "@effect/vitest"
import type { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { outputAt, type Price } from "#domain/money/Price.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import type { Untold } from "../Fixtures.ts"

/** The native units that the upstream's own unit of an asset is worth. */
export const unitOf = ({ digits }: Untold, asset: AssetId): bigint => digits?.nativeUnits[asset] ?? 1n

/** An amount that the upstream tells: without the digits that its unit has no room for, and never rounded up. */
export const assertAmount = (
  untold: Untold,
  asset: AssetId,
  told: NativeAmount | undefined,
  exact: NativeAmount,
): void => {
  const unit = unitOf(untold, asset)
  assert.isDefined(told)
  assert.isTrue(told !== undefined && told <= exact && exact - told < unit, `${told} stands for ${exact}`)
}

/**
 * A price limit that the upstream tells: as an output of the whole amount it differs by one unit at most, and by what
 * the digits that are left out of the amount come to.
 */
export const assertLimit = (
  untold: Untold,
  told: Price,
  { amount, destinationAsset, minimumPrice, sourceAsset }: VaultSwapRequest,
): void => {
  const least = outputAt(told, amount, sourceAsset, destinationAsset)
  const asked = outputAt(minimumPrice, amount, sourceAsset, destinationAsset)
  const leftOut = unitOf(untold, sourceAsset) - 1n
  const dearer = (asked * leftOut + amount - 1n) / amount
  const unit = unitOf(untold, destinationAsset)
  assert.isTrue(
    least >= asked - unit && least <= asked + unit + dearer,
    `a limit of ${least}, asked was ${asked}`,
  )
}
