import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { pack, unpack } from "#infrastructure/store/database/archive.ts"
import { folderInMemory } from "#test/support/folder.ts"

const order = { first: "global/control", last: "log" }

/** Files by their names; one is longer than what is read at a time, one as long as a block. */
const contents: Readonly<Record<string, Uint8Array>> = {
  "version": new TextEncoder().encode("18\n"),
  "global/control": crypto.getRandomValues(new Uint8Array(512)),
  "base/1/2": new Uint8Array(600_000).map((_, at) => at % 251),
  "base/empty": new Uint8Array(),
  "log/1": new Uint8Array(1_000).fill(7),
}

const filled = Effect.gen(function* () {
  const folder = yield* folderInMemory
  yield* Effect.promise(async () => {
    for (const below of ["global", "base/1", "log/summaries"]) {
      await Deno.mkdir(`${folder}/${below}`, { recursive: true })
    }
    for (const [name, bytes] of Object.entries(contents)) await Deno.writeFile(`${folder}/${name}`, bytes)
  })
  return folder
})

const packed = (folder: string) =>
  Effect.promise(async () =>
    new Uint8Array(await new Response(ReadableStream.from(pack(folder, order))).arrayBuffer())
  )

const unpacked = (tar: Uint8Array<ArrayBuffer>, folder: string) =>
  Effect.tryPromise({ try: () => unpack(new Blob([tar]).stream(), folder), catch: (error) => `${error}` })

/** The names in a tar, in their order. */
const namesIn = (tar: Uint8Array): ReadonlyArray<string> => {
  const names: Array<string> = []
  const text = (from: number, to: number) =>
    new TextDecoder().decode(tar.subarray(from, to)).replace(/\0.*/s, "")
  for (let at = 0; tar[at] !== 0 && at < tar.length;) {
    names.push(text(at, at + 100))
    at += 512 * (1 + Math.ceil(Number.parseInt(text(at + 124, at + 136), 8) / 512))
  }
  return names
}

describe("the tar of a folder", () => {
  it.live("brings every file and folder back, with what is to be first at the start and the last at the end", function* () {
    const tar = yield* packed(yield* filled)
    const names = namesIn(tar)
    assert.deepStrictEqual(names.slice(0, 2), ["global", "global/control"])
    assert.deepStrictEqual(names.slice(-2).toSorted(), ["log/1", "log/summaries"])
    const folder = yield* folderInMemory
    yield* unpacked(tar, folder)
    for (const [name, bytes] of Object.entries(contents)) {
      assert.deepStrictEqual(Deno.readFileSync(`${folder}/${name}`), bytes, name)
    }
    assert.isTrue(Deno.statSync(`${folder}/log/summaries`).isDirectory)
  })

  it.live("is refused where it is cut off, spoiled, or would write elsewhere", function* () {
    const tar = yield* packed(yield* filled)
    const refused = (bytes: Uint8Array<ArrayBuffer>) =>
      Effect.flatMap(folderInMemory, (folder) => Effect.flip(unpacked(bytes, folder)))
    assert.include(yield* refused(tar.slice(0, tar.length - 1_024)), "cut off")
    assert.include(yield* refused(tar.slice(0, 700)), "cut off")
    assert.include(yield* refused(new TextEncoder().encode("no tar".repeat(200))), "no tar")
    /** With another first member, whose sum is right. */
    const changed = (at: number, text: string) => {
      const bytes = tar.slice()
      bytes.set(new TextEncoder().encode(text), at)
      const sum = bytes.subarray(0, 512).reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 32 : byte), 0)
      bytes.set(new TextEncoder().encode(sum.toString(8).padStart(7, "0")), 148)
      return bytes
    }
    assert.include(yield* refused(changed(0, "../../evil\0")), 'a file "../../evil"')
    assert.include(yield* refused(changed(156, "2")), "neither file nor folder")
  })
})
