/**
 * The service, which on SIGUSR2 says what its runtime holds, and on SIGWINCH writes all of its heap into a file of
 * `SOAK_SNAPSHOTS`.
 */
import { setFlagsFromString, writeHeapSnapshot } from "node:v8"
import { runInNewContext } from "node:vm"

Deno.addSignalListener("SIGUSR2", () => {
  console.log(`"level":"INFO" memory=${JSON.stringify(Deno.memoryUsage())}`)
})
const folder = Deno.env.get("SOAK_SNAPSHOTS")
let number = 0
Deno.addSignalListener("SIGWINCH", () => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  if (folder !== undefined) writeHeapSnapshot(`${folder}/${number += 1}.heapsnapshot`)
  console.log(`"level":"INFO" collected=${JSON.stringify(Deno.memoryUsage())}`)
})
await import("../../../src/main.ts")
