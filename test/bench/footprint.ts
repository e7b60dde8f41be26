import { Effect } from "effect"
import type { RunningService } from "#test/support/process.ts"
import { until } from "./until.ts"

/** What a process holds. */
export interface Footprint {
  /** Sockets among them. */
  readonly openFiles: number
  /** Of its heap once all garbage is collected: what it has of the machine is several times that, as luck has it. */
  readonly heapMegabytes: number
}

const megabyte = 1_024 ** 2

const heaps = (output: string): ReadonlyArray<number> =>
  [...output.matchAll(/heapInUse=(\d+)/g)].map(([, bytes]) => Number(bytes))

/** Of a service that `weighedService.ts` runs. */
export const footprint = async ({ kill, output, pid }: RunningService): Promise<Footprint> => {
  const said = heaps(output()).length
  await Effect.runPromise(kill("SIGUSR2"))
  await until(() => heaps(output()).length > said)
  const heap = heaps(output()).at(-1)
  if (heap === undefined) throw new Error(`The process ${pid} did not say what it holds`)
  return {
    openFiles: (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length,
    heapMegabytes: heap / megabyte,
  }
}
