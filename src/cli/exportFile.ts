import { Effect, Stream } from "effect"
import { FileUnusable, withFile, writeNewFile } from "../platform/newFile.ts"
import { exportRows } from "../store/database/transfer/exportRows.ts"
import { ExportUnreadable } from "../store/database/transfer/format.ts"
import { importRows } from "../store/database/transfer/importRows.ts"

/** Writes everything in the database to a compressed file, lot by lot. */
export const exportTo = (path: string) =>
  writeNewFile(path, (file) =>
    Effect.gen(function* () {
      const { readable, writable } = new CompressionStream("gzip")
      const piped = readable.pipeTo(file.writable)
      // Whoever waits for a write hears of it first.
      piped.catch(() => undefined)
      const writer = writable.getWriter()
      const encoder = new TextEncoder()
      const write = (line: string) => withFile(path, () => writer.write(encoder.encode(`${line}\n`)))
      const counts = yield* exportRows(write)
      yield* withFile(path, () => writer.close())
      yield* withFile(path, () => piped)
      return counts
    }))

const linesOf = (file: Deno.FsFile) =>
  Stream.fromReadableStream({
    evaluate: () => file.readable.pipeThrough(new DecompressionStream("gzip")),
    onError: (cause) => new ExportUnreadable({ reason: `it cannot be decompressed (${cause})` }),
  }).pipe(Stream.decodeText, Stream.splitLines)

/** Reads such a file into the database, lot by lot. */
export const importFrom = (path: string) =>
  Effect.flatMap(
    Effect.tryPromise({ try: () => Deno.open(path), catch: (cause) => new FileUnusable({ path, cause }) }),
    (file) => importRows(linesOf(file)),
  )
