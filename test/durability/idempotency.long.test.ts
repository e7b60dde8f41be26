import { assert, describe, it } from "#test/support/it.ts"
import { Array, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql"
import { sqlLayer } from "#infrastructure/store/database/Sql.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { type Environment, type RunningService, startService } from "#test/support/process.ts"
import { clearFaults, openChannelCount, openOnce, type Raw, slowOpenings } from "./client.ts"
import { eventually } from "./eventually.ts"
import { locationOf, onServer, places, servers } from "./places.ts"

/** So that leases end while a test waits: 18 seconds after they began. */
const short = { OPEN_TIMEOUT: "3 seconds" }

const atOnce = 200

/** A request of its own, told from all others by where its output goes. */
const newRequest = () => ({
  key: crypto.randomUUID(),
  parameters: {
    sourceAsset: "btc.btc",
    destinationAsset: "eth.eth",
    destinationAddress: `0x${crypto.randomUUID().replaceAll("-", "")}00000000`,
  },
})
type Request = ReturnType<typeof newRequest>

const isReplayed = ({ headers }: Raw): boolean => headers.get("idempotent-replayed") === "true"

/** Sends it many times at once to services in turn: the answers that came. */
const sendAtOnce = (services: ReadonlyArray<RunningService>, { key, parameters }: Request) =>
  Effect.map(
    Effect.all(
      Array.makeBy(atOnce / services.length, () => services).flat().map((service) =>
        Effect.result(openOnce(service, key, parameters))
      ),
      { concurrency: "unbounded" },
    ),
    (results) => results.flatMap((result) => Result.isSuccess(result) ? [result.success] : []),
  )

/** Sends it again for as long as it is said to be in progress. */
const untilOver = (service: RunningService, { key, parameters }: Request) =>
  eventually(openOnce(service, key, parameters), ({ status }) => status !== 409)

/** One answer, told once for the first time; 409s and replays for all others. */
const assertOneAnswer = (answers: ReadonlyArray<Raw>): string => {
  const opened = answers.filter(({ status }) => status === 200)
  const others = answers.filter(({ status }) => status !== 200)
  assert.deepStrictEqual(
    [...new Set(others.map(({ status }) => status))].filter((status) => status !== 409),
    [],
  )
  assert.lengthOf(opened.filter((answer) => !isReplayed(answer)), 1)
  const texts = [...new Set(opened.map(({ text }) => text))]
  assert.lengthOf(texts, 1)
  return texts[0] ?? ""
}

/** How many rows the records have for a request. */
const rowsOf = ({ parameters: { destinationAddress } }: Request) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql`SELECT 1 FROM swaps WHERE request ->> 'destinationAddress' = ${destinationAddress}`,
      (rows) => rows.length,
    ))

/** Looks into the records when no service is at them. */
const inRecords = <A, E>(environment: Environment, look: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(look, sqlLayer(locationOf(environment)))

const stop = (service: RunningService) => Effect.andThen(service.kill("SIGTERM"), service.ended)

/** When to kill a service that was sent a request many times: how long after that, or once it is upstream. */
type Moment = "when the channel is open" | number

const moments: ReadonlyArray<Moment> = ["when the channel is open", 5, 60]

/** Starts the service, sends a request, kills the service in the middle; what was answered until then. */
const killed = Effect.fnUntraced(function* (environment: Environment, moment: Moment) {
  const request = newRequest()
  const service = yield* startService(environment)
  yield* clearFaults(service)
  const before = yield* openChannelCount(service)
  yield* slowOpenings(service, typeof moment === "number" ? 60 : 60_000)
  const sending = yield* Effect.forkChild(sendAtOnce([service], request))
  if (typeof moment === "number") yield* Effect.sleep(moment)
  else {
    yield* eventually(openChannelCount(service), (count) => count === before + 1)
    // The network shows a channel a moment before it is on the disk, as only who opened it waits for that.
    yield* Effect.sleep("500 millis")
  }
  yield* service.kill("SIGKILL")
  yield* service.ended
  return { request, answers: yield* Fiber.join(sending), before }
}, Effect.scoped)

describe.concurrent.each(places)("Requests under one Idempotency-Key, with $name", ({ environment }) => {
  it.live(
    "open one channel with one row, 200 at once; and at most one when the service is killed in the middle",
    function* () {
      const settings = { ...short, ...(yield* environment) }
      const first = yield* startService(settings)
      const calm = newRequest()
      const text = assertOneAnswer(yield* sendAtOnce([first], calm))
      assert.strictEqual(yield* openChannelCount(first), 1)
      yield* stop(first)

      const cutOff = yield* Effect.forEach(moments, (moment) => killed(settings, moment))
      const second = yield* startService(settings)
      yield* clearFaults(second)
      assert.strictEqual((yield* untilOver(second, calm)).text, text)
      const channels = yield* openChannelCount(second)
      const openedBefore = cutOff.map(({ before }, index) => (cutOff[index + 1]?.before ?? channels) - before)
      for (const opened of openedBefore) assert.isAtMost(opened, 1)
      assert.strictEqual(openedBefore[0], 1, "the first kill came when its channel was open")

      const retried = yield* Effect.forEach(
        cutOff,
        ({ answers, request }) =>
          Effect.map(untilOver(second, request), (answer) => ({ answer, answers, request })),
        { concurrency: "unbounded" },
      )
      for (const { answer, answers } of retried) {
        assert.include([200, 500], answer.status, answer.text)
        const toldBefore = answers.filter(({ status }) => status === 200).map(({ text }) => text)
        for (const told of toldBefore) assert.strictEqual(answer.text, told)
        if (answer.status === 500) assert.match(answer.text, /outcome .* is unknown/)
      }
      const madeAnew = retried.filter(({ answer }, index) =>
        openedBefore[index] === 0 && answer.status === 200 && !isReplayed(answer)
      ).length
      assert.strictEqual(yield* openChannelCount(second), channels + madeAnew, "no second channel")

      for (const { answer, request } of retried) {
        const again = yield* openOnce(second, request.key, request.parameters)
        assert.strictEqual(again.status, answer.status)
        if (again.status === 200) {
          assert.strictEqual(again.text, answer.text)
        }
      }
      yield* stop(second)
      for (
        const request of [
          calm,
          ...cutOff.map(({ request }) =>
            request
          ),
        ]
      ) {
        assert.strictEqual(yield* inRecords(settings, rowsOf(request)), 1)
      }
    },
  )
})

describe.each(servers)("Two replicas over one Postgres server", (url) => {
  it.live(
    "open one channel for a key between them, and none when one of them is killed at it",
    function* () {
      const settings = {
        ...short,
        ...(yield* onServer(url)),
        // In this process, so that it outlives both.
        SANDBOX_URL: (yield* startSandbox()).url.origin,
      }
      const one = yield* startService(settings)
      const other = yield* startService(settings)
      const calm = newRequest()
      assertOneAnswer(yield* sendAtOnce([one, other], calm))
      assert.strictEqual(yield* openChannelCount(other), 1)

      const cutOff = newRequest()
      yield* slowOpenings(one, 60_000)
      const sending = yield* Effect.forkChild(Effect.result(openOnce(one, cutOff.key, cutOff.parameters)))
      yield* eventually(openChannelCount(other), (count) => count === 2)
      yield* one.kill("SIGKILL")
      yield* Fiber.join(sending)
      yield* clearFaults(other)
      assert.strictEqual((yield* openOnce(other, cutOff.key, cutOff.parameters)).status, 409)
      const answer = yield* untilOver(other, cutOff)
      // The network's time is behind ours, so that nobody can say whether its channel is older than the request.
      assert.strictEqual(answer.status, 500, answer.text)
      assert.match(answer.text, /outcome .* is unknown/)
      assert.strictEqual(yield* openChannelCount(other), 2)
      assert.strictEqual(yield* inRecords(settings, rowsOf(cutOff)), 1)
    },
  )
})
