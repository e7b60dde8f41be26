import { Effect } from "effect"
import type { ListeningProcess } from "#test/support/process.ts"

const said = /^HEAP_IN_USE=(\d+)$/gm

const figures = (process: ListeningProcess): ReadonlyArray<number> =>
  [...process.output().matchAll(said)].map(([, bytes]) => Number(bytes))

/** Bytes of the heap that a `measuredService.ts` has in use once all garbage is collected. */
export const heapOf = Effect.fnUntraced(function* (process: ListeningProcess) {
  const before = figures(process).length
  yield* process.kill("SIGUSR2")
  for (let bytes: number | undefined;; bytes = figures(process)[before]) {
    if (bytes !== undefined) return bytes
    yield* Effect.sleep("20 millis")
  }
})
