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

/** The size of a tar's blocks: a file is one that describes it, and as many as its content needs. */
const block = 512

/** Writes what is in the tar of a database into a folder. */
export const unpack = async (image: Blob, folder: string): Promise<void> => {
  const tar = new Uint8Array(await image.arrayBuffer())
  const text = (from: number, length: number) =>
    new TextDecoder().decode(tar.subarray(from, from + length)).replace(/\0.*/s, "")
  for (let at = 0; tar[at]; at += block) {
    const path = `${folder}/${text(at, 100)}`
    const isFolder = text(at + 156, 1) === "5"
    const size = isFolder ? 0 : Number.parseInt(text(at + 124, 12), 8)
    if (isFolder) Deno.mkdirSync(path, { recursive: true })
    else Deno.writeFileSync(path, tar.subarray(at + block, at + block + size))
    at += Math.ceil(size / block) * block
  }
}
