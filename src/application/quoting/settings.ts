import { BigDecimal, Schema } from "effect"
import {
  aRandomKey,
  duration,
  durationOrNone,
  durationWithin,
  makeKey,
} from "#infrastructure/config/kinds.ts"
import { optionalSetting, setting, struct } from "#infrastructure/config/Setting.ts"
import { deadlines } from "#providers/guard/settings.ts"

/** The setting `QUOTE_ID_KEY`: 32 bytes in base64. */
const QuoteIdKey = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+/]{43}=$/))

export const quotingSettings = struct({
  deadline: deadlines.quoteDeadline,
  grace: duration({
    name: "QUOTE_GRACE",
    default: "400 millis",
    meaning: "How long to wait for other providers after the first quote",
  }),
  lifetime: durationWithin("1 second", "15 minutes", {
    name: "QUOTE_LIFETIME",
    default: "60 seconds",
    meaning: "Lifetime of a quote whose provider gives none",
  }),
  toleranceMost: setting({
    name: "SLIPPAGE_TOLERANCE_MOST",
    default: "5",
    schema: Schema.BigDecimalFromString.check(
      Schema.isBetweenBigDecimal({ minimum: BigDecimal.fromBigInt(0n), maximum: BigDecimal.fromBigInt(50n) }),
    ),
    expected: "a number of percent from 0 to 50",
    meaning:
      "Maximum slippage tolerance, in percent, that a swap takes from its quote's recommendation. A request may name " +
      "another",
  }),
  idKey: optionalSetting({
    name: "QUOTE_ID_KEY",
    isTuning: false,
    unset: "derived from a secret in the database",
    schema: Schema.RedactedFromValue(QuoteIdKey),
    expected: aRandomKey,
    madeWith: makeKey,
    meaning: "Key that authenticates quote IDs; the same on every replica",
  }),
  reuse: struct({
    quotes: durationOrNone({
      name: "QUOTE_CACHE_TTL",
      default: "1 second",
      meaning: "How long a provider's quotes are reused. 0: only for requests at the same moment",
    }),
    refusals: durationOrNone({
      name: "QUOTE_REFUSAL_TTL",
      default: "250 millis",
      meaning: "How long a provider's refusal of a quote is reused; 0: never",
    }),
  }),
})
