import { Predicate, Schema, Struct } from "effect"
import { SwapRecordBody, SwapStatusBody } from "../../api/SwapRecord.ts"
import { presentRecord } from "../../api/presentSwap.ts"
import { ExactDecimal, exactDeposit, NativeText } from "../../api/shape.ts"
import { Address } from "../../domain/Address.ts"
import type { SwapRecord } from "../../domain/SwapRecord.ts"
import { spread } from "../../platform/spread.ts"
import type { Json } from "../json.ts"

const optional = Schema.optionalKey

const Payment = Schema.Struct({
  amount: ExactDecimal,
  amountNative: NativeText,
  transactionReference: optional(Schema.String),
})

/** A swap as agents need it: where to pay, what came, what went out. */
export const SwapSummary = Schema.Struct({
  ...Struct.pick(SwapRecordBody.fields, ["id", "platform"]),
  ...Struct.pick(SwapStatusBody.fields, ["state", "sourceAsset", "destinationAsset", "destinationAddress"]),
  depositChannel: optional(Schema.String.annotate({ description: "<issued block>-<network>-<channel id>" })),
  depositAddress: optional(Address),
  ...exactDeposit,
  depositUntil: optional(Schema.String.annotate({
    description: "ISO 8601: when the channel stops to take deposits. What comes later may be lost.",
  })),
  isExpired: optional(Schema.Boolean),
  deposit: optional(Payment.annotate({ description: "What was deposited, of the source asset." })),
  paidOut: optional(Payment.annotate({
    description:
      "What is paid to destinationAddress, of the destination asset; under way until `state` is completed.",
  })),
  paidToFallback: optional(Payment.annotate({
    description:
      "What is paid to the fallback address, of the destination asset, as the output could not be sent.",
  })),
  refunded: optional(Payment.annotate({
    description: "What goes back to the refund address, of the source asset.",
  })),
}).annotate({ identifier: "SwapSummary" })

/** The record of a swap, in short. */
export const summaryOf = (record: SwapRecord): typeof SwapSummary.Type => {
  const { id, platform, status } = presentRecord(record)
  const { depositChannel, destinationAddress, destinationAsset, sourceAsset, state } = status
  return {
    id,
    platform,
    state,
    sourceAsset,
    destinationAsset,
    destinationAddress,
    ...spread(depositChannel, (channel) => ({
      depositChannel: channel.id,
      depositAddress: channel.depositAddress,
      ...Struct.pick(channel, ["memo", "exactAmount", "exactAmountNative"]),
      depositUntil: channel.estimatedExpiryDate,
      isExpired: channel.isExpired,
    })),
    ...spread(status.deposit, (deposit) => ({ deposit })),
    ...spread(status.swapEgress, (paidOut) => ({ paidOut })),
    ...spread(status.fallbackEgress, (paidToFallback) => ({ paidToFallback })),
    ...spread(status.refundEgress, (refunded) => ({ refunded })),
  }
}

/** The only texts of an upstream that are shown: single words, as codes and references are. */
const code = /^[A-Za-z0-9_.:-]{1,64}$/
const reference = /^[A-Za-z0-9_.:#/+=-]{1,128}$/

/** Members whose text an upstream writes: a sentence could pose as an instruction to whoever reads it. */
const writtenByOthers: Readonly<Record<string, RegExp>> = {
  message: code,
  latestSwapRescheduledReason: code,
  abortedReason: code,
  mode: code,
  code,
  swapId: code,
  transactionReference: reference,
}

const ownText = "(what the provider wrote is in the journal of the REST API)"

const shown = (name: string, member: Json): Json => {
  const form = Object.hasOwn(writtenByOthers, name) ? writtenByOthers[name] : undefined
  if (form === undefined || !Predicate.isString(member)) return withoutForeignWords(member)
  return form.test(member) ? member : ownText
}

/** A body without sentences of an upstream. */
export const withoutForeignWords = (json: Json): Json => {
  if (Array.isArray(json)) return json.map(withoutForeignWords)
  if (!Predicate.isObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, shown(name, member)]))
}
