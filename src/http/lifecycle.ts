import { type Duration, Effect, Layer } from "effect"
import type { Mode } from "../config/Setting.ts"
import { EventStreams } from "../events/EventStreams.ts"
import { Server } from "./server/Server.ts"
import { Health } from "../ops/Health.ts"

/**
 * On a stop, reports "not ready" first and serves on for `drainDelay`, so that a balancer has stopped sending
 * requests by the time that they would be refused. Streams of events are closed last.
 */
export const drain = (
  { drainDelay }: { readonly drainDelay: Duration.Duration },
): Layer.Layer<never, never, EventStreams | Health | Server> =>
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
    }),
  )

/** Logs where the service listens and whether money moves. */
export const announce = ({ mode }: { readonly mode: Mode }) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const { url } = yield* Server
    yield* Effect.logInfo(
      mode === "sandbox"
        ? "SANDBOX: the networks are simulated, no money moves"
        : "LIVE: real networks, real money",
    )
    yield* Effect.logInfo(`Listening on ${url.origin}, documentation at ${url.origin}/docs`)
  }))
