import { BigDecimal, Schema, Struct } from "effect"
import { QuoteBody, QuoteFactsBody } from "#api/QuoteBodies.ts"
import { durationText } from "#domain/durationText.ts"
import { fewestSwaps } from "#domain/operations/TrackRecord.ts"

/** What the sentences are made of. */
type Facts = Pick<QuoteBody, "estimatedDurationSeconds" | "reliability" | "time">

const { reliability: Reliability, time: Time } = QuoteFactsBody.fields

/** The names of times that count from the confirmed deposit on. */
const sinceConfirmation = {
  estimateSeconds: "estimateSecondsAfterConfirmation",
  observedP50: "observedP50SecondsAfterConfirmation",
  observedP90: "observedP90SecondsAfterConfirmation",
} as const

/**
 * How long a quote takes, and how its provider's swaps ended, as agents need it: the figures of REST under names that say
 * from when they count, and a sentence. Times are in seconds, until the payout.
 */
export const outlookFields = {
  time: Schema.Struct({
    estimateSecondsAfterDeposit: QuoteBody.fields.estimatedDurationSeconds,
    ...Struct.renameKeys(Struct.omit(Time.fields, ["windowDays"]), sinceConfirmation),
    text: Schema.String,
  }).annotate({ identifier: "Time" }),
  reliability: Schema.Struct({
    ...Struct.pick(Reliability.fields, ["completed", "n", "lowerBound"]),
    text: Schema.String,
  }).annotate({ identifier: "Reliability" }),
}

const inSeconds = (seconds: number): string => durationText(seconds * 1_000)

const unknown = (n: number): string => `unknown: ${n} so far, and ${fewestSwaps} are needed to tell`

const timeText = ({ estimatedDurationSeconds, time: { n, observedP50, observedP90 } }: Facts): string => {
  const estimate = inSeconds(BigDecimal.toNumberUnsafe(estimatedDurationSeconds))
  const observed = n < fewestSwaps || observedP50 === undefined || observedP90 === undefined
    ? unknown(n)
    : `half of ${n} took up to ${inSeconds(observedP50)}, nine in ten up to ${inSeconds(observedP90)}`
  return `About ${estimate} from the deposit to the payout, as the provider estimates. ` +
    `Swaps of this broker, from the confirmed deposit on: ${observed}.`
}

const reliabilityText = ({ completed, lowerBound, n }: Facts["reliability"]): string =>
  `Swaps of this broker that ended well: ${
    lowerBound === undefined ? unknown(n) : `${completed} of ${n} (${Math.floor(completed * 100 / n)} %)`
  }.`

/** The two with their sentences. Where there are too few swaps to tell, the sentences say that it is unknown. */
export const outlookOf = (quote: Facts) => ({
  time: {
    estimateSecondsAfterDeposit: quote.estimatedDurationSeconds,
    ...Struct.renameKeys(quote.time, sinceConfirmation),
    text: timeText(quote),
  },
  reliability: { ...quote.reliability, text: reliabilityText(quote.reliability) },
})
