import type { Address } from "../../chains/Address.ts"
import type { NativeAmount } from "../../money/Amount.ts"
import type { AssetId } from "../../chains/Asset.ts"
import type { Network } from "../../chains/Chain.ts"
import type { ExactOutput } from "../../quotes/ExactOutput.ts"
import type { OutOfReach } from "../../money/Price.ts"
import type { SwapStatus } from "../Swap.ts"
import type { EpochMillis } from "../../Time.ts"

/** What a payer has to know of a deposit channel: any record of a channel is this. */
export interface Payable {
  readonly depositAddress: Address
  readonly memo?: string
  readonly exactAmount?: NativeAmount
  /** The amount that the channel was opened for. */
  readonly expectedDepositAmount?: NativeAmount
  readonly minimumDeposit?: NativeAmount
  readonly maximumDeposit?: NativeAmount
  /** What is promised of an output that was asked for. */
  readonly exactOutput?: ExactOutput
  readonly estimatedExpiryTime?: EpochMillis
  readonly isExpired?: boolean
  /** The price limit, where no known price met it when the channel was opened. */
  readonly outOfReach?: OutOfReach
}

/** What is paid, and on which network of its chain. */
export interface PaymentTerms {
  readonly sourceAsset: AssetId
  readonly network: Network
  /** What is paid out, where the swap is known. */
  readonly destinationAsset?: AssetId
  /** Where the output goes and where a refund does, where the swap is known. */
  readonly destinationAddress?: Address
  readonly refundAddress?: Address
  /** Whether nobody should pay at present, although the channel has not expired: where the swap stands says why. */
  readonly isStopped?: boolean
}

export const termsOfSwap = (
  { destinationAddress, destinationAsset, fillOrKill, sourceAsset }: Pick<
    SwapStatus,
    "destinationAddress" | "destinationAsset" | "fillOrKill" | "sourceAsset"
  >,
): Omit<PaymentTerms, "network"> => ({
  sourceAsset,
  destinationAsset,
  destinationAddress,
  ...(fillOrKill === undefined ? {} : { refundAddress: fillOrKill.refundAddress }),
})
