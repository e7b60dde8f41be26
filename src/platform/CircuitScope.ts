import { Context, Effect, Layer } from "effect"

/** Whose calls decide about the circuits: those of this process, or those of all replicas. */
export interface CircuitSharing {
  readonly scope: "process" | "shared"
  /** Why the circuits are this process's own although they are to be shared; for the operator. */
  readonly reason?: string
}

/** Tells whose circuits the guard goes by at present. */
export class CircuitScope extends Context.Service<CircuitScope, {
  readonly current: Effect.Effect<CircuitSharing>
}>()("swap-broker/platform/CircuitScope") {
  /** Of circuits that nobody else shares. */
  static readonly layerProcess: Layer.Layer<CircuitScope> = Layer.succeed(
    CircuitScope,
    CircuitScope.of({ current: Effect.succeed({ scope: "process" }) }),
  )
}
