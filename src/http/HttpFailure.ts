import { Schema } from "effect"
import { Scope } from "../domain/Key.ts"

/** No API key, or one that is unknown, revoked or expired: one answer for all of them (decision 1). */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {}

/** The key is known, but not for this: it lacks a scope. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", { scope: Scope }) {}

/** The account is suspended, and this would do more than look at what it has. */
export class AccountSuspended extends Schema.TaggedError<AccountSuspended>()("AccountSuspended", {}) {}

/** The account allows no calls from pages of this origin. */
export class OriginDenied extends Schema.TaggedError<OriginDenied>()("OriginDenied", {}) {}

/** `PROVIDERS` names no such provider. */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", {}) {}

/** There is nothing under this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** The path exists, but not with this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  /** The methods that it has. */
  allowed: Schema.Array(Schema.String),
}) {}

/** The URL is longer than the service reads. */
export class UrlTooLong
  extends Schema.TaggedError<UrlTooLong>()("UrlTooLong", { maximumBytes: Schema.Int }) {}

/** The body is longer than the service reads. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  maximumBytes: Schema.Int,
}) {}

/** The body did not arrive in time, or not to its end. */
export class BodyIncomplete extends Schema.TaggedError<BodyIncomplete>()("BodyIncomplete", {}) {}

/** The body says that it is something else than JSON. */
export class BodyNotJson extends Schema.TaggedError<BodyNotJson>()("BodyNotJson", {}) {}

/** Something that should not happen did; the cause is in the log under the same trace id. */
export class Unexpected extends Schema.TaggedError<Unexpected>()("Unexpected", {}) {}

/** The sandbox does not answer, or not as it should. */
export class SandboxUnreachable extends Schema.TaggedError<SandboxUnreachable>()("SandboxUnreachable", {}) {}
