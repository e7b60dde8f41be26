import { Schema } from "effect"
import { toHuman } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { type Payment, PaymentScheme } from "#domain/swaps/payment/Payment.ts"
import { EpochMillis } from "#domain/Time.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { maybe } from "./shape.ts"
import { optional } from "#domain/optional.ts"

/** How to pay into a channel, in the form of the contract (decision 36). */
export const PaymentBody = Schema.Struct({
  scheme: PaymentScheme.annotate({
    description:
      "The form of `uri`: `bip321` of Bitcoin, `erc681` of EVM chains (always with the number of the chain), " +
      "`solana-pay`; `tron` is a habit of some wallets that no standard defines; `address`: there is no link, and " +
      "the address is to be copied.",
  }),
  uri: optional(Schema.String.annotate({
    description:
      "The link that wallets open. Absent where a payment by it could be lost: a memo that no link " +
      "carries, an expired channel, a chain without a scheme.",
    examples: ["bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.25"],
  })),
  ...maybe.amount("amount"),
  expiresAt: optional(EpochMillis),
  warnings: Schema.Array(Schema.String).annotate({
    description: "Warnings for the payer, in sentences to be shown unchanged; the most serious first.",
  }),
}).annotate({ identifier: "Payment", description: "How to pay, as it is at the time of the response." })
export type PaymentBody = typeof PaymentBody.Type

/** How to pay in the form of the contract: the amount in both forms, and no text of a code. */
export const presentPayment = (
  sourceAsset: AssetId,
  { amount, expiresAt, scheme, uri, warnings }: Payment,
): PaymentBody => ({
  scheme,
  ...optionalMembers(uri, (uri) => ({ uri })),
  ...optionalMembers(amount, (amount) => ({ amount: toHuman(sourceAsset, amount), amountNative: amount })),
  ...optionalMembers(expiresAt, (expiresAt) => ({ expiresAt })),
  warnings,
})
