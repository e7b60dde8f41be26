import { Cause, Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"
import type { ProviderName } from "#domain/ProviderName.ts"
import { defectOf } from "./defects.ts"
import type { Provider } from "./Provider.ts"
import { Registry } from "./Registry.ts"

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
