import { assert, describe, it } from "#test/support/it.ts"
import { Effect, type Scope } from "effect"
import { clientOf, openChannel, session, statusOf, temporaryFolder } from "./support.ts"

const main = new URL("../../src/sandbox.ts", import.meta.url).pathname

/** `deno task sandbox` as a process of its own; killed at the end if it still runs. */
const run = (env: Readonly<Record<string, string>>): Effect.Effect<Deno.ChildProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", main],
        // The test runner sets MODE for its own purposes.
        env: { MODE: "sandbox", SANDBOX_PORT: "0", SANDBOX_SPEED: "0", SANDBOX_SEED: "test", ...env },
        stdout: "piped",
        stderr: "piped",
      }).spawn()
    ),
    (process) =>
      Effect.promise(async () => {
        try {
          process.kill("SIGKILL")
        } catch {
          // It has ended by itself.
        }
        await process.status
      }),
  )

/** Reads until the process has said where it listens. */
const urlOf = (process: Deno.ChildProcess): Effect.Effect<URL> =>
  Effect.promise(async () => {
    let said = ""
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      said += text
      const [, url] = /Controls at ([^"\s]+)/.exec(said) ?? []
      if (url !== undefined) return new URL(url)
    }
    throw new Error(`The sandbox never said where it listens: ${said}`)
  })

const statusAfter = (process: Deno.ChildProcess, signal: Deno.Signal) =>
  Effect.promise(() => {
    process.kill(signal)
    return process.status
  })

describe("deno task sandbox", () => {
  it.live("serves until SIGTERM and then ends with 0", function* () {
    const process = yield* run({ DATA_DIR: "memory" })
    const url = yield* urlOf(process)
    assert.strictEqual((yield* clientOf(url).get("/sandbox")).status, 200)
    assert.strictEqual((yield* statusAfter(process, "SIGTERM")).code, 0)
  })

  it.live("keeps what it answered through kill −9", function* () {
    const folder = yield* temporaryFolder
    const process = yield* run({ DATA_DIR: folder, SANDBOX_GENESIS: "2026-07-29T14:04:24Z" })
    const client = clientOf(yield* urlOf(process))
    const channels = yield* Effect.forEach(
      Array.from({ length: 10 }),
      () => openChannel(client),
      { concurrency: "unbounded" },
    )
    yield* statusAfter(process, "SIGKILL")
    const answers = yield* session(
      folder,
      (client) => Effect.forEach(channels, ({ id }) => statusOf(client, id)),
    )
    assert.deepStrictEqual(answers.map(({ status }) => status), channels.map(() => 200))
  })

  it.live("names every setting that does not fit and ends with 1", function* () {
    const process = yield* run({ SANDBOX_PORT: "many", SANDBOX_SPEED: "-1", DATA_DIR: "memory" })
    const { code, stderr } = yield* Effect.promise(() => process.output())
    assert.strictEqual(code, 1)
    const said = new TextDecoder().decode(stderr)
    assert.match(said, /^{"message":"Stopped: The settings do not fit:/)
    assert.match(said, /SANDBOX_PORT must be/)
    assert.match(said, /SANDBOX_SPEED must be/)
  })
})
