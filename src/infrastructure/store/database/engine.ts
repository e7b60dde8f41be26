import { PGlite } from "@electric-sql/pglite"

/*
 * Start options of the embedded database's engine.
 */

/**
 * The memory for pages, which the engine takes at the start. Its own 128 MiB are for a server with many clients; here
 * the system keeps the same pages once more. This saves 100 MB of resident memory and a part of the start.
 */
export const sharedBuffers = "shared_buffers=32MB"

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
