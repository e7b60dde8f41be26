import { PGlite } from "@electric-sql/pglite"
import { createRequire } from "node:module"

/*
 * Start options of the embedded database's engine. This module imports only the engine, because the worker that creates
 * a database has to load every import.
 */

/**
 * The memory for pages, which the engine takes at the start. Its own 128 MiB are for a server with many clients; here
 * the system keeps the same pages once more. This saves 100 MB of resident memory and a part of the start.
 */
const sharedBuffers = "shared_buffers=32MB"

/** WAL segments of 1 MiB instead of 16: a new database is created faster and takes half the space. */
export const initDbStartParams = ["--wal-segsize=1", "--set", sharedBuffers]

/** The library's own start parameters, with the memory above also for databases that were created with another. */
export const startParams = [...PGlite.defaultStartParams, "-c", sharedBuffers]

/** The option by which the engine never waits for the disk; the library sets it. */
const neverWaits = "-F"

/** Start parameters that wait for the disk by `fsync`: the engine's usual `fdatasync` does nothing in this build. */
export const waitsForDisk = [
  ...startParams.filter((parameter) => parameter !== neverWaits),
  "-c",
  "wal_sync_method=fsync",
]

/** The engine's program, compiled once for both this process and the worker that creates a database. */
export const compileEngine = async (): Promise<WebAssembly.Module> => {
  const library = createRequire(import.meta.url).resolve("@electric-sql/pglite")
  return await WebAssembly.compile(await Deno.readFile(library.replace(/[^/\\]*$/, "pglite.wasm")))
}

/** The input of the worker that creates a database. */
export interface NewDatabase {
  readonly dataDir: string
  readonly pgliteWasmModule: WebAssembly.Module
}
