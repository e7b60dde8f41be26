import { Schema, Struct } from "effect"
import { SwapStatusBody } from "#api/SwapRecord.ts"
import { optional } from "#domain/optional.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"

const paid = optional(Schema.Struct({
  amountNative: Schema.String,
  isExpected: optional(Schema.Boolean),
  isPromised: optional(Schema.Boolean),
  transactionReference: optional(Schema.String),
}))

/** The reading of a response: how far the swap is, and what was paid. Times may be of the clock of whoever reads. */
const SwapReading = Schema.Struct({
  ...Struct.pick(SwapStatusBody.fields, ["state", "result"]),
  deposit: paid,
  swapEgress: paid,
  refundEgress: paid,
  fallbackEgress: paid,
})

/** The reading of a status in the JSON of the contract. */
export const readingOf = Schema.decodeUnknownSync(SwapReading)

/**
 * The responses of a provider to status checks of one swap, with stand-ins for whatever names somebody: a fixture of the
 * conformance kit (`@swap-broker/core/recordings`).
 */
export const Recording = Schema.Struct({
  source: Schema.NonEmptyString,
  date: Schema.NonEmptyString,
  /** False if the sandbox may have simulated the provider. */
  recorded: Schema.Boolean,
  provider: ProviderName,
  /** The first record of the swap, which responses are read against. */
  swap: SwapStatusBody,
  /** The responses in their order. The timeline has those of status checks only. */
  answers: Schema.Array(Schema.Struct({
    operation: Schema.Literal("status"),
    at: EpochMillis,
    body: Schema.Unknown,
    expected: SwapReading,
    /** The reading contradicted the record, which stayed as it was. */
    isDisputed: optional(Schema.Literal(true)),
  })),
})
export type Recording = typeof Recording.Type
