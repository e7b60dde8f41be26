import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { observe } from "../http/observe.ts"
import { broker, brokerUrl } from "../support/broker.ts"
import { spawnService } from "../support/process.ts"
import { visit } from "./support/flows.ts"
import { leaks, markers } from "./support/markers.ts"

const secrets = { BOOTSTRAP_API_KEY: markers.apiKey, NEAR_INTENTS_TOKEN: markers.token }
const real = 120_000

describe("secrets", () => {
  it.live("are in no span", () => {
    const observed = observe()
    return Effect.gen(function* () {
      yield* Effect.promise(yield* Effect.map(brokerUrl, (url) => () => visit(url)))
      assert.isAbove(observed.spans.length, 100)
      assert.deepStrictEqual(leaks(observed.text()), [])
    }).pipe(
      Effect.provide(broker(secrets).pipe(Layer.provide(observed.layer))),
    )
  }, real)

  it.live("are not in what is written of a start that fails", () =>
    Effect.gen(function* () {
      const starts = [
        { DATABASE_URL: `postgres://canary:${encodeURIComponent(markers.password)}@127.0.0.1:1/none` },
        { DATABASE_URL: `mysql://canary:${encodeURIComponent(markers.password)}@127.0.0.1:1/none` },
        { DATABASE_URL: `postgres://canary:${markers.password}@[/none` },
        { CHAINFLIP_BROKER_URL: `127.0.0.1/${markers.brokerPath}` },
        { REDIS_URL: `rediss:/${markers.password}`, PORT: "none" },
        { MODE: "live" },
      ]
      yield* Effect.forEach(starts, (environment) =>
        Effect.gen(function* () {
          const process = yield* spawnService({ ...secrets, LOG_LEVEL: "trace", ...environment })
          const { code } = yield* process.ended
          assert.strictEqual(code, 1, process.output())
          assert.deepStrictEqual(leaks(process.output()), [], JSON.stringify(environment))
        }), { concurrency: 2 })
    }).pipe(Effect.scoped), real)
})
