import { Buffer } from "node:buffer"
import { dirname } from "node:path"

/*
 * A folder as a tar (the form "ustar"), of which no more than a piece is in memory, however large it is. Only files and
 * folders are in it: that is all that a database has.
 */

/** The size of a tar's blocks: a file is one that describes it, and as many as its content needs. */
const block = 512

/** The bytes that are read and written at a time. */
const piece = 256 * 1024

/** Where the parts of a block that describes a file stand in it, and their lengths. */
const parts = {
  name: [0, 100],
  mode: [100, 8],
  size: [124, 12],
  time: [136, 12],
  sum: [148, 8],
  kind: [156, 1],
  form: [257, 8],
} as const

type Part = keyof typeof parts

const kinds = { file: "0", folder: "5" } as const

const octal = (value: number, [, length]: readonly [number, number]): string =>
  value.toString(8).padStart(length - 1, "0")

/** The sum of a block's bytes, its own place counted as spaces. */
const sumOf = (header: Uint8Array): number => {
  const [from, length] = parts.sum
  return header.reduce((sum, byte, at) => sum + (at >= from && at < from + length ? 0x20 : byte), 0)
}

const headerOf = (name: string, kind: keyof typeof kinds, size: number): Uint8Array => {
  const header = Buffer.alloc(block)
  const put = (part: Part, text: string) => header.write(text, parts[part][0], "latin1")
  put("name", name)
  put("mode", octal(kind === "folder" ? 0o700 : 0o600, parts.mode))
  put("size", octal(size, parts.size))
  put("time", octal(Math.floor(Date.now() / 1_000), parts.time))
  put("kind", kinds[kind])
  put("form", "ustar\x0000")
  put("sum", octal(sumOf(header), parts.sum))
  return header
}

/** What fills a file's last block. */
const rest = (size: number): Uint8Array => new Uint8Array((block - size % block) % block)

/** A file of the folder, open; none where it was removed since it was listed, which is no fault. */
const opened = async (path: string): Promise<Deno.FsFile | undefined> => {
  try {
    return await Deno.open(path)
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined
    throw error
  }
}

async function* packFile(folder: string, name: string): AsyncGenerator<Uint8Array> {
  using file = await opened(`${folder}/${name}`)
  if (file === undefined) return
  const { size } = await file.stat()
  yield headerOf(name, "file", size)
  // A file may grow or shrink meanwhile: what is packed is as long as was said, with zeros where there is no more.
  for (let left = size; left > 0;) {
    const bytes = new Uint8Array(Math.min(piece, left))
    const count = await file.read(bytes)
    yield count === null ? bytes : bytes.subarray(0, count)
    left -= count ?? bytes.length
  }
  yield rest(size)
}

/** The folders and files below a place of a folder, each folder before what is in it. */
async function* namesIn(
  folder: string,
  below: string,
): AsyncGenerator<{ readonly name: string; readonly isFolder: boolean }> {
  const entries = await Array.fromAsync(Deno.readDir(`${folder}/${below}`))
  for (const { isDirectory, isFile, name: last } of entries) {
    const name = below === "" ? last : `${below}/${last}`
    if (isDirectory || isFile) yield { name, isFolder: isDirectory }
    if (isDirectory) yield* namesIn(folder, name)
  }
}

/** The tar of a folder in use: the file `first` is read first, the folder `last` after all else. */
export async function* pack(
  folder: string,
  { first, last }: { readonly first: string; readonly last: string },
): AsyncGenerator<Uint8Array> {
  const folderOfFirst = dirname(first)
  yield headerOf(folderOfFirst, "folder", 0)
  yield* packFile(folder, first)
  const isLast = (name: string) => name.startsWith(`${last}/`)
  const packAll = async function* (below: string, isNow: (name: string) => boolean) {
    for await (const { isFolder, name } of namesIn(folder, below)) {
      if (name === first || name === folderOfFirst || !isNow(name)) continue
      if (isFolder) yield headerOf(name, "folder", 0)
      else yield* packFile(folder, name)
    }
  }
  yield* packAll("", (name) => !isLast(name))
  yield* packAll(last, isLast)
  yield new Uint8Array(2 * block)
}

/** The bytes of a stream, as many as are asked for at a time. */
class Pieces {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #left: Uint8Array = new Uint8Array()

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** The next bytes, at least one and at most so many. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#left.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) throw new Error("it is cut off")
      this.#left = value
    }
    const given = this.#left.subarray(0, most)
    this.#left = this.#left.subarray(given.length)
    return given
  }

  /** The next bytes, exactly so many. */
  async exactly(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count)
    for (let at = 0; at < count;) {
      const some = await this.some(count - at)
      bytes.set(some, at)
      at += some.length
    }
    return bytes
  }

  /** Reads what is left to its end, so that what stands behind the stream has checked all of it. */
  async finish(): Promise<void> {
    while (!(await this.#reader.read()).done);
  }
}

/** A name that stays below the folder. */
const checkedName = (name: string): string => {
  const steps = name.split("/")
  if (name === "" || steps.includes("..") || /[\0\\]/.test(name)) throw new Error(`it has a file "${name}"`)
  return name
}

/** Writes what is in a tar into a new folder. Fails if it is no tar, is cut off, or has what no database has. */
export const unpack = async (tar: ReadableStream<Uint8Array>, folder: string): Promise<void> => {
  const pieces = new Pieces(tar)
  while (true) {
    const header = Buffer.from(await pieces.exactly(block))
    if (header.every((byte) => byte === 0)) return await pieces.finish()
    const text = (part: Part): string => {
      const [from, length] = parts[part]
      return header.toString("utf8", from, from + length).replace(/\0.*/s, "").trim()
    }
    if (Number.parseInt(text("sum"), 8) !== sumOf(header)) throw new Error("it is no tar")
    const path = `${folder}/${checkedName(text("name"))}`
    if (text("kind") === kinds.folder) {
      Deno.mkdirSync(path, { recursive: true })
      continue
    }
    if (text("kind") !== kinds.file) {
      throw new Error(`it has "${text("name")}", which is neither file nor folder`)
    }
    const size = Number.parseInt(text("size"), 8)
    if (!Number.isSafeInteger(size) || size < 0) throw new Error(`it has "${text("name")}" of no size`)
    using file = Deno.openSync(path, { write: true, createNew: true })
    for (let left = size; left > 0;) {
      const bytes = await pieces.some(left)
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at))
      left -= bytes.length
    }
    if (size % block > 0) await pieces.exactly(block - size % block)
  }
}
