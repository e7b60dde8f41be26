import { Data, type Effect, Schema } from "effect"
import type { QuoteBody } from "#api/QuoteBodies.ts"
import { unknownTransaction } from "#application/guidance/guidanceOf.ts"
import type { QuoteExpired } from "#application/swapping/opening/QuoteBinding.ts"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type { Refusal } from "./RequestMeta.ts"

/** No provider of this name is enabled (setting `PROVIDERS`). */
export class ProviderUnknown extends Schema.TaggedError<ProviderUnknown>()("ProviderUnknown", {}) {}

/** No swap with the transaction is known (yet), or it belongs to another account: both look the same from outside. */
export class TransactionUnknown extends Schema.TaggedError<TransactionUnknown>()("TransactionUnknown", {
  /** Whether no chain names transactions like this. */
  isMalformed: Schema.Boolean,
}) {
  override get message(): string {
    return this.isMalformed
      ? "This is not a transaction hash of any chain. Hashes have 64 hex digits (after 0x on EVM chains) or, on Solana, 64 to " +
        "90 letters and digits; Polkadot's chains use a block and a number, such as 123-4"
      : [unknownTransaction.text, ...unknownTransaction.whatYouCanDo].join(" ")
  }
}

/** No quote with this id was given to this account, or its order is explained by another process. */
export class QuoteUnknown
  extends Schema.TaggedError<QuoteUnknown>()("QuoteUnknown", { detail: Schema.String }) {}

/** The order of this quote's answer is not explained any more. */
export class ExplanationExpired extends Schema.TaggedError<ExplanationExpired>()("ExplanationExpired", {}) {}

/** The quote of an opening is over or used up; beside it a fresh one for the same request, if there is one. */
export class QuoteReplaced extends Data.TaggedError("QuoteReplaced")<{
  readonly over: QuoteExpired
  readonly quote: QuoteBody | undefined
}> {}

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
