import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import config from "../../../deno.json" with { type: "json" }
import { binaryProgram, runFile } from "#test/support/process.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"

const ran = (words: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const process = yield* binaryProgram(words, environment)
    const { code } = yield* process.ended
    return { code, output: process.output() }
  }).pipe(Effect.scoped)

/** What a program may do with settings, by the permissions that the binary has. */
const permissionsOf = (program: string, environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const words = ["run", "--quiet", "-P=binary", "--config", `${Deno.cwd()}/deno.json`]
    const process = yield* runFile({
      file: Deno.execPath(),
      folder: yield* temporaryFolder,
      environment: { DENO_DIR: yield* temporaryFolder, ...environment },
    }, [...words, new URL("narrowed.ts", import.meta.url).pathname, program])
    yield* process.ended
    return process.output().trim()
  }).pipe(Effect.scoped)

describe("the program of the one binary", () => {
  it.live("says which programs it has, and refuses what it does not know", function* () {
    const [nothing, help, wrong, tooMany] = yield* Effect.all(
      [[], ["--help"], ["strat"], ["start", "now"]].map((words) => ran(words)),
      { concurrency: 2 },
    )
    assert.strictEqual(nothing?.code, 0)
    assert.match(
      nothing?.output ?? "",
      /swap-broker start .*\n.*swap-broker sandbox .*\n.*swap-broker cli COMMAND/,
    )
    assert.strictEqual(help?.output, nothing?.output)
    assert.strictEqual(wrong?.code, 2)
    assert.include(wrong?.output ?? "", 'There is no program "strat"')
    assert.strictEqual(tooMany?.code, 2)
    assert.include(tooMany?.output ?? "", "start takes no arguments")
  })

  it.live("says why no service lives where none listens, or where a setting cannot be read", function* () {
    const nobody = yield* ran(["healthy"], { PORT: "9" })
    assert.strictEqual(nobody.code, 1)
    assert.include(nobody.output, "http://127.0.0.1:9/livez does not answer")
    const twice = yield* ran(["healthy"], { PORT: "9", PORT_FILE: "/dev/null" })
    assert.strictEqual(twice.code, 1)
    assert.include(twice.output, "PORT and PORT_FILE are both set")
  })

  it.live("hands the operator's commands their words, and ends as they end", function* () {
    const { code, output } = yield* ran(["cli", "keys", "revoke"], { DATA_DIR: "memory" })
    assert.strictEqual(code, 2)
    assert.match(output, /^Missing .*key/i)
  })

  it.live("starts the service, which stops as it should", () =>
    Effect.gen(function* () {
      const settings = {
        PORT: "0",
        DATA_DIR: yield* preparedFolder,
        DRAIN_DELAY: "0 millis",
        LOG_FORMAT: "json",
      }
      const process = yield* binaryProgram(["start"], settings)
      yield* Effect.repeat(Effect.sleep("50 millis"), {
        until: () => process.output().includes("Listening on "),
      })
      yield* process.kill("SIGTERM")
      const { code } = yield* process.ended
      assert.strictEqual(code, 0)
      assert.include(process.output(), "API key (shown only now): sbk_")
    }).pipe(Effect.scoped))

  it.live("may never run programs or load libraries, and writes only where something is kept", function* () {
    assert.notProperty(config.permissions.binary, "run")
    assert.notProperty(config.permissions.binary, "ffi")
    const onServer = { MODE: "live", DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" }
    assert.strictEqual(yield* permissionsOf("service", {}), "net env read write")
    assert.strictEqual(yield* permissionsOf("service", onServer), "net env read")
    assert.strictEqual(yield* permissionsOf("sandbox", { DATA_DIR: "memory" }), "net env read")
  })
})
