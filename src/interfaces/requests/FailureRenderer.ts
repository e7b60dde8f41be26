import type { Effect } from "effect"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { MethodNotAllowed, PathUnknown, Unexpected } from "./HttpFailure.ts"
import type { Refusal } from "./RequestMeta.ts"

/** A failure that is found before any endpoint, or because one has a defect. */
export type FailureOfServer =
  | PathUnknown
  | MethodNotAllowed
  | Unexpected
  | Refusal

/** Another way to tell failures than by problems, for a path and all below it: as pages for people. */
export interface FailureRenderer {
  readonly below: string
  readonly tell: (failure: FailureOfServer) => Effect.Effect<HttpServerResponse>
}
