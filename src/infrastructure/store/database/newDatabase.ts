import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"

/*
 * New embedded databases are copies of one that has its tables and nothing in them: creating one takes the engine
 * seconds, and over 300 MB that it never frees. `deno task image` writes the copy; what it lacks of later changes, the
 * migrations add.
 */

const decompress = promisify(brotliDecompress)

const image = new URL("./empty.tar.br", import.meta.url)

/** The bytes of the copy: beside this file in a checkout and in the one binary, on the registry in a package. */
const packed = async (): Promise<Uint8Array> =>
  image.protocol === "file:" ? await Deno.readFile(image) : await (await fetch(image)).bytes()

/** A tar of the files of an empty database, which was closed. */
export const emptyDatabase = async (): Promise<Blob> =>
  new Blob([new Uint8Array(await decompress(await packed()))])
