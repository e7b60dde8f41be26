import { PgClient } from "@effect/sql-pg"
import { Array, Duration, Effect, Latch, Layer, Option, Queue, Schema } from "effect"
import { AccountId } from "#domain/accounts/Account.ts"
import { orInternalError } from "../../platform/orInternalError.ts"
import { OutboxRepo } from "../swaps/OutboxRepo.ts"

const channel = "swap_broker_outbox"

/** Gathers notifications: Postgres commits notifying transactions one by one, so those that write events don't notify. */
const gather = Duration.millis(50)

/** The most accounts in a notification, which holds less than 8,000 bytes. */
const mostAccounts = 300

const restAfterFailure = Duration.seconds(2)

const Accounts = Schema.fromJsonString(Schema.Array(AccountId))
const decodeAccounts = Schema.decodeUnknownOption(Accounts)
const encodeAccounts = Schema.encodeSync(Accounts)

const again = <E>(name: string) => (work: Effect.Effect<never, E>): Effect.Effect<never> =>
  work.pipe(
    orInternalError,
    Effect.catch((error) => Effect.logDebug(`${name}; readers look for themselves meanwhile`, error)),
    Effect.andThen(Effect.sleep(restAfterFailure)),
    Effect.forever,
  )

/** Wakes the other replicas for accounts with new events. A lost message only makes events a little late. */
export const notifyReplicas: Layer.Layer<never, never, OutboxRepo | PgClient.PgClient> = Layer.effectDiscard(
  Effect.gen(function* () {
    const client = yield* PgClient.PgClient
    const { doorbell } = yield* OutboxRepo
    const written = new Set<AccountId>()
    const somethingToTell = yield* Latch.make()

    yield* doorbell.hear((account) => {
      written.add(account)
      somethingToTell.openUnsafe()
    })

    const tell = Effect.gen(function* () {
      yield* somethingToTell.await
      yield* Effect.sleep(gather)
      yield* somethingToTell.close
      const accounts = [...written]
      written.clear()
      for (const some of Array.chunksOf(accounts, mostAccounts)) {
        yield* client.notify(channel, encodeAccounts(some))
      }
    }).pipe(Effect.forever, again("Other replicas could not be told of events"))

    const hear = Effect.gen(function* () {
      const notifications = yield* client.listen(channel)
      const heard = Effect.map(
        Queue.take(notifications),
        ({ payload }) => Option.map(decodeAccounts(payload), (accounts) => accounts.forEach(doorbell.echo)),
      )
      return yield* Effect.forever(heard)
    }).pipe(Effect.scoped, again("Events of other replicas cannot be heard of"))

    yield* Effect.forkScoped(tell)
    yield* Effect.forkScoped(hear)
  }),
)
