import { Cause, Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"
import { ProviderDefect, ProviderError, type ProviderOperation } from "../domain/ProviderError.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import { logErrorSparsely } from "../platform/sparseLog.ts"
import type { Provider } from "./Provider.ts"
import { Registry } from "./Registry.ts"

const detail = "the provider's own code failed: see the log"

const defectOf = (provider: ProviderName, operation: ProviderOperation): ProviderError =>
  new ProviderError({ provider, operation, reason: new ProviderDefect({ detail }) })

/**
 * A call of a provider's operation, where anything but an answer or a `ProviderError` is a failure of this call alone: a
 * throw, a defect, or an interruption that the provider's code made itself. One line of the log has its cause. A caller
 * who leaves interrupts the call as before.
 */
export const containing =
  (provider: ProviderName, operation: ProviderOperation) =>
  <A>(call: Effect.Effect<A, ProviderError>): Effect.Effect<A, ProviderError> =>
    Effect.catchCause(call, (cause) => {
      if (Cause.hasFails(cause) && !Cause.hasDies(cause)) return Effect.failCause(cause)
      const failed = Effect.andThen(
        logErrorSparsely(
          `defect ${provider} ${operation}`,
          1,
          `The code of ${provider} failed in ${operation}`,
          cause,
        ).pipe(Effect.annotateLogs({ platform: provider, operation })),
        Effect.fail(defectOf(provider, operation)),
      )
      // Ends here where it is the caller that is interrupted.
      return Cause.hasDies(cause) ? failed : Effect.andThen(Effect.interruptible(Effect.void), failed)
    })

/** A provider whose layer could not be built: each of its operations fails, as one whose code fails does. */
const neverRegistered = (name: ProviderName): Provider => ({
  name,
  capabilities: {
    maximumCommissionBps: 0,
    affiliates: false,
    boost: false,
    dca: false,
    ccm: false,
    needsAmount: false,
    retry: false,
    lateDeposit: "untold",
    ends: { limit: "on arrival", deposit: "told", paysByDeposit: false, pays: "one" },
  },
  assets: Effect.fail(defectOf(name, "assets")),
  quotes: () => Effect.fail(defectOf(name, "quote")),
})

/** The layer of a provider, where a defect leaves the provider failing and the start of all others as it is. */
export const containingStart = (
  name: ProviderName,
  layer: () => Layer.Layer<never, never, Registry | HttpClient.HttpClient>,
): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.catchCause(
    Layer.suspend(layer),
    (cause) =>
      Cause.hasInterruptsOnly(cause) ? Layer.effectDiscard(Effect.failCause(cause)) : Layer.effectDiscard(
        Effect.gen(function* () {
          yield* Effect.logError(`The code of ${name} failed at the start: ${name} serves nothing`, cause)
            .pipe(Effect.annotateLogs({ platform: name }))
          yield* (yield* Registry).register(neverRegistered(name))
        }),
      ),
  )
