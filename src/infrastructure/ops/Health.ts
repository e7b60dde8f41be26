import { Duration, Effect, Schema } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { SqlClient } from "effect/sql"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { migrationStanding } from "../store/database/migrate.ts"

/** The longest wait for the database; a process whose database is slower should get no requests. */
const patience = Duration.seconds(2)

const messages = {
  draining: "The service is stopping",
  migrations: "The database lacks changes that this version of the service needs",
  newer: "The database has had changes of a later version, with which this one would go wrong",
}

/** The process is alive but should get no requests. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  reason: Schema.Literals(["draining", "migrations", "newer"]),
}) {
  override get message(): string {
    return messages[this.reason]
  }
}

/** Whether the process can serve: database, migrations, not stopping. Upstreams are no part of it. */
export class Health extends service<Health>()(
  "swap-broker/ops/Health",
  Effect.gen(function* () {
    const context = yield* Effect.context<SqlClient.SqlClient>()
    let isDraining = false
    const standing = migrationStanding.pipe(
      Effect.timeout(patience),
      Effect.catchTag(
        "TimeoutError",
        (cause) => Effect.fail(new StoreUnavailable({ operation: "Health.ready", cause })),
      ),
      Effect.provideContext(context),
    )
    const ready = Effect.gen(function* () {
      if (isDraining) return yield* new NotReady({ reason: "draining" })
      const { pending, tooNew } = yield* standing
      if (pending.length > 0) return yield* new NotReady({ reason: "migrations" })
      if (tooNew.length > 0) return yield* new NotReady({ reason: "newer" })
    }).pipe(Effect.withSpan("Health.ready"))
    /** Marks the process as not ready from now on; load balancers should send requests elsewhere. */
    const drain = Effect.sync(() => {
      isDraining = true
    })
    return { ready, drain }
  }),
) {}
