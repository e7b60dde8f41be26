import { Schema } from "effect"
import { canonicalJson } from "./canonicalJson.ts"

const Members = Schema.Record(Schema.String, Schema.Unknown)
type Members = typeof Members.Type

/** The parts of a quote's answer that its signature is about, as they came. */
export const SignedAnswer = Schema.Struct({
  signature: Schema.String,
  timestamp: Schema.String,
  quoteRequest: Members,
  quote: Members,
})
export type SignedAnswer = typeof SignedAnswer.Type

/** Members of the request, signed whatever they hold. */
const requestMembers = [
  "dry",
  "swapType",
  "slippageTolerance",
  "originAsset",
  "depositType",
  "destinationAsset",
  "amount",
  "refundTo",
  "refundType",
  "recipient",
  "recipientType",
  "deadline",
]

/** Members of the request, signed only where they say something: null, 0 and "" are left out. */
const requestMembersWhereSet = [
  "quoteWaitingTimeMs",
  "referral",
  "virtualChainRecipient",
  "virtualChainRefundRecipient",
  "customRecipientMsg",
]

/** Members of every quote. */
const amountMembers = [
  "amountIn",
  "amountInFormatted",
  "amountInUsd",
  "minAmountIn",
  "amountOut",
  "amountOutFormatted",
  "amountOutUsd",
  "minAmountOut",
]

/**
 * Members of a quote that is not dry, signed only where they say something. Each takes the place of the request's of
 * the same name, also where it says nothing.
 */
const orderMembersWhereSet = [
  "depositAddress",
  "depositMemo",
  "deadline",
  "timeWhenInactive",
  "timeEstimate",
  "virtualChainRecipient",
  "virtualChainRefundRecipient",
  "customRecipientMsg",
  "refundFee",
  "withdrawFee",
]

const pick = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]))

/** Those that say nothing are undefined. */
const pickSet = (members: Members, names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, members[name] || undefined]))

/**
 * What is signed: one object of members of the request, those of the quote, whose own deadline counts, and
 * the time. The commission is not among them, and of a dry quote only the amounts are. The service's own SDK
 * (`@defuse-protocol/one-click-sdk-typescript`, `quoteHash`) makes the same text.
 */
export const signedText = ({ quoteRequest, quote, timestamp }: SignedAnswer): string =>
  canonicalJson({
    ...pick(quoteRequest, requestMembers),
    ...pickSet(quoteRequest, requestMembersWhereSet),
    ...pick(quote, amountMembers),
    ...(quoteRequest["dry"] === true ? {} : pickSet(quote, orderMembersWhereSet)),
    timestamp,
  })
