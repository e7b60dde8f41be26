import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestConsole } from "effect/testing"
import { logging } from "../../src/app/logging.ts"
import { type Environment, readFrom } from "../config/read.ts"

const levels = ["trace", "debug", "info", "warn", "error", "fatal"] as const

const everyLevel = Effect.all([
  Effect.logTrace("trace"),
  Effect.logDebug("debug"),
  Effect.logInfo("info"),
  Effect.logWarning("warn"),
  Effect.logError("error"),
  Effect.logFatal("fatal"),
])

/** What is written when something is logged on every level. */
const written = Effect.fnUntraced(function* (env: Environment) {
  const settings = yield* readFrom(env)
  yield* Effect.provide(everyLevel, logging(settings))
  return [...yield* TestConsole.logLines, ...yield* TestConsole.errorLines].map(String)
})

describe("logging", () => {
  it.effect.each(levels)("writes from level %s on", (level) =>
    Effect.gen(function* () {
      const lines = yield* written({ LOG_FORMAT: "json", LOG_LEVEL: level })
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line).message),
        levels.slice(levels.indexOf(level)),
      )
    }))

  it.effect("writes nothing at level none", () =>
    Effect.gen(function* () {
      assert.isEmpty(yield* written({ LOG_FORMAT: "json", LOG_LEVEL: "none" }))
    }))

  it.effect("writes lines for people where that is wanted", () =>
    Effect.gen(function* () {
      const lines = yield* written({ LOG_FORMAT: "pretty", LOG_LEVEL: "fatal" })
      assert.include(lines.join("\n"), "fatal")
      assert.throws(() => JSON.parse(lines.join("\n")))
    }))
})
