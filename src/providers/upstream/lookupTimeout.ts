import { Duration, Effect } from "effect"
import { type ProviderErrorReason, TimedOut } from "../../domain/ProviderError.ts"

const defaultTimeout = Duration.seconds(3)

/**
 * Ends a look-up that several callers share. Without it one that hangs would never end while callers keep
 * joining it, and the provider would stay out after the upstream is well again.
 */
export const withLookupTimeout = (endpoint: string, timeout: Duration.Input = defaultTimeout) =>
  Effect.timeoutOrElse({
    duration: timeout,
    orElse: () =>
      Effect.fail<ProviderErrorReason>(
        new TimedOut({ detail: `no answer of the ${endpoint} in time`, reached: true }),
      ),
  })
