import { Context, Effect, Layer } from "effect"

/** The scope of the circuits: the calls of this process decide, or those of all replicas. */
export interface CircuitSharing {
  readonly scope: "process" | "shared"
  /** Why the circuits are this process's own although they should be shared; for the operator. */
  readonly reason?: string
}

/** The scope of the circuits that the guard uses at present. */
export class CircuitScope extends Context.Service<CircuitScope, {
  readonly current: Effect.Effect<CircuitSharing>
}>()("swap-broker/platform/CircuitScope") {
  /** The scope where no other replica shares the circuits. */
  static readonly layerProcess: Layer.Layer<CircuitScope> = Layer.succeed(
    CircuitScope,
    CircuitScope.of({ current: Effect.succeed({ scope: "process" }) }),
  )
}
