import { Effect, Option, Predicate, Schema, Struct } from "effect"
import { presentStatus } from "#api/presentSwap.ts"
import { SwapStatusBody } from "#api/SwapRecord.ts"
import { readingOf, Recording } from "#cli/record/record.ts"
import { findChain } from "#domain/chains/Chain.ts"
import { type EpochMillis, NativeAmount, type ProviderError } from "#exports/domain.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { parseDecimal } from "#domain/money/Decimal.ts"
import { Price } from "#domain/money/Price.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import type { Observed } from "#providers/Provider.ts"
import type { RecordedAnswer } from "./Fixtures.ts"

/** An answer about a swap, and what it was asked with. */
export interface AnswerOfSwap {
  /** The body, letter by letter, and parsed. */
  readonly text: string
  readonly body: unknown
  readonly at: EpochMillis
  /** The swap as it was recorded first: its brokers, and of a swap without a channel its transaction. */
  readonly swap: Recording["swap"]
  /** The last record; none of a transaction that was just found. */
  readonly known: Option.Option<SwapStatus>
}

/** A provider's own reader of answers about a swap: `channels.status` or `vaultSwaps.status`. */
export type ReadSwap = (answer: AnswerOfSwap) => Effect.Effect<Option.Option<Observed>, ProviderError>

const encodeStatus = Schema.encodeSync(SwapStatusBody)
const decodeRecording = Schema.decodeSync(Schema.fromJsonString(Recording))

/** Whether a file is one that `cli record` wrote. */
export const isRecording = (text: string): boolean => Predicate.hasProperty(JSON.parse(text), "answers")

/** The provider whose answers such a file has. */
export const providerOf = (text: string): string => decodeRecording(text).provider

/** The bodies with all digits of their numbers. */
const bodiesIn = (text: string): ReadonlyArray<string> => {
  const exact: unknown = JSON.parse(
    text,
    (_, value, { source }) =>
      typeof value === "number" && source !== undefined ? JSON.rawJSON(source) : value,
  )
  const answers = Predicate.hasProperty(exact, "answers") && Array.isArray(exact.answers) ? exact.answers : []
  return answers.map(({ body }) => typeof body === "string" ? body : JSON.stringify(body))
}

/** The record that a swap with a channel began with, and what its opening promised as far as an answer repeats it. */
const openedOf = ({ answers, swap }: Recording): Option.Option<SwapStatus> => {
  const { depositChannel, fillOrKillParams } = swap
  const [block, name = "", number] = (depositChannel?.id ?? "").split("-")
  const network = findChain(name)
  if (depositChannel === undefined || network === undefined) return Option.none()
  const promised = answers.find(({ expected }) => expected.swapEgress?.isPromised)?.expected.swapEgress
  return Option.some({
    ...Struct.pick(swap, ["state", "sourceAsset", "destinationAsset", "destinationAddress", "brokers"]),
    fees: [],
    depositChannel: {
      ...Struct.pick(depositChannel, [
        "createdAt",
        "brokerCommissionBps",
        "affiliateBrokers",
        "depositAddress",
        "estimatedExpiryTime",
        "isExpired",
        "openedThroughBackend",
      ]),
      id: { issuedBlock: Number(block), network, channelId: Number(number) },
      sourceChainExpiryBlock: Number(depositChannel.sourceChainExpiryBlock),
      ...defined({
        expectedDepositAmount: depositChannel.expectedDepositAmountNative,
        expectedOutputAmount: promised && NativeAmount.make(BigInt(promised.amountNative)),
      }),
    },
    ...optionalMembers(fillOrKillParams, ({ minimumPrice, ...terms }) => ({
      fillOrKill: { ...terms, minimumPrice: Price.make(Option.getOrThrow(parseDecimal(minimumPrice))) },
    })),
  })
}

/**
 * The answers of a file that `cli record` wrote, as fixtures: each is read after those before it, by the provider's own
 * reader, and has to come to what it came to in the live service.
 */
export const recordedAnswers = (
  name: string,
  text: string,
  read: ReadSwap,
): ReadonlyArray<RecordedAnswer> => {
  const recording = decodeRecording(text)
  const bodies = bodiesIn(text)
  const readTo = Effect.fnUntraced(function* (last: number) {
    let known = openedOf(recording)
    let seen: unknown
    for (const [index, { at, isDisputed }] of recording.answers.slice(0, last + 1).entries()) {
      const body = bodies[index] ?? ""
      const said = yield* read({ text: body, body: JSON.parse(body), at, swap: recording.swap, known })
      seen = Option.getOrUndefined(
        Option.map(said, ({ status }) => readingOf(encodeStatus(presentStatus(status, undefined)))),
      )
      if (isDisputed !== true) known = Option.orElse(Option.map(said, ({ status }) => status), () => known)
    }
    return seen
  })
  return recording.answers.map(({ expected, operation }, index) => ({
    name: `${name}, ${index + 1}`,
    source: recording.source,
    date: recording.date,
    operation,
    read: () => Effect.runPromise(readTo(index)),
    expected,
  }))
}
