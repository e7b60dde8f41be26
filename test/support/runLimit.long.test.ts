import { assert, describe, it } from "./it.ts"
import { Effect } from "effect"
import { temporaryFolder } from "./folder.ts"

/** Notes its process, and then gives no other work a turn; as it sleeps, other processes of the run have theirs. */
const endless = `it("never ends", () => {
  Deno.writeTextFileSync("pid", String(Deno.pid))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

const configOf = (setUp: string) =>
  `export default {
  test: { include: ["*.test.ts"], globals: true, pool: "forks", globalSetup: [${JSON.stringify(setUp)}] },
}`

const runLimit = new URL("./runLimit.ts", import.meta.url).pathname
const root = new URL("../..", import.meta.url).pathname

const isRunning = (pid: number): boolean => {
  try {
    Deno.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe("the limit of a run", () => {
  it.live(
    "ends it with the test that does not end, and ends the test's process",
    function* () {
      const folder = yield* temporaryFolder
      yield* Effect.promise(async () => {
        await Deno.writeTextFile(`${folder}/hanging.test.ts`, endless.replace('"pid"', `"${folder}/pid"`))
        await Deno.writeTextFile(`${folder}/vitest.config.ts`, configOf(runLimit))
      })
      const run = new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "-A",
          "npm:vitest",
          "run",
          "--root",
          folder,
          "--config",
          `${folder}/vitest.config.ts`,
        ],
        cwd: root,
        env: { TEST_LIMIT_MINUTES: "0.08", NO_COLOR: "1" },
        stdout: "null",
        stderr: "piped",
      })
      const { code, stderr } = yield* Effect.promise(() => run.output())
      const said = new TextDecoder().decode(stderr)
      assert.include(said, "The run took longer than 0.08 minutes. Still under way:")
      assert.match(said, /hanging\.test\.ts\n\s+never ends\n/)
      assert.notStrictEqual(code, 0, said)
      const pid = Number(yield* Effect.promise(() => Deno.readTextFile(`${folder}/pid`)))
      assert.isFalse(isRunning(pid))
    },
  )
})
