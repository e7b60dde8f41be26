import { Cause, Duration, Exit, Option } from "effect"
import { CircuitBreaker } from "effect/persistence"
import {
  healthOf,
  ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
} from "#domain/ProviderError.ts"
import type { FailureClass } from "#domain/operations/ProviderHistory.ts"
import { reasonFactsOf } from "#domain/reasonFacts.ts"
import { EpochMillis } from "#domain/Time.ts"
import type { CallOutcome, LastError } from "./figures.ts"

/** The outcome of a failure for the circuit. A shut operation (`makePauses`) does not take its group along. */
export const outcomeOf = (reason: ProviderErrorReason): CircuitBreaker.Outcome => {
  const health = healthOf(reason)
  if (health === "healthy") return CircuitBreaker.success
  if (health === "ignored") return CircuitBreaker.ignored
  if (reason._tag === "RateLimited" && reason.isShut === true) return CircuitBreaker.ignored
  return "retryAfterSeconds" in reason && reason.retryAfterSeconds !== undefined
    ? CircuitBreaker.failure({ retryAfter: Duration.seconds(reason.retryAfterSeconds) })
    : CircuitBreaker.failure()
}

export const providerErrorIn = (exit: Exit.Exit<unknown, unknown>): Option.Option<ProviderError> =>
  Exit.isSuccess(exit)
    ? Option.none()
    : Option.filter(Cause.findErrorOption(exit.cause), (error) => error instanceof ProviderError)

/** The outcome of a call by its exit; a defect is a failure like any other. */
const outcomeOfEnd = (exit: Exit.Exit<unknown, unknown>): CircuitBreaker.Outcome => {
  if (Exit.isSuccess(exit)) return CircuitBreaker.success
  if (Cause.hasInterruptsOnly(exit.cause)) return CircuitBreaker.ignored
  return Option.match(providerErrorIn(exit), {
    onNone: () => CircuitBreaker.failure(),
    onSome: ({ reason }) => outcomeOf(reason),
  })
}

export const classify = (
  exit: Exit.Exit<unknown, unknown>,
  took: Duration.Duration,
  slowCall: Duration.Duration | undefined,
): CircuitBreaker.Outcome => {
  const outcome = outcomeOfEnd(exit)
  const slow = slowCall !== undefined && Duration.isGreaterThan(took, slowCall)
  return outcome._tag === "Success" && slow ? CircuitBreaker.failure() : outcome
}

export const callOutcome = (
  exit: Exit.Exit<unknown, unknown>,
  health: CircuitBreaker.Outcome,
): CallOutcome => {
  if (health._tag === "Failure") return "failed"
  if (health._tag === "Success") return Exit.isSuccess(exit) ? "succeeded" : "refused"
  const { reason } = Option.getOrUndefined(providerErrorIn(exit)) ?? {}
  if (reason?._tag === "RateLimited") return "failed"
  return reason?._tag === "NotCalled" ? "rejected" : "cancelled"
}

/** Why a call counts as a failure: a success does where it was too slow, a defect where it is our own fault. */
export const failureClassOf = (exit: Exit.Exit<unknown, unknown>): FailureClass =>
  Exit.isSuccess(exit) ? "slow" : Option.getOrElse(
    Option.flatMap(
      providerErrorIn(exit),
      ({ reason }) => Option.fromUndefinedOr(reasonFactsOf(reason).countedAs),
    ),
    () => "broken" as const,
  )

export const lastErrorOf = (exit: Exit.Exit<unknown, unknown>, at: number): { readonly error?: LastError } =>
  Option.match(providerErrorIn(exit), {
    onNone: () => ({}),
    onSome: ({ reason }) => ({
      error: {
        at: EpochMillis.make(at),
        reason: reason._tag,
        detail: "detail" in reason ? reason.detail : reason._tag,
        ...("because" in reason && reason.because === "key" ? { because: reason.because } : {}),
      },
    }),
  })

/**
 * The operations of one provider that an upstream has shut for a while: calls before would only shut them for longer. The
 * longest rest is bounded, whatever an upstream says.
 */
export const makePauses = (most: Duration.Duration) => {
  const until = new Map<ProviderOperation, number>()
  return {
    /** How long an operation is left alone from now; nothing where it may be called. */
    leftOf: (operation: ProviderOperation, now: number) => {
      const left = (until.get(operation) ?? now) - now
      return left > 0 ? Duration.millis(left) : undefined
    },
    note: (operation: ProviderOperation, exit: Exit.Exit<unknown, unknown>, now: number): void => {
      const { reason } = Option.getOrUndefined(providerErrorIn(exit)) ?? {}
      if (reason?._tag !== "RateLimited" || reason.isShut !== true) return
      const wait = Duration.min(Duration.seconds(reason.retryAfterSeconds ?? 0), most)
      until.set(operation, now + Duration.toMillis(wait))
    },
  }
}
