import { Schema } from "effect"
import { toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { ExactOutput } from "#domain/quotes/ExactOutput.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { maybe, member } from "./shape.ts"

/** What is promised of an output that was asked for, and what has to be sent for it. */
export const ExactOutputBody = Schema.Struct({
  ...member.amount(
    "egressAmount",
    "The exact payout, as `amountOut` asked. Otherwise the deposit is refunded.",
  ),
  ...member.amount(
    "sendAtMost",
    "The highest deposit. A quote: an opening by its `quoteId` asks for no more. A channel: send this amount. The surplus is " +
      "refunded, less `refundFee`.",
  ),
  ...member.amount("sendAtLeast", "The lowest deposit. A lower one is refunded, less `refundFee`."),
  ...maybe.amount(
    "refundFee",
    "Fee of the refund: a surplus no larger than this is kept. Absent if unknown; the fee of the " +
      "source chain comes off then.",
  ),
}).annotate({
  identifier: "ExactOutput",
  description: "The exact payout, and the limits of the deposit in the source asset.",
})

export const presentExactOutput = (
  { amount, refundFee, sendAtLeast, sendAtMost }: ExactOutput,
  { destinationAsset, sourceAsset }: { readonly sourceAsset: AssetId; readonly destinationAsset: AssetId },
): typeof ExactOutputBody.Type => ({
  egressAmount: toHuman(destinationAsset, amount),
  egressAmountNative: amount,
  sendAtMost: toHuman(sourceAsset, sendAtMost),
  sendAtMostNative: sendAtMost,
  sendAtLeast: toHuman(sourceAsset, sendAtLeast),
  sendAtLeastNative: sendAtLeast,
  ...optionalMembers(refundFee, (fee) => ({ refundFee: toHuman(sourceAsset, fee), refundFeeNative: fee })),
})
