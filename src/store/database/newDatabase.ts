import { PGlite } from "@electric-sql/pglite"
import { parentPort, workerData } from "node:worker_threads"
import { initDbStartParams, type NewDatabase, startParams } from "./engine.ts"

/*
 * The program of a worker: makes a database in the folder that it is given, and says when it is there. To make one
 * takes over 300 MB that an engine never gives back; with the worker they are gone.
 */
const { dataDir, pgliteWasmModule }: NewDatabase = workerData
const database = await PGlite.create({ dataDir, pgliteWasmModule, startParams, initDbStartParams })
await database.close()
parentPort?.postMessage("made")
