import { type Duration, Effect, Layer } from "effect"
import { type NearMiss, nearMissText } from "#infrastructure/config/nearMisses.ts"
import type { Mode } from "#infrastructure/config/Setting.ts"
import { EventStreams } from "#application/events/EventStreams.ts"
import { logAtStop } from "#infrastructure/platform/runMain.ts"
import { version } from "#infrastructure/platform/version.ts"
import { realAndSimulated, type SimulatedProviders } from "#providers/Registry.ts"
import { Serving } from "#infrastructure/platform/whenReady.ts"
import { Server } from "./server/Server.ts"
import { Health } from "#infrastructure/ops/Health.ts"

/** On a stop, reports "not ready", serves on for `drainDelay`, then closes event streams last. */
export const drain = ({ drainDelay }: { readonly drainDelay: Duration.Duration }) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Server
      const health = yield* Health
      const streams = yield* EventStreams
      yield* Effect.addFinalizer(() =>
        health.drain.pipe(
          Effect.andThen(Effect.sleep(drainDelay)),
          // Streams have no end of their own to wait for.
          Effect.andThen(streams.close),
        )
      )
      yield* logAtStop("Stopping: requests in flight finish first")
    }),
  )

/** Lets background work begin, and logs where the service listens and whether money moves; warns of providers that no sandbox simulates, and of variables that are nearly settings. */
export const announce = (
  { isSimulated, mode, nearMisses }: SimulatedProviders & {
    readonly mode: Mode
    readonly nearMisses: ReadonlyArray<NearMiss>
  },
) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const { url } = yield* Server
    yield* Effect.logInfo(`Swap Broker ${version}`)
    const [real, simulated] = yield* realAndSimulated({ isSimulated })
    yield* Effect.forEach(nearMisses, (nearMiss) => Effect.logWarning(nearMissText(nearMiss)))
    if (real.length === 0) {
      const settings = mode === "live" ? "LIVE settings" : "SANDBOX"
      yield* Effect.logInfo(`${settings}: the networks are simulated, no money moves`)
    } else if (mode === "live") {
      yield* Effect.logInfo("LIVE: real networks, real money")
      if (simulated.length > 0) {
        yield* Effect.logWarning(`LIVE, but simulated: ${simulated.join(", ")}. No money moves there`)
      }
    } else {
      yield* Effect.logWarning(
        `SANDBOX, but not simulated: ${
          real.join(", ")
        }. Real money may move there; unset the settings of what is ` +
          "not meant, or leave it out of PROVIDERS",
      )
    }
    yield* Effect.logInfo(`Listening on ${url.origin}, documentation at ${url.origin}/docs`)
    yield* (yield* Serving).open
  }))
