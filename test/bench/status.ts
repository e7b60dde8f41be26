import { Effect } from "effect"
import { copyOf, temporaryFolder } from "../durability/folder.ts"
import { startProgram, startService } from "../support/process.ts"
import type { Comparison } from "./Comparison.ts"
import { wireForm } from "./Connection.ts"
import { makeFinishedSwaps } from "./finishedSwaps.ts"
import { compare, type Effort, type Target } from "./load.ts"

const statusOf = (url: URL, ids: ReadonlyArray<number>, apiKey?: string): Target => ({
  url,
  requests: ids.map((id) => wireForm(new URL(`/status-by-id?swapId=${id}`, url), apiKey)),
})

/**
 * Final records by id through the whole service, beside a hand-written handler with one indexed SELECT
 * through the same SQL client; each on its own copy of the same embedded database.
 */
export const compareStatus = Effect.fnUntraced(function* (effort: Effort, swaps: number) {
  const folder = yield* temporaryFolder
  const ids = yield* makeFinishedSwaps(folder, swaps)
  const copy = yield* copyOf(folder)
  const service = yield* startService({ DATA_DIR: folder, SANDBOX_SPEED: "0" })
  const byHand = yield* startProgram("test/bench/selectServer.ts", { DATA_DIR: copy })
  const [ofService, ofHand] = yield* Effect.promise(() =>
    compare(statusOf(service.url, ids, service.apiKey), statusOf(byHand.url, ids), effort)
  )
  const comparison: Comparison = {
    name: "status of a final swap by id",
    service: ofService,
    yardstick: { name: "Deno.serve with one SELECT", ...ofHand },
    ratio: ofService.requestsPerSecond / ofHand.requestsPerSecond,
  }
  return comparison
}, Effect.scoped)
