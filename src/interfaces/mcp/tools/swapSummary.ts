import { Effect, Option, Predicate, Schema, Struct } from "effect"
import { SwapRecordBody, SwapStatusBody } from "#api/SwapRecord.ts"
import { presentRecord, type RecordSetting } from "#api/presentSwap.ts"
import { ExactDecimal, exactDeposit, maybe, NativeText, valueTimes, valueUsd } from "#api/shape.ts"
import { Address } from "#domain/chains/Address.ts"
import { SwapResult } from "#domain/swaps/Swap.ts"
import { type StandingSwap, SwapNotFound, SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { toIsoDate } from "#domain/Time.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { Json } from "../json.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { Identifier, TransactionHash } from "#api/Parameters.ts"
import type { ChannelId } from "#domain/swaps/Channel.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import { parameter } from "#api/parameterKinds.ts"
import { findChain } from "#domain/chains/Chain.ts"

const optional = Schema.optionalKey

const Deposit = Schema.Struct({
  amount: ExactDecimal,
  amountNative: NativeText,
  valueUsd,
  valueUsdAtDate: valueTimes.valueUsdAtDate,
  transactionReference: optional(Schema.String),
  transactionUrl: optional(Schema.String),
})

const Payment = Schema.Struct({
  ...Deposit.fields,
  isFailed: optional(
    Schema.Literal(true).annotate({ description: "It could not be paid: explain_swap says why." }),
  ),
}).annotate({ identifier: "Paid" })

const payment = (description: string) => maybe.of(Payment, description)

/** A swap as agents need it: where to pay, what came, what went out. */
export const SwapSummary = Schema.Struct({
  ...Struct.pick(SwapRecordBody.fields, ["id", "platform"]),
  ...Struct.pick(SwapStatusBody.fields, ["state", "sourceAsset", "destinationAsset", "destinationAddress"]),
  result: optional(SwapResult),
  openedAt: Schema.String,
  changedAt: Schema.String,
  depositChannel: optional(Schema.String.annotate({ description: "<issued block>-<network>-<channel id>" })),
  depositAddress: optional(Address),
  ...exactDeposit,
  depositUntil: optional(Schema.String.annotate({ description: "When the channel stops taking deposits." })),
  isExpired: optional(Schema.Boolean),
  deposit: optional(Deposit.annotate({ description: "In the source asset." })),
  paidOut: payment("In the destination asset; under way until completed."),
  paidToFallback: payment("The same to the fallback address."),
  refunded: payment("To the refund address, in the source asset."),
}).annotate({ identifier: "SwapSummary" })

const paymentOf = (
  { failure, ...payment }: NonNullable<typeof SwapStatusBody.Type["swapEgress"]>,
): typeof Payment.Type => ({ ...payment, ...(failure === undefined ? {} : { isFailed: true }) })

export const summaryOf = (record: StandingSwap, networks: RecordSetting): typeof SwapSummary.Type => {
  const { id, platform, status } = presentRecord(record, networks)
  const { depositChannel, destinationAddress, destinationAsset, sourceAsset, state } = status
  return {
    id,
    platform,
    state,
    ...defined({ result: status.result }),
    openedAt: toIsoDate(record.standing.createdAt),
    changedAt: toIsoDate(record.standing.changedAt),
    sourceAsset,
    destinationAsset,
    destinationAddress,
    ...optionalMembers(depositChannel, (channel) => ({
      depositChannel: channel.id,
      depositAddress: channel.depositAddress,
      ...Struct.pick(channel, ["memo", "exactAmount", "exactAmountNative"]),
      depositUntil: channel.estimatedExpiryDate,
      isExpired: channel.isExpired,
    })),
    ...defined({ deposit: status.deposit }),
    ...optionalMembers(status.swapEgress, (egress) => ({ paidOut: paymentOf(egress) })),
    ...optionalMembers(status.fallbackEgress, (egress) => ({ paidToFallback: paymentOf(egress) })),
    ...optionalMembers(status.refundEgress, (egress) => ({ refunded: paymentOf(egress) })),
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

const channelForm = /^([0-9]{1,15})-([A-Za-z]+)-([0-9]{1,15})$/

/** The three ways to name a swap, of which a call uses one. */
export const swapNames = {
  swapId: Schema.optionalKey(Identifier("Number of the swap.", "7")),
  depositChannel: Schema.optionalKey(parameter(
    {
      description: "Or its deposit channel: <issued block>-<network>-<channel id>.",
      example: "14138313-Bitcoin-77",
      issue: "must be a deposit channel: <issued block>-<network>-<channel id>",
    },
    Schema.NonEmptyString,
    (text) => channelForm.test(text) ? Option.some(text) : Option.none(),
  )),
  transaction: Schema.optionalKey(TransactionHash),
}

type SwapNames = Partial<Readonly<Record<"depositChannel" | "transaction", string>>> & {
  readonly swapId?: number
}

const channelOf = (text: string): Option.Option<ChannelId> => {
  const [, issuedBlock, network = "", channelId] = channelForm.exec(text) ?? []
  const chain = findChain(network)
  return chain === undefined
    ? Option.none()
    : Option.some({ issuedBlock: Number(issuedBlock), network: chain, channelId: Number(channelId) })
}

const notOne = new InvalidRequest({
  errors: issueAbout("swapId", "or depositChannel or transaction is required, and only one of them"),
})

const notFound = Effect.fail(new SwapNotFound())

/** The caller's swap with one of its names. Another account's swap looks as if it did not exist. */
export const findSwap = Effect.fnUntraced(function* ({ depositChannel, swapId, transaction }: SwapNames) {
  const account = yield* CurrentAccount
  const given = [depositChannel, swapId, transaction].filter((name) => name !== undefined)
  if (given.length !== 1) return yield* notOne
  if (transaction !== undefined) return yield* (yield* VaultSwaps).byTransaction(account, transaction)
  const swaps = yield* Swaps
  return depositChannel === undefined
    ? yield* Option.match(SwapRecordId.makeOption(swapId ?? 0), {
      onNone: () => notFound,
      onSome: (id) => swaps.byId(account, id),
    })
    : yield* Option.match(channelOf(depositChannel), {
      onNone: () => notFound,
      onSome: (channel) => swaps.byChannel(account, channel),
    })
})
