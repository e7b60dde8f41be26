import { Context, Effect, Latch, type Scope } from "effect"

/** Open once the process serves. Whoever starts something else than a service waits for nothing. */
export const Serving = Context.Reference<Latch.Latch>("swap-broker/platform/Serving", {
  defaultValue: () => Latch.makeUnsafe(true),
})

/** Runs background work from when the process serves until the scope closes, so that no request waits. */
export const forkWhenReady = <A, E, R>(
  work: Effect.Effect<A, E, R>,
): Effect.Effect<void, never, R | Scope.Scope> =>
  Effect.flatMap(Serving, (serving) => Effect.asVoid(Effect.forkScoped(Effect.andThen(serving.await, work))))
