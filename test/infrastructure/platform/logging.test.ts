import { assert, describe, it } from "#test/support/it.ts"
import { Cause, Effect } from "effect"
import { TimedOut } from "#domain/ProviderError.ts"
import { TestConsole } from "effect/testing"
import { logging } from "#infrastructure/platform/logging.ts"
import { type Environment, readFrom } from "#test/infrastructure/config/read.ts"

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
  yield* Effect.provide(everyLevel, logging(settings.log))
  return [...yield* TestConsole.logLines, ...yield* TestConsole.errorLines].map(String)
})

describe("logging", () => {
  it.effect.each(levels)("writes from level %s on", function* (level) {
    const lines = yield* written({ LOG_FORMAT: "json", LOG_LEVEL: level })
    assert.deepStrictEqual(lines.map((line) => JSON.parse(line).message), levels.slice(levels.indexOf(level)))
  })

  it.effect("writes nothing at level none", function* () {
    assert.isEmpty(yield* written({ LOG_FORMAT: "json", LOG_LEVEL: "none" }))
  })

  it.effect("leaves out of a line what has nothing in it", function* () {
    const settings = yield* readFrom({ LOG_FORMAT: "json" })
    yield* Effect.provide(Effect.logInfo("a sentence"), logging(settings.log))
    const [line] = yield* TestConsole.logLines
    const { level, message, ...others } = JSON.parse(String(line))
    assert.deepStrictEqual({ level, message }, { level: "INFO", message: "a sentence" })
    assert.notInclude(JSON.stringify(others), "{}")
    assert.notProperty(others, "annotations")
    assert.notProperty(others, "spans")
  })

  it.effect("has a string for the message of each line, and beside it what was logged with it", function* () {
    const settings = yield* readFrom({ LOG_FORMAT: "json" })
    const failure = new TimedOut({ detail: "no answer", reached: true })
    yield* Effect.all([
      Effect.logInfo("a sentence"),
      Effect.logWarning("a sentence", failure, { amount: ["is required"] }),
      Effect.logInfo("two", "sentences"),
      Effect.logInfo({ amount: 1 }),
      Effect.logInfo(["a list"]),
      Effect.logInfo(),
      Effect.logError("a cause", Cause.fail("gone")),
    ]).pipe(Effect.annotateLogs({ swap: 7 }), Effect.provide(logging(settings.log)))
    const lines = [...yield* TestConsole.logLines, ...yield* TestConsole.errorLines]
      .map((line) => JSON.parse(String(line)))
    assert.deepStrictEqual(lines.map(({ message }) => message), [
      "a sentence",
      "a sentence",
      "two sentences",
      "",
      "a list",
      "",
      "a cause",
    ])
    const [plain, detailed, , object] = lines
    assert.notProperty(plain, "details")
    assert.deepInclude(detailed.details[0], { detail: "no answer", reached: true })
    assert.deepStrictEqual(detailed.details[1], { amount: ["is required"] })
    assert.deepStrictEqual(object.details, [{ amount: 1 }])
    for (const { annotations } of lines) assert.deepStrictEqual(annotations, { swap: 7 })
  })

  it.effect("writes lines for people where that is wanted", function* () {
    const lines = yield* written({ LOG_FORMAT: "pretty", LOG_LEVEL: "fatal" })
    assert.include(lines.join("\n"), "fatal")
    assert.throws(() => JSON.parse(lines.join("\n")))
  })
})
