import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeFiveCalls } from "#test/readme/fiveCalls.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { type Executable, startFile } from "#test/support/process.ts"
import { temporaryDatabase } from "#test/support/temporaryDatabase.ts"

/*
 * `deno task binary`: makes the binary, and goes from an empty folder to the README's five calls with it alone: no Deno,
 * no path, no home. Then a stop, a second start, kill -9, a third start; with TEST_DATABASE_URL once more on Postgres.
 */

const key = "key-of-the-binary-0123456789"

const make = (file: string) =>
  Effect.promise(async () => {
    const { code } = await new Deno.Command(Deno.execPath(), { args: ["task", "compile", file] }).spawn()
      .status
    assert.strictEqual(code, 0)
  })

const completed = (origin: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${origin}/status-by-id?swapId=1&apiKey=${key}`)
    assert.include(await answer.text(), '"state":"completed"')
  })

/** A start, and how long it took. */
const started = Effect.fnUntraced(function* (executable: Executable, name: string) {
  const begin = performance.now()
  const process = yield* startFile(executable, ["start"])
  console.log(`${name}: listens after ${Math.round(performance.now() - begin)} ms`)
  return process
})

const goThrough = Effect.fnUntraced(function* (executable: Executable, place: string) {
  const first = yield* started(executable, `${place}, first start`)
  yield* makeFiveCalls(first.url.origin, key)
  yield* first.kill("SIGTERM")
  assert.strictEqual((yield* first.ended).code, 0)
  const second = yield* started(executable, `${place}, second start`)
  yield* completed(second.url.origin)
  yield* second.kill("SIGKILL")
  yield* second.ended
  const third = yield* started(executable, `${place}, after kill -9`)
  yield* completed(third.url.origin)
  yield* third.kill("SIGTERM")
  assert.strictEqual((yield* third.ended).code, 0)
})

const program = Effect.gen(function* () {
  const made = yield* temporaryFolder
  const file = `${made}/swap-broker`
  yield* make(file)
  const settings = {
    PORT: "0",
    LOG_FORMAT: "json",
    BOOTSTRAP_API_KEY: key,
    TMPDIR: made,
    XDG_CACHE_HOME: made,
  }
  yield* goThrough({ file, folder: yield* temporaryFolder, environment: settings }, "embedded")
  const server = Deno.env.get("TEST_DATABASE_URL")
  if (server === undefined) return
  const url = yield* temporaryDatabase(server)
  const environment = { ...settings, DATABASE_URL: url }
  yield* goThrough({ file, folder: yield* temporaryFolder, environment }, "Postgres")
})

await Effect.runPromise(Effect.scoped(program))
