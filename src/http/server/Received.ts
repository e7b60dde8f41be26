import { Context, type Redacted, Schema } from "effect"
import type { Meter } from "../../limits/admission.ts"
import type { Repeatable } from "./Repeats.ts"

/** The URL is longer than the service reads. */
export class UrlTooLong
  extends Schema.TaggedError<UrlTooLong>()("UrlTooLong", { maximumBytes: Schema.Int }) {}

/** The body is longer than the service reads. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  maximumBytes: Schema.Int,
}) {}

/** The body did not arrive in time, or not to its end. */
export class BodyIncomplete extends Schema.TaggedError<BodyIncomplete>()("BodyIncomplete", {}) {}

/**
 * What the server kept apart from a request before anything else saw it: the credentials, so that no log,
 * span, header or error can carry one (decision 1). A request that did not come through the server has none.
 */
export const Received = Context.Reference<{
  /** The different API keys of the request; more than one is the caller's mistake. */
  readonly credentials: ReadonlyArray<Redacted.Redacted<string>>
  /** Where the request comes from, as limits count it. */
  readonly address?: string
  /** Why the request is not read at all. */
  readonly refusal?: UrlTooLong | BodyTooLarge | BodyIncomplete
  /** Says that the answer may be given again; what is not said before the answer is there is not heard. */
  readonly offer?: (repeatable: Repeatable) => void
  /** Says what the request counted against: the same answer given again counts against it too. */
  readonly meter?: (meter: Meter) => void
}>("swap-broker/http/Received", { defaultValue: () => ({ credentials: [] }) })
