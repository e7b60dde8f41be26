import { Schema } from "effect"
import { Address } from "../domain/Address.ts"
import { AssetId } from "../domain/Asset.ts"
import { Bps } from "../domain/Bps.ts"
import { Affiliate, DcaParameters } from "../domain/SwapRequest.ts"
import { Guidance } from "../domain/Guidance.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { SwapState, TransactionPayload } from "../domain/Swap.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import { BlockIndex, EpochMillis } from "../domain/Time.ts"
import { SwapCommissionBody } from "./commissionFigures.ts"
import { PaymentBody } from "./Payment.ts"
import { ExactDecimal, exactDecimal, exactDeposit, FeeBody, IsoDate, NativeText } from "./shape.ts"

const optional = Schema.optionalKey

const failed = {
  failedAt: optional(EpochMillis),
  failedAtDate: optional(IsoDate),
  failedBlockIndex: optional(BlockIndex),
  failure: optional(
    Schema.Struct({
      failedAt: EpochMillis,
      failedAtDate: IsoDate,
      failedBlockIndex: BlockIndex,
      mode: Schema.String.annotate({
        description: "DEPOSIT_IGNORED, DEPOSIT_REJECTED, SWAP_OUTPUT_TOO_SMALL, REFUND_OUTPUT_TOO_SMALL or " +
          "SENDING_FAILED.",
      }),
      reason: Schema.Struct({ code: Schema.String, message: Schema.String }),
    }).annotate({ identifier: "Failure" }),
  ),
}

const scheduled = {
  scheduledAt: optional(EpochMillis),
  scheduledAtDate: optional(IsoDate),
  scheduledBlockIndex: optional(BlockIndex),
}

const witnessed = {
  witnessedAt: optional(EpochMillis),
  witnessedAtDate: optional(IsoDate),
  witnessedBlockIndex: optional(BlockIndex),
}

const FillOrKillBody = Schema.Struct({
  retryDurationBlocks: Schema.Int,
  refundAddress: Address,
  minimumPrice: Schema.String.annotate({ description: 'Decimal text; "0" accepts any price.' }),
  maximumOraclePriceSlippageBps: optional(Bps),
}).annotate({ identifier: "FillOrKillParameters" })

const ProviderSignatureBody = Schema.Struct({
  text: Schema.String.annotate({ description: "What is signed; the deposit address is in it." }),
  signature: Schema.String.annotate({ description: "As the provider writes it: `ed25519:` and base58." }),
  publicKey: Schema.String.annotate({ description: "The provider's key, in the same form." }),
}).annotate({ identifier: "ProviderSignature" })

const DepositChannelRecordBody = Schema.Struct({
  id: Schema.String.annotate({ description: "<issued_block>-<network>-<channel_id>" }),
  createdAt: EpochMillis,
  createdAtDate: IsoDate,
  brokerCommissionBps: Bps,
  depositAddress: Address,
  sourceChainExpiryBlock: Schema.String,
  estimatedExpiryTime: EpochMillis,
  estimatedExpiryDate: IsoDate,
  isExpired: Schema.Boolean,
  openedThroughBackend: Schema.Boolean,
  expectedDepositAmount: optional(ExactDecimal),
  expectedDepositAmountNative: optional(NativeText),
  ...exactDeposit,
  payment: optional(PaymentBody.annotate({
    description:
      "How to pay, at the time of the answer: of look-ups and the history, while the swap waits for its " +
      "deposit. Events, webhooks and journals do not have it.",
  })),
  providerSignature: optional(ProviderSignatureBody.annotate({
    description:
      "The provider's own Ed25519 signature of the opening, which was verified: of the base58 of the SHA-256 of " +
      "`text`. Absent where the provider signs nothing.",
  })),
  affiliateBrokers: Schema.Array(Affiliate),
  dcaParams: optional(DcaParameters),
  fillOrKillParams: optional(FillOrKillBody),
}).annotate({ identifier: "DepositChannelRecord" })

const BoostBody = Schema.Struct({
  maximumBoostFeeBps: Bps,
  effectiveBoostFeeBps: optional(Bps),
  boostedAt: optional(EpochMillis),
  boostedAtDate: optional(IsoDate),
  boostedBlockIndex: optional(BlockIndex),
  skippedAt: optional(EpochMillis),
  skippedAtDate: optional(IsoDate),
  skippedBlockIndex: optional(BlockIndex),
}).annotate({ identifier: "Boost" })

const DepositBody = Schema.Struct({
  amount: ExactDecimal,
  amountNative: NativeText,
  isExpected: optional(
    Schema.Boolean.annotate({
      description:
        "The provider says that a deposit came, and not how much: the amounts are what was expected, and another may " +
        "have come.",
    }),
  ),
  transactionReference: optional(Schema.String),
  transactionConfirmations: optional(Schema.Int),
  ...witnessed,
  ...failed,
}).annotate({ identifier: "Deposit" })

const ChunkBody = Schema.Struct({
  inputAmount: ExactDecimal,
  inputAmountNative: NativeText,
  intermediateAmount: optional(ExactDecimal),
  intermediateAmountNative: optional(NativeText),
  outputAmount: optional(ExactDecimal),
  outputAmountNative: optional(NativeText),
  scheduledAt: EpochMillis,
  scheduledAtDate: IsoDate,
  scheduledBlockIndex: BlockIndex,
  executedAt: optional(EpochMillis),
  executedAtDate: optional(IsoDate),
  executedBlockIndex: optional(BlockIndex),
  retryCount: Schema.Int,
  latestSwapRescheduledAt: optional(EpochMillis),
  latestSwapRescheduledAtDate: optional(IsoDate),
  latestSwapRescheduledBlockIndex: optional(BlockIndex),
  latestSwapRescheduledReason: optional(Schema.String),
  abortedAt: optional(EpochMillis),
  abortedAtDate: optional(IsoDate),
  abortedBlockIndex: optional(BlockIndex),
  abortedReason: optional(Schema.String),
}).annotate({ identifier: "Chunk" })

const DcaBody = Schema.Struct({
  lastExecutedChunk: optional(ChunkBody),
  currentChunk: optional(ChunkBody),
  executedChunks: Schema.Int,
  remainingChunks: Schema.Int,
}).annotate({ identifier: "DcaProgress" })

const SwapProgressBody = Schema.Struct({
  originalInputAmount: ExactDecimal,
  originalInputAmountNative: NativeText,
  remainingInputAmount: ExactDecimal,
  remainingInputAmountNative: NativeText,
  swappedInputAmount: ExactDecimal,
  swappedInputAmountNative: NativeText,
  swappedIntermediateAmount: ExactDecimal,
  swappedIntermediateAmountNative: NativeText,
  swappedOutputAmount: ExactDecimal,
  swappedOutputAmountNative: NativeText,
  regular: optional(ChunkBody),
  dca: optional(DcaBody),
}).annotate({ identifier: "SwapProgress" })

const EgressBody = Schema.Struct({
  amount: ExactDecimal,
  amountNative: NativeText,
  isPromised: optional(
    Schema.Boolean.annotate({
      description:
        "The provider says that it paid, and not how much: the amounts are what it promised, and less may have " +
        "arrived, down to the price limit.",
    }),
  ),
  ...scheduled,
  transactionReference: optional(Schema.String),
  ...witnessed,
  destinationAddress: optional(Address),
  transactionPayload: optional(TransactionPayload),
  ...failed,
}).annotate({ identifier: "Egress" })

const OutcomeBody = Schema.Struct({
  quoted: exactDecimal({ description: "The output of the quote, in the destination asset." }),
  quotedNative: NativeText,
  promised: exactDecimal({
    description: "The least that the swap's price limit let arrive, with the fees of the quote.",
  }),
  promisedNative: NativeText,
  received: exactDecimal({ description: "What arrived." }),
  receivedNative: NativeText,
  bps: Schema.Int.annotate({
    description:
      "How far `received` is from `quoted`, in basis points, rounded towards 0; below 0 if less arrived.",
  }),
}).annotate({
  identifier: "QuoteOutcome",
  description:
    "What became of the quote that the swap was opened by. Absent until it completed, where the deposit was of another " +
    "amount than the quote or part of it went back (`refundEgress`), and where the provider does not say how much it paid.",
})

/** The status of a swap with everything that is shown of it (decision 23). */
export const SwapStatusBody = Schema.Struct({
  state: SwapState,
  swapId: optional(Schema.String),
  sourceAsset: AssetId,
  destinationAsset: AssetId,
  destinationAddress: Address,
  depositChannel: optional(DepositChannelRecordBody),
  boost: optional(BoostBody),
  estimatedDurationSeconds: optional(ExactDecimal),
  sourceChainRequiredBlockConfirmations: optional(Schema.Int),
  fees: Schema.Array(FeeBody),
  commission: optional(SwapCommissionBody.annotate({
    description: "Absent in events of earlier versions of the service.",
  })),
  deposit: optional(DepositBody),
  swap: optional(SwapProgressBody),
  swapEgress: optional(EgressBody),
  refundEgress: optional(EgressBody),
  fallbackEgress: optional(EgressBody),
  brokers: Schema.Array(Affiliate),
  ccmParams: optional(Schema.Struct({ gasBudget: NativeText, message: Schema.String })),
  fillOrKillParams: optional(FillOrKillBody),
  dcaParams: optional(DcaParameters),
  outcome: optional(OutcomeBody),
  lastStateChainUpdateAt: optional(EpochMillis),
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
  swapCount: optional(Schema.Int.annotate({
    description: "By channel: how many swaps it has had, one for each deposit that became one.",
  })),
}).annotate({ identifier: "GuidedSwap" })

/** The number of a swap in a path; text that is no number matches no swap. */
export const swapPath = {
  id: Schema.String.annotate({ description: "The `id` of a swap.", examples: ["1"] }),
}
