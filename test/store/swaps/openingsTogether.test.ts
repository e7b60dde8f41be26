import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import type { Account } from "../../../src/domain/Account.ts"
import { ProviderName } from "../../../src/domain/ProviderName.ts"
import { EpochMillis } from "../../../src/domain/Time.ts"
import { OpeningsRepo } from "../../../src/store/swaps/OpeningsRepo.ts"
import { newAccount, stores } from "../../support/store.ts"
import { swapRequest } from "../../support/swap.ts"

const platform = ProviderName.make("first")

const request = ({ id }: Account) =>
  Effect.flatMap(OpeningsRepo, (openings) =>
    openings.request({
      accountId: id,
      platform,
      request: swapRequest,
      at: EpochMillis.make(0),
      leaseUntil: EpochMillis.make(60_000),
      openChannelsMost: 1_000,
    }))

const begin = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.forkChild(work, { startImmediately: true })

/** The ids of an account's swaps. */
const swapsOf = ({ id }: Account) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ id: bigint }>`SELECT id FROM swaps WHERE account_id = ${id} ORDER BY id`,
      (rows) => rows.map((row) => Number(row.id)),
    ))

/** The next turn of the event loop, in which what has arrived from the database is read. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

for (const store of stores) {
  layer(store.layer, { timeout: "60 seconds" })(`Openings of a moment on ${store.name}`, (it) => {
    it.effect("are written once each, at whichever moment another account's caller is interrupted", () =>
      Effect.gen(function* () {
        const accounts = yield* Effect.all([newAccount, newAccount, newAccount, newAccount])
        const [first, gone, second, third] = accounts
        for (let turns = 0; turns < 24; turns++) {
          const alone = yield* begin(request(first))
          const interrupted = yield* begin(request(gone))
          const others = yield* Effect.forEach([second, third], (account) => begin(request(account)))
          yield* Fiber.join(alone)
          yield* Effect.repeat(turn, { times: turns })
          yield* Fiber.interrupt(interrupted)
          const written = yield* Effect.forEach(others, Fiber.join)
          for (const [index, account] of [second, third].entries()) {
            const rows = yield* swapsOf(account)
            assert.strictEqual(rows.length, turns + 1, `${account.name} after ${turns} turns`)
            assert.strictEqual(rows.at(-1), written[index])
          }
        }
      }))
  })
}
