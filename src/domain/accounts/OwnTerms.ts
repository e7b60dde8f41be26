import { Schema } from "effect"
import { Bps } from "../money/Bps.ts"
import { optional } from "../optional.ts"
import { ProviderName } from "../ProviderName.ts"

/** The highest value of each limit. The lowest is 1: an account that may do nothing is suspended. */
export const mostOf = {
  requestsPerMinute: 10_000_000,
  openingsPerMinute: 10_000_000,
  maximumOpenChannels: 1_000_000,
  maximumDailyVolumeUsd: 1_000_000_000_000,
  maximumWebhooks: 1_000,
} as const

export type LimitTerm = keyof typeof mostOf

/** A limit of an account: a whole number from 1 on. */
export const Limit = Schema.Int.check(Schema.isGreaterThan(0)).pipe(Schema.brand("Limit"))
export type Limit = typeof Limit.Type

const upTo = (name: LimitTerm) => optional(Limit.check(Schema.isLessThanOrEqualTo(mostOf[name])))

/** The widest tolerance, in bps. */
export const mostToleranceBps = 5_000

/** The most providers that a choice names; more than a service has. */
const mostProviders = 50

/**
 * Which providers an account's quotes and openings use. `only`: those that are named, in this order in place of the
 * operator's. `preferred`: one that comes first unless another pays more than `unlessBps` more.
 */
export const ProviderChoice = Schema.Union([
  Schema.Struct({
    use: Schema.Literal("only"),
    providers: Schema.NonEmptyArray(ProviderName).check(Schema.isMaxLength(mostProviders), Schema.isUnique()),
  }),
  Schema.Struct({ use: Schema.Literal("preferred"), provider: ProviderName, unlessBps: Bps }),
])
export type ProviderChoice = typeof ProviderChoice.Type

/** The providers that a choice names. */
export const namedBy = (choice: ProviderChoice): ReadonlyArray<ProviderName> =>
  choice.use === "only" ? choice.providers : [choice.provider]

/** A choice as people write it: `chainflip,relay`, or `prefer:chainflip:50`. */
export const choiceText = (choice: ProviderChoice): string =>
  choice.use === "only" ? choice.providers.join(",") : `prefer:${choice.provider}:${choice.unlessBps}`

/** The choice that a text means, for `ProviderChoice` to check; a preference without a number of bps has none. */
export const choiceOf = (text: string): unknown => {
  const [word, provider, bps = "", ...others] = text.split(":")
  return word === "prefer" && others.length === 0
    ? { use: "preferred", provider, unlessBps: /^\d{1,5}$/.test(bps) ? Number(bps) : bps }
    : { use: "only", providers: text.split(",").map((part) => part.trim()) }
}

/**
 * The terms of one account that replace a setting of the service. Where one is absent the setting holds; a volume,
 * a choice of providers and `boostEstimatedPrice` have no limit, none and false then.
 */
export const OwnTerms = Schema.Struct({
  /** For all keys together, and for each (`RATE_LIMIT`, `RATE_LIMIT_ACCOUNT`). */
  requestsPerMinute: upTo("requestsPerMinute"),
  /** The same for openings and payloads (`RATE_LIMIT_SWAP`, `RATE_LIMIT_ACCOUNT_SWAP`). */
  openingsPerMinute: upTo("openingsPerMinute"),
  /** `OPEN_CHANNELS_MOST`. */
  maximumOpenChannels: upTo("maximumOpenChannels"),
  /** Whole US dollars in a day of UTC (`DAILY_VOLUME_MOST`). */
  maximumDailyVolumeUsd: upTo("maximumDailyVolumeUsd"),
  /** `WEBHOOKS_MOST`. */
  maximumWebhooks: upTo("maximumWebhooks"),
  providers: optional(ProviderChoice),
  /** The most slippage that a swap takes from its quote's recommendation, in bps (`SLIPPAGE_TOLERANCE_MOST`). */
  maximumSlippageToleranceBps: optional(Bps.check(Schema.isLessThanOrEqualTo(mostToleranceBps))),
  /** Whether boost quotes have `estimatedPrice`, which clients of the hosted service read. */
  boostEstimatedPrice: optional(Schema.Boolean),
})
export type OwnTerms = typeof OwnTerms.Type

/** The own terms among other members. */
export const onlyOwn: (terms: OwnTerms) => OwnTerms = Schema.decodeSync(OwnTerms)

/** What a change of a term says for a return to the setting. */
export const theDefault = "default"

/** Changes of own terms: a value, or the return to the setting. Absent ones stay. */
export type OwnTermChanges = { readonly [Name in keyof OwnTerms]?: OwnTerms[Name] | typeof theDefault }
