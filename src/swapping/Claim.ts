import { Effect, Option, Schema } from "effect"
import type { KeyedRequest, UndecidedOpening, WrittenAnswer } from "../domain/Idempotency.ts"
import type { ProviderError } from "../domain/ProviderError.ts"
import { EpochMillis } from "../domain/Time.ts"

/** A request that is about to be carried out under its key. */
export interface Claim<A> {
  readonly keyed: KeyedRequest
  /** The opening of an earlier request under the key, where its outcome is unknown. */
  readonly undecided: Option.Option<UndecidedOpening>
  /** Writes the answer as text, so that it is kept together with the outcome. */
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

/** The key stands for another request: another method, another path or other parameters. */
export class KeyReused extends Schema.TaggedError<KeyReused>()("KeyReused", {}) {}

/** What the key was answered with must not be told again: it is too old by now. */
export class AnswerStale extends Schema.TaggedError<AnswerStale>()("AnswerStale", {
  staleAt: EpochMillis,
}) {}

/** A channel may or may not have been opened under the key, and nobody can tell: it is not repeated. */
export class OutcomeUnknown extends Schema.TaggedError<OutcomeUnknown>()("OutcomeUnknown", {}) {}

/** For a row that a key was needed for: none means that somebody else has it. */
export const orTaken = <A, E, R>(taking: Effect.Effect<Option.Option<A>, E, R>) =>
  Effect.flatMap(
    taking,
    Option.match({ onNone: () => Effect.fail(new KeyTaken()), onSome: Effect.succeed }),
  )
