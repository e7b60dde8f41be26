import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Latch } from "effect"
import { join } from "node:path"
import { withFile, writeNewFile } from "#infrastructure/platform/newFile.ts"
import { temporaryFolder } from "#test/support/folder.ts"

describe("a new file", () => {
  it.effect("is that of one writer, whole, when several write it at once", function* () {
    const folder = yield* temporaryFolder
    const path = join(folder, "new")
    const open = yield* Latch.make()
    let waiting = 0
    const write = (text: string) =>
      writeNewFile(path, (file) =>
        Effect.gen(function* () {
          if (++waiting === 3) yield* open.open
          yield* open.await
          yield* withFile(path, () => file.write(new TextEncoder().encode(text)))
          return text
        })).pipe(Effect.catchTag("FileExists", () => Effect.succeed("exists")))
    const ends = yield* Effect.forEach(["one", "another", "the third one"], write, {
      concurrency: "unbounded",
    })
    const written = ends.filter((end) => end !== "exists")
    assert.deepStrictEqual(written, [Deno.readTextFileSync(path)])
    assert.deepStrictEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["new"])
  })
})
