import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber, Layer, Result, Schedule, Schema } from "effect"
import { broker, brokerUrl, testKey } from "#test/support/broker.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"
import {
  type Environment,
  type RunningService,
  spawnService,
  startService,
  startTask,
} from "#test/support/process.ts"
import { deposit, history, openByGet, openChannelCount, slowOpenings } from "./client.ts"
import { eventually } from "./eventually.ts"
import { plans } from "./swaps.ts"

const [plan] = plans

/** Ends a service as an operator does; gives the exit code. */
const stop = (service: RunningService, signal: Deno.Signal = "SIGTERM") =>
  Effect.andThen(service.kill(signal), Effect.map(service.ended, ({ code }) => code))

/** A swap whose opening the upstream has carried out, but answers only after `latency` milliseconds. */
const openingInFlight = Effect.fnUntraced(function* (service: RunningService, latency: number) {
  yield* slowOpenings(service, latency)
  const opening = yield* Effect.forkChild(Effect.result(openByGet(service, plan.parameters)))
  yield* eventually(openChannelCount(service), (count) => count === 1)
  return opening
})

/** What a process says that cannot start. */
const failedStart = Effect.fnUntraced(function* (environment: Environment) {
  const process = yield* spawnService(environment)
  const { code } = yield* process.ended
  assert.strictEqual(code, 1, process.output())
  return process.output()
})

const messageIn = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ message: Schema.String })),
)

describe.concurrent("The service as a process", () => {
  it.live(
    "keeps its folder from another process, and after SIGTERM lets a request in flight finish, takes no new one, and exits with 0",
    function* () {
      // With PORT=0, so what it logs is the port that it picked.
      const environment = { DATA_DIR: yield* preparedFolder, PORT: "0" }
      const service = yield* startService(environment)
      assert.notInclude(["", "0"], service.url.port)
      const output = yield* failedStart(environment)
      assert.match(
        output,
        /^{"message":"Stopped: [^\n]* is in use by another process[^\n]* DATA_DIR\b[^\n]*}\n$/,
      )
      assert.include(output, environment.DATA_DIR)
      assert.deepStrictEqual(yield* history(service), [])

      const opening = yield* openingInFlight(service, 1_500)
      yield* service.kill("SIGTERM")
      yield* eventually(Effect.result(history(service)), Result.isFailure)
      const opened = yield* Effect.fromResult(yield* Fiber.join(opening))
      assert.isAbove(opened.address.length, 0)
      assert.strictEqual((yield* service.ended).code, 0)
    },
  )

  it.live(
    "does not wait for requests in flight after a signal more than a second later",
    function* () {
      const service = yield* startService({ DATA_DIR: yield* preparedFolder })
      const opening = yield* openingInFlight(service, 30_000)
      const insist = Effect.repeat(service.kill("SIGTERM"), Schedule.spaced("100 millis"))
      yield* Effect.raceFirst(service.ended, insist)
      assert.strictEqual((yield* service.ended).code, 130)
      assert.isTrue(Result.isFailure(yield* Fiber.join(opening)))
    },
  )

  it.live.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "lets a request in flight finish when %s goes to the whole process group of the task, several times",
    function* (signal) {
      const service = yield* startTask({ DATA_DIR: yield* preparedFolder })
      const opening = yield* openingInFlight(service, 1_500)
      for (let time = 0; time < 3; time++) yield* service.killGroup(signal)
      yield* Effect.fromResult(yield* Fiber.join(opening))
      assert.strictEqual((yield* service.ended).code, 0)
      const lines = service.output().trimEnd().split("\n").map((line) => messageIn(line).message)
      assert.strictEqual(lines.filter((line) => /^Stopping: .* \(SIG\w+\)$/.test(line)).length, 1)
      assert.strictEqual(lines.at(-1), `Stopped (${signal})`)
    },
  )

  it.live(
    "follows a swap to its end that had its deposit before a restart, though nobody asks",
    function* () {
      const environment = {
        DATA_DIR: yield* preparedFolder,
        SANDBOX_SPEED: "600",
        TRACKER_INTERVAL: "100 millis",
      }
      const first = yield* startService(environment)
      const { address, id } = yield* openByGet(first, plan.parameters)
      yield* deposit(first, address, plan.amount)
      assert.strictEqual(yield* stop(first, "SIGINT"), 0)

      const second = yield* startService(environment)
      const state = Effect.map(
        history(second),
        ([record]) => record?.id === id ? record.status.state : "lost",
      )
      assert.strictEqual(yield* eventually(state, (seen) => seen === "completed"), "completed")
    },
  )

  it.live("keeps nothing with DATA_DIR=memory", function* () {
    const swaps = Effect.gen(function* () {
      const service = { url: yield* brokerUrl, apiKey: testKey }
      const before = yield* history(service)
      yield* openByGet(service, plan.parameters)
      return [before.length, (yield* history(service)).length]
    })
    const oneLife = Effect.provide(swaps, Layer.fresh(broker({ DATA_DIR: "memory" })))
    assert.deepStrictEqual([yield* oneLife, yield* oneLife], [[0, 1], [0, 1]])
    const folder = new URL("../../memory", import.meta.url)
    assert.isFalse(yield* Effect.promise(() => Deno.stat(folder).then(() => true, () => false)))
  })

  it.live("names every setting that does not fit, and prints no secret", function* () {
    const output = yield* failedStart({
      PORT: "70000",
      MODE: "testing",
      LOG_LEVEL: "loud",
      QUOTE_DEADLINE: "soon",
      BOOTSTRAP_API_KEY: "too-short-secret",
      DATABASE_URL: "mysql://operator:hunter2@db/swaps",
      CHAINFLIP_BROKER_URL: "broker.internal/s3cret",
    })
    const [first, ...faults] = messageIn(output).message.split("\n")
    assert.strictEqual(first, "Stopped: The settings do not fit:")
    assert.deepStrictEqual(faults.map((sentence) => sentence.trim().split(" ")[0]).sort(), [
      "BOOTSTRAP_API_KEY",
      "CHAINFLIP_BROKER_URL",
      "DATABASE_URL",
      "LOG_LEVEL",
      "MODE",
      "PORT",
      "QUOTE_DEADLINE",
    ])
    for (const secret of ["too-short-secret", "hunter2", "s3cret"]) assert.notInclude(output, secret)
  })

  it.live("starts in live mode only with all that an upstream needs", function* () {
    const output = yield* failedStart({ MODE: "live" })
    assert.include(output, "No provider is set")
    for (const name of ["BACKEND_URL", "NODE_URL", "BROKER_URL", "BROKER_ACCOUNT"]) {
      assert.include(output, `CHAINFLIP_${name}`)
    }
  })
})
