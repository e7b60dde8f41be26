import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"

/*
 * New embedded databases are copies of one that has its tables and nothing in them: creating one takes the engine
 * seconds, and over 300 MB that it never frees. `deno task image` writes the copy; what it lacks of later changes, the
 * migrations add.
 */

const decompress = promisify(brotliDecompress)

/** A tar of the files of an empty database, which was closed. */
export const emptyDatabase = async (): Promise<Blob> =>
  new Blob([
    new Uint8Array(await decompress(await Deno.readFile(new URL("./empty.tar.br", import.meta.url)))),
  ])
