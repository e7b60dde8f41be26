import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { preparedFolder } from "#test/support/prepared/database.ts"
import { cliProcess, type Environment, startService } from "#test/support/process.ts"

const run = (env: Environment, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const process = yield* cliProcess(env, args)
    const { code } = yield* process.ended
    return { code, output: process.output() }
  })

describe("the process of deno task cli", () => {
  it.live(
    "works with a running service, and ends with a code that tells what happened",
    () =>
      Effect.gen(function* () {
        const { apiKey, url } = yield* startService({ DATA_DIR: yield* preparedFolder })
        const env = { BROKER_URL: url.origin, BROKER_API_KEY: apiKey }
        const created = yield* run(env, "--json", "accounts", "create", "wallet-one")
        assert.strictEqual(created.code, 0, created.output)
        assert.include(created.output, '"name": "wallet-one"')
        const doctor = yield* run(env, "doctor")
        assert.strictEqual(doctor.code, 0, doctor.output)
        assert.include(doctor.output, "provider chainflip")
        assert.strictEqual((yield* run(env, "accounts", "create", "wallet-one")).code, 3)
        const wrongKey = yield* run({ ...env, BROKER_API_KEY: "x".repeat(32) }, "accounts", "list")
        assert.strictEqual(wrongKey.code, 4, wrongKey.output)
        assert.notInclude(wrongKey.output, "x".repeat(32))
      }).pipe(Effect.scoped),
  )

  it.live("tells wrong usage, a service that is away, and help apart", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run({}, "accounts", "destroy")).code, 2)
      const away = { BROKER_URL: "http://127.0.0.1:9", BROKER_API_KEY: "x".repeat(32) }
      assert.strictEqual((yield* run(away, "accounts", "list")).code, 5)
      assert.strictEqual((yield* run(away, "doctor")).code, 1)
      assert.strictEqual((yield* run({}, "--help")).code, 0)
    }).pipe(Effect.scoped))
})
