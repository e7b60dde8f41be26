import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"
import { live } from "../config/read.ts"
import { defaultOptions } from "../sandbox/support.ts"
import { respServer } from "../support/redis/respServer.ts"
import type { Environment } from "../support/process.ts"
import { cliWith } from "./running.ts"

const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Schema.Struct({
  check: Schema.String,
  ok: Schema.Boolean,
  detail: Schema.String,
  todo: Schema.optionalKey(Schema.String),
}))))

/** The exit code, what stands well and what does not. */
const examine = (env: Environment) =>
  Effect.gen(function* () {
    const { code, output } = yield* cliWith({ DATA_DIR: "memory", ...env }, "doctor", "--json")
    const findings = yield* decode(output)
    for (const { ok, todo } of findings) {
      assert.strictEqual(todo === undefined, ok, "what fails says what to do")
    }
    const names = (state: boolean) => findings.filter(({ ok }) => ok === state).map(({ check }) => check)
    return { code, well: names(true), ill: names(false), output }
  })

const places = [
  "CHAINFLIP_BACKEND_URL",
  "CHAINFLIP_NODE_URL",
  "CHAINFLIP_BROKER_URL",
  "NEAR_INTENTS_URL",
  "provider chainflip",
  "provider near-intents",
]

describe("doctor", () => {
  it.live("finds nothing where everything answers", () =>
    Effect.gen(function* () {
      const { url } = Context.get(yield* Layer.build(Sandbox.layer(defaultOptions)), Sandbox)
      const redis = yield* respServer
      const { code, ill, output, well } = yield* examine({ SANDBOX_URL: url.origin, REDIS_URL: redis.href })
      assert.strictEqual(code, 0, output)
      assert.deepStrictEqual(ill, [])
      assert.deepStrictEqual(well, ["settings", "database", "redis", ...places])
    }).pipe(Effect.scoped))

  it.live("says of everything that is away what to do, and shows no secret", () =>
    Effect.gen(function* () {
      const { code, ill, output, well } = yield* examine({
        ...live,
        CHAINFLIP_BACKEND_URL: "http://127.0.0.1:9/v2",
        CHAINFLIP_NODE_URL: "http://127.0.0.1:9",
        CHAINFLIP_BROKER_URL: "http://127.0.0.1:9/secret-of-the-broker",
        NEAR_INTENTS_URL: "http://127.0.0.1:9",
        REDIS_URL: "redis://:secret-of-redis@127.0.0.1:9",
        DATABASE_URL: "postgres://user:secret-of-postgres@127.0.0.1:9/broker",
      })
      assert.strictEqual(code, 1)
      assert.deepStrictEqual(well, ["settings"])
      assert.deepStrictEqual(ill, ["database", "redis", ...places])
      assert.notInclude(output, "secret")
    }))

  it.live("names every wrong setting, and checks the database all the same", () =>
    Effect.gen(function* () {
      const { code, ill, well } = yield* examine({ PORT: "no", MODE: "dead" })
      assert.strictEqual(code, 1)
      assert.deepStrictEqual(ill, ["settings", "settings"])
      assert.deepStrictEqual(well, ["database"])
    }))
})
