import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { unpackingHead } from "#tools/binary/unpacking.ts"
import { temporaryFolder } from "#test/support/folder.ts"
import { runFile } from "#test/support/process.ts"

const hash = "0123456789abcdef"

/** A runtime that says how it was called. */
const runtime = `#!/bin/sh
echo "$*"
echo "cache: $DENO_DIR"
`

/** A file that unpacks itself, with a runtime that stands in for Deno; `part` of its bytes. */
const fileWith = (part: number) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const file = `${folder}/swap-broker`
    yield* Effect.promise(async () => {
      await Deno.writeTextFile(`${folder}/deno`, runtime, { mode: 0o755 })
      const tar = new Deno.Command("tar", { args: ["-cz", `--directory=${folder}`, "deno"] })
      const head = new TextEncoder().encode(unpackingHead({ version: "1", hash, options: ["--an-option"] }))
      const content = (await tar.output()).stdout
      const whole = new Blob([head, content])
      await Deno.writeFile(file, whole.slice(0, whole.size * part).stream(), { mode: 0o755 })
      await Deno.remove(`${folder}/deno`)
    })
    return { file, folder }
  })

/** What a run came to. */
const ran = (
  { file, folder }: { readonly file: string; readonly folder: string },
  environment: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const process = yield* runFile({ file, folder, environment }, words)
    const { code } = yield* process.ended
    return { code, output: process.output() }
  }).pipe(Effect.scoped)

const namesIn = (folder: string) =>
  Effect.promise(() => Array.fromAsync(Deno.readDir(folder), ({ name }) => name))

/** The folder that a user's files are unpacked to. */
const baseIn = (cache: string): string => `${cache}/swap-broker-${Deno.uid()}`

describe("a file that unpacks itself", () => {
  it.live("runs its program with the words that it got, without a path or a home", () =>
    Effect.gen(function* () {
      const made = yield* fileWith(1)
      const cache = `${made.folder}/cache`
      const { code, output } = yield* ran(made, { XDG_CACHE_HOME: cache }, "cli", "two words", "$(false)")
      assert.strictEqual(code, 0, output)
      const place = `${baseIn(cache)}/${hash}`
      const program = `run --an-option --config ${place}/deno.json ${place}/src/tools/binary/main.ts`
      assert.strictEqual(output, `${program} cli two words $(false)\ncache: ${place}/cache\n`)
      const { mode } = yield* Effect.promise(() => Deno.stat(baseIn(cache)))
      assert.strictEqual((mode ?? 0) & 0o777, 0o700)
      const home = yield* ran(made, { HOME: made.folder }, "start")
      assert.include(home.output, `${made.folder}/.cache/swap-broker-`)
    }).pipe(Effect.scoped))

  it.live("unpacks once, also where several start at once, and leaves nothing else", () =>
    Effect.gen(function* () {
      const made = yield* fileWith(1)
      const cache = `${made.folder}/cache`
      const starts = yield* Effect.all(
        Array.from({ length: 12 }, () => ran(made, { XDG_CACHE_HOME: cache }, "start")),
        { concurrency: "unbounded" },
      )
      for (const { code, output } of starts) assert.strictEqual(code, 0, output)
      assert.deepStrictEqual(yield* namesIn(baseIn(cache)), [hash])
      assert.deepStrictEqual(yield* namesIn(`${baseIn(cache)}/${hash}`), ["deno"])
    }).pipe(Effect.scoped))

  it.live("says of a file that is not whole that it is not, and leaves nothing", () =>
    Effect.gen(function* () {
      const made = yield* fileWith(0.95)
      const cache = `${made.folder}/cache`
      const { code, output } = yield* ran(made, { XDG_CACHE_HOME: cache }, "start")
      assert.strictEqual(code, 1)
      assert.match(output, /Cannot unpack to|not whole/)
      assert.deepStrictEqual(yield* namesIn(baseIn(cache)), [])
    }).pipe(Effect.scoped))

  it.live("runs nothing out of a folder that somebody else has made", () =>
    Effect.gen(function* () {
      // Only root can give a folder to somebody else.
      if (Deno.uid() !== 0) return
      const made = yield* fileWith(1)
      const cache = `${made.folder}/cache`
      const place = `${baseIn(cache)}/${hash}`
      yield* Effect.promise(async () => {
        await Deno.mkdir(place, { recursive: true })
        await Deno.writeTextFile(`${place}/deno`, "#!/bin/sh\necho stolen\n", { mode: 0o755 })
        await Deno.chown(baseIn(cache), 65_534, 65_534)
      })
      const { code, output } = yield* ran(made, { XDG_CACHE_HOME: cache }, "start")
      assert.strictEqual(code, 1)
      assert.include(output, "belongs to another user: set XDG_CACHE_HOME")
      assert.notInclude(output, "stolen")
    }).pipe(Effect.scoped))

  it.live("says where it cannot unpack what to set", () =>
    Effect.gen(function* () {
      const made = yield* fileWith(1)
      const { code, output } = yield* ran(made, { XDG_CACHE_HOME: "/proc/nowhere" }, "start")
      assert.strictEqual(code, 1)
      assert.include(output, "set XDG_CACHE_HOME to a folder that can be written")
    }).pipe(Effect.scoped))
})
