import { Effect } from "effect"
import { copyOf } from "../support/folder.ts"
import { startProgram, startService } from "../support/process.ts"
import { compare } from "./compare.ts"
import { wireForm } from "./Connection.ts"
import { makeFinishedSwaps } from "./finishedSwaps.ts"
import type { Effort, Target } from "./load.ts"

const statusOf = (url: URL, ids: ReadonlyArray<number>, apiKey?: string): Target => ({
  url,
  requests: ids.map((id) => wireForm(new URL(`/status-by-id?swapId=${id}`, url), apiKey)),
})

/**
 * Final records by id through the whole service, beside a hand-written handler with one indexed SELECT
 * through the same SQL client; each on its own copy of the embedded database in the folder.
 */
export const compareStatus = Effect.fnUntraced(function* (effort: Effort, swaps: number, folder: string) {
  const ids = yield* makeFinishedSwaps(folder, swaps)
  const copy = yield* copyOf(folder)
  const service = yield* startService({ DATA_DIR: folder, SANDBOX_SPEED: "0" })
  const byHand = yield* startProgram("test/bench/selectServer.ts", { DATA_DIR: copy })
  const yardstick = { name: "Deno.serve with one SELECT", target: statusOf(byHand.url, ids), leastRatio: 0.5 }
  return yield* Effect.promise(() =>
    compare("status of a final swap by id", statusOf(service.url, ids, service.apiKey), [yardstick], effort)
  )
}, Effect.scoped)
