import { Effect, Option, Schema } from "effect"
import { CurrentAccount } from "#api/Authorization.ts"
import type { WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { hasExpired } from "#domain/swaps/payment/Payment.ts"
import { expiredWarnings, warningText } from "#domain/swaps/payment/warnings.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { Swaps } from "#application/swapping/Swaps.ts"

const others = [Schema.Record(Schema.String, Schema.Unknown)] as const

/** The members of an opening's answer that say whether it can still be paid by, beside all others. */
const Opened = Schema.StructWithRest(
  Schema.Struct({
    id: SwapRecordId,
    platform: ProviderName,
    payment: Schema.StructWithRest(
      Schema.Struct({ expiresAt: Schema.optionalKey(EpochMillis) }),
      others,
    ),
  }),
  others,
)

const readOpened = Schema.decodeUnknownOption(Schema.fromJsonString(Opened))

/** The answer of an opening whose channel has expired: without the link, with the warning in place of all others. */
const expired = (
  { payment: { uri: _, ...payment }, ...opened }: typeof Opened.Type,
  warnings: ReadonlyArray<string>,
  changes: Readonly<Record<string, string>>,
): string => JSON.stringify({ ...opened, payment: { ...payment, scheme: "address", warnings }, ...changes })

/**
 * Makes the function that repeats the answer of an opening as it was, but for the link of a channel that has expired
 * (decision 36). `changes` are members that such an answer has in place of its own.
 */
export const makeRepeatedOpening = Effect.gen(function* () {
  const swaps = yield* Swaps
  const { networkOf } = yield* OpeningRules

  /** The word of the channel's network. What cannot be looked up has only its time. */
  const isExpired = Effect.fnUntraced(function* (id: SwapRecordId) {
    const found = yield* Effect.option(swaps.byId(yield* CurrentAccount, id))
    return Option.exists(found, ({ status }) => status.depositChannel?.isExpired === true)
  })

  return Effect.fnUntraced(
    function* (answer: WrittenAnswer, changes: Readonly<Record<string, string>> = {}) {
      const opened = answer.status === 200 ? readOpened(answer.body) : Option.none()
      if (Option.isNone(opened)) return answer
      const { id, payment: { expiresAt }, platform } = opened.value
      const network = networkOf(platform)
      const known = optionalMembers(expiresAt, (estimatedExpiryTime) => ({ estimatedExpiryTime }))
      const isOver = hasExpired(known, network, yield* currentMillis) || (yield* isExpired(id))
      return isOver
        ? { ...answer, body: expired(opened.value, expiredWarnings(network).map(warningText), changes) }
        : answer
    },
  )
})
