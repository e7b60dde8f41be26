import { Schema } from "effect"
import { optional } from "../optional.ts"
import { ProviderOperation } from "../ProviderError.ts"
import { EpochMillis } from "../Time.ts"

/** What the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` say of the end of an endpoint. */
export const EndNotice = Schema.Struct({
  deprecatedAt: optional(EpochMillis.annotate({
    description: "Since when, or from when on, the endpoint is deprecated; absent where no date can be read.",
  })),
  sunsetAt: optional(EpochMillis.annotate({
    description: "When the endpoint ends; absent where no date can be read.",
  })),
  links: Schema.Array(Schema.Struct({ rel: Schema.String, url: Schema.String })).annotate({
    description: "Where the upstream says more, such as `successor-version`.",
  }),
  unreadable: Schema.Array(Schema.Struct({ header: Schema.String, text: Schema.String })).annotate({
    description: "Headers that announce something and cannot be read, shortened.",
  }),
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
  firstSeenAt: EpochMillis,
  lastSeenAt: EpochMillis.annotate({ description: "When a response last said so, to the hour." }),
  retiredAt: optional(EpochMillis.annotate({
    description: "When a response first showed that the endpoint is gone; absent while it still responds.",
  })),
})
export type EndpointEnding = typeof EndpointEnding.Type
