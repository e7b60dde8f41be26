import { Cause, Effect } from "effect"
import { ProviderDefect, ProviderError, type ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { logErrorSparsely } from "#infrastructure/platform/rateLimitedLog.ts"

export const defectOf = (provider: ProviderName, operation: ProviderOperation): ProviderError =>
  new ProviderError({ provider, operation, reason: new ProviderDefect() })

/** Makes a throw, a defect or an interruption of the provider's own code a failure of this call, with a log line. */
export const containing =
  (provider: ProviderName, operation: ProviderOperation) =>
  <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
    Effect.catchCause(call, (cause) => {
      if (Cause.hasFails(cause) && !Cause.hasDies(cause)) return Effect.failCause(cause)
      const failed = Effect.andThen(
        logErrorSparsely(
          `defect ${provider} ${operation}`,
          1,
          `Internal error of ${provider} in ${operation}`,
          cause,
        ).pipe(Effect.annotateLogs({ platform: provider, operation })),
        Effect.fail(defectOf(provider, operation)),
      )
      // Ends here where it is the caller that is interrupted.
      return Cause.hasDies(cause) ? failed : Effect.andThen(Effect.interruptible(Effect.void), failed)
    })
