import { Schema } from "effect"
import { Address } from "#domain/chains/Address.ts"
import { AssetId } from "#domain/chains/Asset.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Affiliate, DcaParameters } from "#domain/swaps/SwapRequest.ts"
import { Guidance } from "#domain/swaps/Guidance.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapResult, SwapState, TransactionPayload } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { SwapCommissionBody } from "./commissionFigures.ts"
import { numberIn } from "./endpoint.ts"
import { ExactOutputBody } from "./exactOutput.ts"
import { PaymentBody } from "./Payment.ts"
import {
  ExactDecimal,
  exactDeposit,
  FeeBody,
  IsoDate,
  maybe,
  member,
  NativeText,
  valued,
  valueTimes,
  valueUsd,
} from "./shape.ts"
import { optional } from "#domain/optional.ts"

const failed = {
  ...maybe.moment("failed"),
  failure: optional(
    Schema.Struct({
      ...member.moment("failed"),
      mode: member.text(
        "DEPOSIT_IGNORED, DEPOSIT_REJECTED, SWAP_OUTPUT_TOO_SMALL, REFUND_OUTPUT_TOO_SMALL or SENDING_FAILED.",
      ),
      reason: member.of(
        Schema.Struct({ code: Schema.String, message: Schema.String }),
        "The network's reason: its code and its message.",
      ),
    }).annotate({ identifier: "Failure" }),
  ),
}

const FillOrKillBody = Schema.Struct({
  retryDurationBlocks: member.count("Blocks of 6 seconds for which the minimum price is tried."),
  refundAddress: member.of(Address, "Refund address on the source chain."),
  minimumPrice: member.text('Decimal text; "0" accepts any price.'),
  maximumOraclePriceSlippageBps: maybe.of(
    Bps,
    "The highest deviation from the oracle's price, in basis points.",
  ),
}).annotate({ identifier: "FillOrKillParameters" })

const ProviderSignatureBody = Schema.Struct({
  text: member.text("What is signed; the deposit address is in it."),
  signature: member.text("As the provider writes it: `ed25519:` and base58."),
  publicKey: member.text("The provider's key, in the same form."),
}).annotate({ identifier: "ProviderSignature" })

const DepositChannelRecordBody = Schema.Struct({
  id: member.text("<issued_block>-<network>-<channel_id>"),
  createdAt: EpochMillis,
  createdAtDate: IsoDate,
  brokerCommissionBps: member.of(Bps, "The broker's commission, in basis points."),
  depositAddress: Address,
  sourceChainExpiryBlock: member.text("Block on the source chain at which the channel expires."),
  estimatedExpiryTime: EpochMillis,
  estimatedExpiryDate: IsoDate,
  isExpired: member.yesOrNo("Whether the channel takes no more deposits."),
  openedThroughBackend: member.yesOrNo("Whether the upstream's own service opened the channel."),
  explorerUrl: maybe.text(
    "As in the response of `/swap`; absent of channels that were opened before version 2.0.0.",
  ),
  ...maybe.amount("expectedDepositAmount", "The deposit that the channel was opened for."),
  expectedDepositValueUsd: valueUsd,
  ...exactDeposit,
  exactValueUsd: valueUsd,
  ...valueTimes,
  exactOutput: optional(ExactOutputBody),
  payment: optional(PaymentBody.annotate({
    description:
      "How to pay, at the time of the response: of look-ups and the history, while the swap waits for its " +
      "deposit. Events, webhooks and journals do not have it.",
  })),
  providerSignature: optional(ProviderSignatureBody.annotate({
    description:
      "The provider's own Ed25519 signature of the opening, which was verified: of the base58 of the SHA-256 of " +
      "`text`. Absent where the provider signs nothing.",
  })),
  affiliateBrokers: member.of(Schema.Array(Affiliate), "Brokers that share in the commission."),
  dcaParams: optional(DcaParameters),
  fillOrKillParams: optional(FillOrKillBody),
}).annotate({ identifier: "DepositChannelRecord" })

const BoostBody = Schema.Struct({
  maximumBoostFeeBps: member.of(Bps, "The highest boost fee that is accepted, in basis points."),
  effectiveBoostFeeBps: maybe.of(Bps, "The boost fee that was paid, in basis points."),
  ...maybe.moment("boosted", "When the deposit was boosted, in epoch milliseconds."),
  ...maybe.moment("skipped", "When the network decided not to boost the deposit, in epoch milliseconds."),
}).annotate({ identifier: "Boost" })

const transaction = { transactionReference: optional(Schema.String), transactionUrl: optional(Schema.String) }

const DepositBody = Schema.Struct({
  ...member.amount("amount"),
  ...valued,
  isExpected: maybe.yesOrNo(
    "The provider says that a deposit came, and not how much: the amounts are what was expected, and another may have come.",
  ),
  ...transaction,
  transactionConfirmations: maybe.count("Blocks that confirm the transaction so far."),
  ...maybe.moment("witnessed"),
  ...failed,
}).annotate({ identifier: "Deposit" })

const ChunkBody = Schema.Struct({
  ...member.amount("inputAmount", "Amount that goes into the chunk."),
  ...maybe.amount("intermediateAmount"),
  ...maybe.amount("outputAmount", "Output of the chunk."),
  ...member.moment("scheduled"),
  ...maybe.moment("executed", "When the chunk was swapped, in epoch milliseconds."),
  retryCount: member.count("Number of times that the chunk was put off."),
  ...maybe.moment("latestSwapRescheduled", "When the chunk was put off last, in epoch milliseconds."),
  latestSwapRescheduledReason: maybe.text("Why the chunk was put off."),
  ...maybe.moment("aborted", "When the chunk was given up, in epoch milliseconds."),
  abortedReason: maybe.text("Why the chunk was given up, in the network's words."),
}).annotate({ identifier: "Chunk" })

const DcaBody = Schema.Struct({
  lastExecutedChunk: maybe.of(ChunkBody, "The latest chunk that is swapped."),
  currentChunk: maybe.of(ChunkBody, "The chunk in progress."),
  executedChunks: member.count("Number of chunks that are swapped."),
  remainingChunks: member.count("Number of chunks that are still to be swapped."),
}).annotate({ identifier: "DcaProgress" })

const SwapProgressBody = Schema.Struct({
  ...member.amount("originalInputAmount", "Amount that was to be swapped."),
  ...member.amount("remainingInputAmount", "Amount that is still to be swapped."),
  ...member.amount("swappedInputAmount", "Amount that is swapped already."),
  ...member.amount("swappedIntermediateAmount", "Output of the first pool so far."),
  ...member.amount("swappedOutputAmount", "Output so far."),
  regular: maybe.of(ChunkBody, "The one chunk of a regular swap."),
  dca: maybe.of(DcaBody, "Progress of a DCA swap."),
}).annotate({ identifier: "SwapProgress" })

const EgressBody = Schema.Struct({
  ...member.amount("amount"),
  ...valued,
  isPromised: maybe.yesOrNo(
    "The provider says that it paid, and not how much: the amounts are what it promised, and less may have " +
      "arrived, down to the minimum price.",
  ),
  ...maybe.moment("scheduled"),
  ...transaction,
  ...maybe.moment("witnessed"),
  destinationAddress: optional(Address),
  transactionPayload: maybe.of(TransactionPayload, "The call that makes the payment."),
  ...failed,
}).annotate({ identifier: "Egress" })

const OutcomeBody = Schema.Struct({
  ...member.amount("quoted", "The output of the quote, in the destination asset."),
  ...member.amount(
    "promised",
    "The least that the swap's minimum price let arrive, with the fees of the quote.",
  ),
  ...member.amount("received", "What arrived."),
  bps: member.count(
    "How far `received` is from `quoted`, in basis points, rounded towards 0; below 0 if less arrived.",
  ),
}).annotate({
  identifier: "QuoteOutcome",
  description:
    "Outcome of the quote that the swap was opened with. Absent until it completed, where the deposit was of another " +
    "amount than the quote or part of it was refunded (`refundEgress`), and if the amount of the payout is unknown.",
})

/** The status of a swap with everything that is shown of it (decision 23). */
export const SwapStatusBody = Schema.Struct({
  state: SwapState,
  result: optional(SwapResult.annotate({
    description:
      "How the swap ended: `completed`, all of it was paid out; `refunded`, the deposit was refunded; " +
      "`partlyRefunded`, a part of each; `failed`, neither is known to have happened. Absent while the swap is open. " +
      "A failed swap is `refunded` once its refund is proved.",
  })),
  swapId: maybe.text("The network's own number of the swap; `/status-by-id` takes our `id`."),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Address,
  depositChannel: maybe.of(
    DepositChannelRecordBody,
    "The channel of the deposit; absent for a swap by the user's own transaction.",
  ),
  boost: maybe.of(BoostBody, "Whether and how the deposit was boosted; only on boosted swaps."),
  estimatedDurationSeconds: optional(ExactDecimal),
  sourceChainRequiredBlockConfirmations: maybe.count("Blocks on the source chain that confirm a deposit."),
  fees: member.of(Schema.Array(FeeBody), "Fees that were charged."),
  commission: optional(SwapCommissionBody.annotate({
    description: "Absent in events of earlier versions of the service.",
  })),
  deposit: maybe.of(DepositBody, "The deposit, once it was seen."),
  swap: maybe.of(SwapProgressBody, "Progress of the swap, once it is scheduled."),
  swapEgress: maybe.of(EgressBody, "The payment of the output."),
  refundEgress: maybe.of(EgressBody, "The payment back to the refund address."),
  fallbackEgress: maybe.of(
    EgressBody,
    "The payment to the fallback address, where the output could not be sent.",
  ),
  brokers: member.of(Schema.Array(Affiliate), "The brokers that share in the commission, and their shares."),
  ccmParams: maybe.of(
    Schema.Struct({ gasBudget: NativeText, message: Schema.String }),
    "The message for the receiving contract.",
  ),
  fillOrKillParams: optional(FillOrKillBody),
  dcaParams: optional(DcaParameters),
  outcome: optional(OutcomeBody),
  ...valueTimes,
  lastStateChainUpdateAt: maybe.time(
    "Time of the network's last change to the record, in epoch milliseconds.",
  ),
  lastStateChainUpdateAtDate: optional(IsoDate),
}).annotate({ identifier: "SwapStatus" })

/** A swap of the account, as every look-up and the history show it. */
export const SwapRecordBody = Schema.Struct({
  id: SwapRecordId,
  platform: ProviderName,
  status: SwapStatusBody,
}).annotate({ identifier: "SwapRecord" })
export type SwapRecordBody = typeof SwapRecordBody.Type

/** A swap with where it stands, in words, as every look-up of a single swap shows it. */
export const GuidedSwapBody = Schema.Struct({
  ...SwapRecordBody.fields,
  guidance: Guidance,
  swapCount: maybe.count("By channel: how many swaps it has had, one for each deposit that became one."),
}).annotate({ identifier: "GuidedSwap" })

/** The number of a swap in a path; text that is no number matches no swap. */
export const swapPath = {
  id: numberIn(SwapRecordId, { named: "swap", description: "The `id` of a swap.", example: "1" }),
}
