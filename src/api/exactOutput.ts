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
    "The most that is sent for it. Of a quote, what an opening by its `quoteId` asks for at the most; of a channel, what to " +
      "send. What is sent above what the swap needs comes back, less `refundFee`.",
  ),
  ...member.amount("sendAtLeast", "A deposit below it is not swapped and comes back, less `refundFee`."),
  ...maybe.amount(
    "refundFee",
    "Fee of the refund: a surplus no larger than this is kept. Absent if unknown; the fee of the " +
      "source chain comes off then.",
  ),
}).annotate({
  identifier: "ExactOutput",
  description: "Of a swap whose output was asked for; what is sent is in the source asset.",
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
