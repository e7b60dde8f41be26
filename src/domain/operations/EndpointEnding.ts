import { Schema } from "effect"
import { optional } from "../optional.ts"
import { ProviderOperation } from "../ProviderError.ts"
import { EpochMillis, toIsoDate } from "../Time.ts"

/** What the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` say of the end of an endpoint. */
export const EndNotice = Schema.Struct({
  deprecatedAt: optional(EpochMillis.annotate({
    description: "Since when, or from when on, the endpoint is deprecated; absent where no date can be read.",
  })),
  sunsetAt: optional(EpochMillis.annotate({
    description: "When the endpoint ends; absent where no date can be read.",
  })),
  references: Schema.Array(Schema.Struct({
    rel: Schema.String.annotate({ description: "What is there.", examples: ["successor-version"] }),
    url: Schema.String.annotate({ description: "The URL, or a path, as the upstream wrote it." }),
  })).annotate({ description: "Where the upstream says more." }),
  unreadable: Schema.Array(Schema.Struct({
    header: Schema.String.annotate({ description: "Name of the header.", examples: ["Sunset"] }),
    text: Schema.String.annotate({ description: "Its value, shortened." }),
  })).annotate({ description: "Headers that announce something and cannot be read." }),
})
export type EndNotice = typeof EndNotice.Type

/** An endpoint of an upstream whose end was announced, or has come. */
export const EndpointEnding = Schema.Struct({
  endpoint: Schema.String.annotate({
    description: "Method and path without IDs, or the name of a JSON-RPC method.",
    examples: ["POST /quote/v2"],
  }),
  operations: Schema.Array(ProviderOperation).annotate({ description: "Operations that call the endpoint." }),
  ...EndNotice.fields,
  firstSeenAt: EpochMillis.annotate({ description: "When a response first said so." }),
  lastSeenAt: EpochMillis.annotate({ description: "When a response last said so, to the hour." }),
  retiredAt: optional(EpochMillis.annotate({
    description: "When a response first showed that the endpoint is gone; absent while it still responds.",
  })),
})
export type EndpointEnding = typeof EndpointEnding.Type

/** `2027-02-23 00:00 UTC`. */
const minuteOf = (at: EpochMillis): string => `${toIsoDate(at).slice(0, 16).replace("T", " ")} UTC`

/** What the operator can do about it. Where a setting helps, running.md names it. */
export const endingAdvice = "Change to a setting or a version of the service that does not use it"

/** What an upstream has done to its endpoint, after its name: `has announced the end of POST /quote/v2 for …`. */
export const endingText = (
  { deprecatedAt, endpoint, retiredAt, sunsetAt, unreadable }: Pick<
    EndpointEnding,
    "deprecatedAt" | "endpoint" | "retiredAt" | "sunsetAt" | "unreadable"
  >,
): string => {
  if (retiredAt !== undefined) return `has retired ${endpoint}`
  if (sunsetAt !== undefined) return `has announced the end of ${endpoint} for ${minuteOf(sunsetAt)}`
  if (unreadable.length > 0) return `has announced the end of ${endpoint} with a date that cannot be read`
  const since = deprecatedAt === undefined ? "" : ` as of ${minuteOf(deprecatedAt)}`
  return `has deprecated ${endpoint}${since}, without an end date`
}
