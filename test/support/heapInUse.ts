import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Bytes of the heap that are in use once all garbage is collected: the process holds several times as much. */
export const heapInUse = (): number => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  const { external, heapUsed } = Deno.memoryUsage()
  return heapUsed + external
}
