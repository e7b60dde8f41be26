import { PGlite } from "@electric-sql/pglite"
import { parentPort, workerData } from "node:worker_threads"
import { initDbStartParams, type NewDatabase, startParams } from "./engine.ts"

/*
 * The program of a worker that creates a database in a given folder, and reports when it is complete. Creating one
 * takes over 300 MB that an engine never frees; they go with the worker.
 */
const { dataDir, pgliteWasmModule }: NewDatabase = workerData
const database = await PGlite.create({ dataDir, pgliteWasmModule, startParams, initDbStartParams })
await database.close()
parentPort?.postMessage("made")
