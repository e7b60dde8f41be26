import { Schema } from "effect"
import { ProviderError } from "../domain/ProviderError.ts"

/** No provider could be asked. Code `provider_unavailable`. */
export class NoProviderAvailable extends Schema.TaggedError<NoProviderAvailable>()("NoProviderAvailable", {
  detail: Schema.String,
  /** Seconds until a provider may be asked again. */
  retryAfterSeconds: Schema.Int,
}) {}

/** No provider had an answer: the failure that tells the caller most, and the failure of each provider. */
export class QuotesFailed extends Schema.TaggedError<QuotesFailed>()("QuotesFailed", {
  failure: ProviderError,
  providers: Schema.Array(ProviderError),
}) {}

/** The seconds that callers are asked to wait when nothing tells how long the providers will be out. */
const defaultRetryAfterSeconds = 5

export const noProvider = new NoProviderAvailable({
  detail: "No quote provider is enabled",
  retryAfterSeconds: defaultRetryAfterSeconds,
})
