import type { AssetId } from "../../../domain/Asset.ts"
import { NativeAmount } from "../../../domain/Amount.ts"
import { type Bps, shareOf } from "../../../domain/Bps.ts"
import type { Fee } from "../../../domain/Fee.ts"

/** The protocol takes a pip, 0.0001 %, of what goes in (near-intents/wire.md 1). */
const protocolPart = 1_000_000n

/** What the fees of a swap follow from. */
export interface Charged {
  readonly sourceAsset: AssetId
  readonly destinationAsset: AssetId
  readonly amountIn: NativeAmount
  readonly commissionBps: Bps
  /** Native units of the destination asset; absent where the upstream states none. */
  readonly withdrawFee: NativeAmount | undefined
}

/**
 * The fees in the contract's order (decision 22). Commission is taken from what goes in; what solvers earn is
 * not itemised, so there is no liquidity fee.
 */
export const toFees = (charged: Charged): ReadonlyArray<Fee> => {
  const { sourceAsset, destinationAsset, amountIn, commissionBps, withdrawFee } = charged
  const network = {
    type: "network",
    asset: sourceAsset,
    amount: NativeAmount.make(amountIn / protocolPart),
  } as const
  const broker = {
    type: "broker",
    asset: sourceAsset,
    amount: NativeAmount.make(shareOf(amountIn, commissionBps)),
  } as const
  return [
    network,
    ...(commissionBps === 0 ? [] : [broker]),
    ...(withdrawFee === undefined
      ? []
      : [{ type: "egress", asset: destinationAsset, amount: withdrawFee } as const]),
  ]
}
