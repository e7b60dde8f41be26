import { Schema } from "effect"

/** No provider of this name is enabled (setting `PROVIDERS`). */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", {}) {}

/** The contract has no endpoint under this path. */
export class PathUnknown extends Schema.TaggedError<PathUnknown>()("PathUnknown", {}) {}

/** The path exists, but not with this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  /** The methods that the path takes. */
  allowed: Schema.Array(Schema.String),
}) {}

/** The `Content-Type` of the body is not JSON. */
export class BodyNotJson extends Schema.TaggedError<BodyNotJson>()("BodyNotJson", {}) {}

/** A defect of this service. Its cause is in the log under the same trace id. */
export class Unexpected extends Schema.TaggedError<Unexpected>()("Unexpected", {}) {}

/** The sandbox's controls do not answer, or answer something that cannot be read. */
export class SandboxUnreachable extends Schema.TaggedError<SandboxUnreachable>()("SandboxUnreachable", {}) {}
