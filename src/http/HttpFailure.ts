import { Schema } from "effect"

/** `PROVIDERS` names no such provider. */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", {}) {}

/** There is nothing under this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** The path exists, but not with this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  /** The methods that it has. */
  allowed: Schema.Array(Schema.String),
}) {}

/** The body says that it is something else than JSON. */
export class BodyNotJson extends Schema.TaggedError<BodyNotJson>()("BodyNotJson", {}) {}

/** Something that should not happen did; the cause is in the log under the same trace id. */
export class Unexpected extends Schema.TaggedError<Unexpected>()("Unexpected", {}) {}

/** The sandbox does not answer, or not as it should. */
export class SandboxUnreachable extends Schema.TaggedError<SandboxUnreachable>()("SandboxUnreachable", {}) {}
