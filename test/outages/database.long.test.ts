import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Redacted, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { PgClient } from "@effect/sql-pg"
import { deposit, history, openByGet, openOnce } from "#test/durability/client.ts"
import { eventually } from "#test/durability/eventually.ts"
import { servers } from "#test/durability/places.ts"
import { plans } from "#test/durability/swaps.ts"
import { spawnService, startService } from "#test/support/process.ts"
import { startRelay } from "#test/support/relay.ts"
import { databaseOfRole } from "./databaseOfRole.ts"
import { askAll, assertBroken, look } from "./requests.ts"

/** How long the server is away: in the task, as long as the operator is promised. */
const away = Duration.fromInputUnsafe(Deno.env.get("OUTAGE") === "full" ? "20 seconds" : "3 seconds")

/** With the wait for a connection and for the one that is asked first, who may ask. */
const longest = Duration.seconds(4)

const [plan] = plans

/** A service whose way to its database is in the hands of the test, with a swap that is under way. */
const start = Effect.gen(function* () {
  const [server] = servers
  if (server === undefined) return yield* Effect.die("There is no server to test with")
  const database = yield* databaseOfRole(server)
  const target = new URL(database.url)
  const relay = yield* startRelay(() => [{ hostname: target.hostname, port: Number(target.port || 5432) }])
  const behind = new URL(database.url)
  behind.hostname = "127.0.0.1"
  behind.port = `${relay.port}`
  const starting = startService({
    DATABASE_URL: behind.href,
    DATABASE_TIMEOUT: "1 second",
    SANDBOX_SPEED: "600",
  })
  // A busy machine takes longer than this second for what a start reads: started again, as its supervisor would.
  const service = yield* Effect.retry(starting, { times: 3 })
  const opened = yield* openByGet(service, plan.parameters)
  yield* deposit(service, opened.address, plan.amount)
  const direct = yield* PgClient.make({ url: Redacted.make(database.url), maxConnections: 1 })
  const open = Effect.map(
    direct`SELECT id, state FROM swaps WHERE state IS DISTINCT FROM 'completed'`,
    (rows) => rows.length,
  )
  return { ...database, relay, service, opened, open: Effect.orDie(open), key: crypto.randomUUID() }
}).pipe(Effect.provide(Reactivity.layer))

type Stage = Effect.Success<typeof start>

/** While the database is away every request ends soon, as a problem without a code; and the process lives. */
const assertAway = Effect.fnUntraced(function* ({ key, service }: Stage) {
  for (const answer of yield* askAll(service, 40)) assertBroken(answer, longest)
  assertBroken(yield* look(service, "/readyz"), longest)
  assert.strictEqual((yield* look(service, "/livez")).status, 200)
  assert.strictEqual((yield* openOnce(service, key, plan.parameters)).status, 503)
})

const decodeOpened = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ id: Schema.Int, address: Schema.String })),
)

/** All is as it was, and swaps of before and of now come to their end with nobody asking for them. */
const assertRecovered = Effect.fnUntraced(function* ({ key, open, opened, service }: Stage) {
  yield* eventually(look(service, "/readyz"), ({ status }) => status === 200)
  yield* eventually(askAll(service, 4), (answers) => answers.every(({ status }) => status === 200))
  const { status, text } = yield* openOnce(service, key, plan.parameters)
  assert.strictEqual(status, 200, text)
  const later = decodeOpened(text)
  yield* deposit(service, later.address, plan.amount)
  yield* eventually(open, (count) => count === 0)
  assert.sameMembers((yield* history(service)).map(({ id }) => id), [opened.id, later.id])
})

describe.each(servers.map(() => "Postgres"))("A service whose database on %s", () => {
  it.live("is restarted: every connection is cut, and made anew", () =>
    Effect.gen(function* () {
      const stage = yield* start
      const asking = yield* Effect.forkChild(askAll(stage.service, 200))
      yield* stage.relay.cut
      for (const answer of yield* Fiber.join(asking)) {
        if (answer.status !== 200) assertBroken(answer, longest)
      }
      yield* assertRecovered(stage)
    }).pipe(Effect.scoped))

  it.live("refuses connections for a while", () =>
    Effect.gen(function* () {
      const stage = yield* start
      yield* stage.relay.refuse
      yield* assertAway(stage)
      yield* Effect.sleep(away)
      yield* assertAway(stage)
      yield* stage.relay.heal
      yield* assertRecovered(stage)
    }).pipe(Effect.scoped))

  it.live("does not answer for a while, without a word", () =>
    Effect.gen(function* () {
      const stage = yield* start
      const asking = yield* Effect.forkChild(askAll(stage.service, 200))
      yield* stage.relay.hang
      for (const answer of yield* Fiber.join(asking)) {
        if (answer.status !== 200) assertBroken(answer, longest)
      }
      yield* assertAway(stage)
      yield* Effect.sleep(away)
      yield* assertAway(stage)
      yield* stage.relay.heal
      yield* assertRecovered(stage)
    }).pipe(Effect.scoped))

  it.live("has no connection left for it", () =>
    Effect.gen(function* () {
      const stage = yield* start
      yield* stage.limitConnections(1)
      const some = yield* askAll(stage.service, 100)
      for (const answer of some) if (answer.status !== 200) assertBroken(answer, longest)
      yield* stage.limitConnections(0)
      yield* assertAway(stage)
      yield* stage.limitConnections(-1)
      yield* assertRecovered(stage)
    }).pipe(Effect.scoped))

  it.live("takes no changes for a while, as one that has become a standby", () =>
    Effect.gen(function* () {
      const stage = yield* start
      yield* stage.readOnly(true)
      yield* eventually(askAll(stage.service, 4), (answers) => answers.every(({ status }) => status === 200))
      assert.strictEqual((yield* openOnce(stage.service, stage.key, plan.parameters)).status, 503)
      yield* Effect.sleep(away)
      const quotes = yield* look(
        stage.service,
        "/quotes?sourceAsset=btc.btc&destinationAsset=eth.eth&amount=1",
      )
      assert.strictEqual(quotes.status, 200, quotes.text)
      yield* stage.readOnly(false)
      yield* assertRecovered(stage)
    }).pipe(Effect.scoped))
})

describe("A service that finds no database when it starts", () => {
  it.live("says so, and ends for its supervisor to start it again", () =>
    Effect.gen(function* () {
      const relay = yield* startRelay(() => [])
      const service = yield* spawnService({ DATABASE_URL: `postgres://nobody@127.0.0.1:${relay.port}/none` })
      assert.strictEqual((yield* service.ended).code, 1)
      assert.match(service.output(), /The database 127\.0\.0\.1:\d+\/none cannot be used/)
    }).pipe(Effect.scoped))
})
