import { PGlite } from "@electric-sql/pglite"
import { createRequire } from "node:module"

/*
 * Start options of the embedded database's engine. This module imports nothing but the engine, because the worker that
 * makes a new database has to load every import.
 */

/**
 * Pages that the engine keeps in its memory, which it takes at the start. Its own 128 MiB are for a server with many
 * clients; here the system keeps the same pages once more. It saves 100 MB of resident memory and a part of the start.
 */
const sharedBuffers = "shared_buffers=32MB"

/** WAL segments of 1 MiB instead of 16: a new database is made faster and takes half the space. */
export const initDbStartParams = ["--wal-segsize=1", "--set", sharedBuffers]

/** The library's own start parameters, with the size above for databases that were made with another. */
export const startParams = [...PGlite.defaultStartParams, "-c", sharedBuffers]

/** The option with which the engine waits for the disk nowhere; the library sets it. */
const neverWaits = "-F"

/** The engine's usual way to wait, `fdatasync`, does nothing in this build. */
export const waitsForDisk = [
  ...startParams.filter((parameter) => parameter !== neverWaits),
  "-c",
  "wal_sync_method=fsync",
]

/** The engine's program, compiled once for both the worker that makes a database and this process. */
export const compileEngine = async (): Promise<WebAssembly.Module> => {
  const library = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  return await WebAssembly.compile(await Deno.readFile(library.replace(/[^/\\]*$/, "pglite.wasm")))
}

/** The input of the worker that makes a database. */
export interface NewDatabase {
  readonly dataDir: string
  readonly pgliteWasmModule: WebAssembly.Module
}
