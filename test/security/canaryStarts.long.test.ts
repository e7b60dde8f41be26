import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { spawnService, startService } from "#test/support/process.ts"
import { secretSettings } from "./support/canaryService.ts"
import { visitUpstream } from "./support/flows.ts"
import { leaks, markers } from "./support/markers.ts"

describe.concurrent("secrets", () => {
  it.live("are not in the log of a service whose Redis is away", function* () {
    const { kill, ended, output, url } = yield* startService({
      ...secretSettings,
      DATA_DIR: yield* preparedFolder,
      LOG_LEVEL: "trace",
      REDIS_URL: `redis://canary:${encodeURIComponent(markers.redisPassword)}@127.0.0.1:1`,
    })
    yield* Effect.promise(() => visitUpstream(url))
    yield* kill("SIGTERM")
    yield* ended
    assert.include(output(), "Redis at 127.0.0.1:1")
    assert.deepStrictEqual(leaks(output()), [])
  })

  it.live("are not in what is written of a start that fails", function* () {
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
        const process = yield* spawnService({ ...secretSettings, LOG_LEVEL: "trace", ...environment })
        const { code } = yield* process.ended
        assert.strictEqual(code, 1, process.output())
        assert.deepStrictEqual(leaks(process.output()), [], JSON.stringify(environment))
      }), { concurrency: 2 })
  })
})
