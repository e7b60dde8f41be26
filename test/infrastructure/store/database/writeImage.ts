import { Effect } from "effect"
import { brotliCompressSync, constants } from "node:zlib"
import { fromNothing } from "./support/fromNothing.ts"

/** `deno task image`: writes the empty database anew that new embedded databases begin as. */

/** Without the patterns of new databases, as nobody makes one there, it has a third of the files. */
const shorten = [
  "UPDATE pg_database SET datistemplate = false",
  "DROP DATABASE template0",
  "DROP DATABASE template1",
  "VACUUM (FREEZE, ANALYZE)",
  "CHECKPOINT",
]

const folder = await Deno.makeTempDir()
await Effect.gen(function* () {
  const database = yield* fromNothing(folder)
  yield* Effect.forEach(shorten, (statement) => Effect.promise(() => database.exec(statement)))
}).pipe(Effect.scoped, Effect.runPromise)

const names = Array.from(Deno.readDirSync(folder), ({ name }) => name)
const tar = new Deno.Command("tar", {
  args: ["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", ...names],
  cwd: folder,
})
const { stdout } = await tar.output()
await Deno.remove(folder, { recursive: true })
const params = {
  [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
  // The window is the whole: half of what is in there is in there twice.
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
}
await Deno.writeFile(
  new URL("../../../../src/infrastructure/store/database/empty.tar.br", import.meta.url),
  brotliCompressSync(stdout, { params }),
)
