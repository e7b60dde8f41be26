import { Effect, Option, Schema } from "effect"
import type { KeyedRequest, UndecidedOpening, WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import type { ProviderError } from "#domain/ProviderError.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { EpochMillis } from "#domain/Time.ts"

/** A request that is about to be carried out under its key. */
export interface IdempotencyClaim<A> {
  readonly keyed: KeyedRequest
  /** The earlier opening under the key, if its outcome is unknown. */
  readonly undecided: Option.Option<UndecidedOpening>
  /** Renders the answer as text, so that it is kept together with the outcome. */
  readonly write: {
    readonly success: (result: A) => WrittenAnswer
    readonly failure: (error: ProviderError) => WrittenAnswer
  }
}

/** Another request took the key in the meantime. */
export class KeyTaken extends Schema.TaggedError<KeyTaken>()("KeyTaken", {}) {}

/** The first request under the key is still being carried out. */
export class KeyInUse extends Schema.TaggedError<KeyInUse>()("KeyInUse", {
  retryAfterSeconds: Schema.Finite,
}) {}

/** The key belongs to another request: another method, another path or other parameters. */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {}

/** The answer kept under the key is too old to be given again. */
export class AnswerStale extends Schema.TaggedError<AnswerStale>()("AnswerStale", {
  staleAt: EpochMillis,
}) {}

/** A channel may have been opened under the key, and its provider cannot tell: the request is not repeated. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {
  id: SwapRecordId,
}) {}

/** The row that a key is taken with; none means that another request has the key. */
export const orTaken = <A, E, R>(taking: Effect.Effect<Option.Option<A>, E, R>) =>
  Effect.flatMap(
    taking,
    Option.match({ onNone: () => Effect.fail(new KeyTaken()), onSome: Effect.succeed }),
  )
