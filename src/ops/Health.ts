import { Context, Duration, Effect, Layer } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { StoreUnavailable } from "../domain/StoreError.ts"

/** A database that takes longer than this to answer nothing is not one to send requests to. */
const patience = Duration.seconds(2)

/** Whether the process can serve: its database answers. The upstreams' health is not part of it. */
export class Health extends Context.Service<Health, {
  readonly ready: Effect.Effect<void, StoreUnavailable>
}>()("swap-broker/ops/Health") {
  static readonly layer: Layer.Layer<Health, never, SqlClient.SqlClient> = Layer.effect(
    Health,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ready = sql`SELECT 1`.pipe(
        Effect.timeout(patience),
        Effect.mapError((cause) => new StoreUnavailable({ operation: "Health.ready", cause })),
        Effect.asVoid,
        Effect.withSpan("Health.ready"),
      )
      return Health.of({ ready })
    }),
  )
}
