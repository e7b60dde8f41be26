import { type Duration, Effect, Layer } from "effect"
import { Server } from "../http/Server.ts"
import { Health } from "../ops/Health.ts"

/**
 * When the process is to stop, says so first and goes on serving for a while, so that a balancer has stopped
 * sending requests by the time that they would be refused.
 */
export const drain = (
  { drainDelay }: { readonly drainDelay: Duration.Duration },
): Layer.Layer<never, never, Health | Server> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* Server
      const health = yield* Health
      yield* Effect.addFinalizer(() => Effect.andThen(health.drain, Effect.sleep(drainDelay)))
    }),
  )
