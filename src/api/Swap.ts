import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { Chain } from "#domain/chains/Chain.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { about } from "./endpoint.ts"
import { Authorization, needsScope, RuleFaults } from "./Authorization.ts"
import { PaymentBody } from "./Payment.ts"
import { ExactOutputBody } from "./exactOutput.ts"
import { exactDeposit, maybe, member, refundMembers } from "./shape.ts"
import { beginsSwap, IdempotencyHeaders, idempotencyProblems } from "./Idempotency.ts"
import {
  AffiliateAccount,
  AffiliateCommissionBps,
  BoostFee,
  ChunkIntervalBlocks,
  CommissionBps,
  DestinationAddress,
  DestinationAsset,
  HumanAmount,
  HumanAmountOut,
  MinimumPrice,
  NativeAmountOutText,
  NativeAmountText,
  NumberOfChunks,
  Platform,
  QuoteIdParameter,
  RefundAddress,
  RetryDurationInBlocks,
  SlippageTolerancePercent,
  SourceAsset,
} from "./Parameters.ts"
import { ContentTooLarge, QuoteConflict, UnsupportedMediaType, upstreamProblems } from "./Problems.ts"
import { optional } from "#domain/optional.ts"

/** The four pairs of an affiliate and its share (decision 8). */
const affiliates = <Account, Share>(account: Account, share: Share) => ({
  affiliate1: account,
  affiliate1CommissionBps: share,
  affiliate2: account,
  affiliate2CommissionBps: share,
  affiliate3: account,
  affiliate3CommissionBps: share,
  affiliate4: account,
  affiliate4CommissionBps: share,
})

export const SwapQuery = Schema.Struct({
  sourceAsset: SourceAsset,
  destinationAsset: DestinationAsset,
  destinationAddress: DestinationAddress,
  boostFee: optional(BoostFee),
  minimumPrice: optional(MinimumPrice),
  refundAddress: optional(RefundAddress),
  retryDurationInBlocks: optional(RetryDurationInBlocks),
  numberOfChunks: optional(NumberOfChunks),
  chunkIntervalBlocks: optional(ChunkIntervalBlocks),
  commissionBps: optional(CommissionBps),
  ...affiliates(optional(AffiliateAccount), optional(AffiliateCommissionBps)),
  amount: optional(HumanAmount),
  amountNative: optional(NativeAmountText),
  amountOut: optional(HumanAmountOut),
  amountOutNative: optional(NativeAmountOutText),
  platform: optional(Platform),
  quoteId: optional(QuoteIdParameter),
  slippageTolerancePercent: optional(SlippageTolerancePercent),
})

/** A message for the receiving contract; only in a body (decision 4). */
export const CcmPayloadBody = Schema.Struct({
  gasBudget: Schema.String.annotate({
    description: "Digits, native units. `gas_budget` is taken for it, too.",
    examples: ["500000"],
  }).pipe(
    Schema.check(Schema.isPattern(/^(?:0|[1-9][0-9]{0,38})$/)),
    Schema.decodeTo(Schema.BigIntFromString),
    Schema.decodeTo(NativeAmount),
  ),
  message: Schema.String.annotate({ description: "0x and hex digits.", examples: ["0xdeadbeef"] })
    .check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2}){0,15000}$/)),
}).annotate({
  identifier: "CcmPayload",
  message:
    "must be {gasBudget: digits as a string, message: 0x and hex digits of at most 15000 bytes} or null",
})

/** The parameters of a POST, in its query or its body; a message can only be in the body (decision 4). */
export const posted = <F extends Schema.Struct.Fields>({ fields }: Schema.Struct<F>) =>
  Schema.Struct({ ...fields, ccmPayload: optional(CcmPayloadBody) })

const textOrNumber = (description: string) =>
  optional(Schema.NullOr(Schema.Union([Schema.String, Schema.Finite])).annotate({ description }))

const text = (description: string) => optional(Schema.NullOr(Schema.String).annotate({ description }))

/** Every name that `/swap` accepts, in its query and its body. */
export const swapParameterNames: ReadonlyArray<string> = Struct.keys(posted(SwapQuery).fields)

/** The JSON form of `/swap`, with the same names as the query; numbers are JSON numbers or text. */
export const SwapBody = Schema.Struct({
  sourceAsset: text("As in the query."),
  destinationAsset: text("As in the query."),
  destinationAddress: text("As in the query."),
  boostFee: textOrNumber("As in the query."),
  minimumPrice: textOrNumber("As in the query; a JSON number is read digit by digit."),
  refundAddress: text("As in the query."),
  retryDurationInBlocks: textOrNumber("As in the query."),
  numberOfChunks: textOrNumber("As in the query."),
  chunkIntervalBlocks: textOrNumber("As in the query."),
  commissionBps: textOrNumber("As in the query."),
  ...affiliates(text("As in the query."), textOrNumber("As in the query.")),
  amount: textOrNumber("As in the query; a JSON number is read digit by digit."),
  amountNative: textOrNumber("As in the query."),
  amountOut: textOrNumber("As in the query; a JSON number is read digit by digit."),
  amountOutNative: textOrNumber("As in the query."),
  platform: text("As in the query."),
  quoteId: text("As in the query."),
  slippageTolerancePercent: textOrNumber("As in the query; a JSON number is read digit by digit."),
  ccmPayload: optional(Schema.NullOr(CcmPayloadBody)),
}).annotate({ identifier: "SwapRequest" })

/** The channel that a deposit is sent to (decision 29). */
export const DepositChannelBody = Schema.Struct({
  id: SwapRecordId.annotate({ description: "Our number of the swap: what /status-by-id takes." }),
  address: Address.annotate({ description: "Deposit address on the source chain." }),
  issuedBlock: member.count("State-chain block of the opening."),
  network: Chain,
  channelId: member.count(
    "Number of the channel: `/status-by-deposit-channel` takes it with `issuedBlock` and `network`.",
  ),
  sourceExpiryBlock: member.count("Block on the source network at which the channel expires."),
  explorerUrl: member.text("Page of the channel in an explorer."),
  ...member.amount(
    "channelOpeningFee",
    "Fee for opening the channel, in flip.eth; 0 where the network charges none.",
  ),
  platform: ProviderName.annotate({
    description: "The provider that opened the channel.",
    examples: [ProviderName.make("chainflip")],
  }),
  ...member.amount("minimumDeposit", "The smallest deposit that is swapped. A smaller one can be lost."),
  ...maybe.amount("maximumDeposit", "The largest deposit."),
  ...refundMembers,
  ...exactDeposit,
  exactOutput: optional(ExactOutputBody),
  expiresAt: optional(EpochMillis.annotate({
    description: "When the channel is expected to expire, in epoch milliseconds. Later deposits can be lost.",
    examples: [EpochMillis.make(1_790_692_455_000)],
  })),
  payment: member.of(PaymentBody, "Wallet link, amount and warnings for the payer."),
}).annotate({
  identifier: "DepositChannel",
  description:
    "The channel and its limits. **A deposit below `minimumDeposit` or after `expiresAt` can be lost.** " +
    "`minimumDeposit` is 0 if any amount is accepted. `maximumDeposit` is absent if there is no limit.",
})
export type DepositChannelBody = typeof DepositChannelBody.Type

const getProblems = [...upstreamProblems, QuoteConflict, ...idempotencyProblems] as const
const postProblems = [...getProblems, ContentTooLarge, UnsupportedMediaType] as const

/** Opens a deposit channel (decision 12). Never cached; a GET for a prefetch is refused. */
export class SwapGroup extends HttpApiGroup.make("swap").add(
  HttpApiEndpoint.get("swap", "/swap", {
    headers: IdempotencyHeaders,
    query: SwapQuery,
    success: DepositChannelBody,
    error: getProblems,
  }).annotateMerge(about(
    "openSwap",
    "Open a deposit channel",
    "Opens a deposit channel and returns the address to pay to. The channel takes deposits until it expires; each " +
      "deposit is swapped, or refunded to the refund address. Send an `Idempotency-Key` to be able to send the request " +
      "again without opening a second channel. Never cached; a `HEAD` and a prefetch are refused.",
  )).annotateMerge(beginsSwap(Struct.keys(SwapQuery.fields))),
  HttpApiEndpoint.post("swapPost", "/swap", {
    headers: IdempotencyHeaders,
    query: SwapQuery.mapFields(Struct.map(optional)),
    payload: SwapBody,
    success: DepositChannelBody,
    error: postProblems,
  }).annotateMerge(about(
    "openSwapByPost",
    "Open a deposit channel by POST",
    "GET takes the parameters in the query; POST in the query, the body, or both. The same name in both with different " +
      "values is a 400. Only a body can have a `ccmPayload`, a message for the receiving contract.",
  )).annotateMerge(beginsSwap(swapParameterNames)),
).middleware(RuleFaults).middleware(Authorization).annotateMerge(
  needsScope("swap", { title: "Swap", description: "Start a swap." }),
) {}
