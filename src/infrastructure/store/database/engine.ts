import { PGlite } from "@electric-sql/pglite"

/*
 * Start options of the embedded database's engine.
 */

/** The engine's memory for pages. Its default of 128 MiB is for many clients; this saves 100 MB and start time. */
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
