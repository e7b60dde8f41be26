import { Effect } from "effect"
import { copyOf } from "#test/support/folder.ts"
import { startProgram, startService } from "#test/support/process.ts"
import { compare } from "./compare.ts"
import { wireForm } from "./Connection.ts"
import { makeStoredSwaps } from "./storedSwaps.ts"
import type { Effort, Target } from "./load.ts"

const statusOf = (url: URL, ids: ReadonlyArray<number>, apiKey?: string): Target => ({
  url,
  requests: ids.map((id) => wireForm(new URL(`/status-by-id?swapId=${id}`, url), apiKey)),
})

/**
 * Records by id through the whole service, beside a hand-written handler with one indexed SELECT through the same
 * SQL client; each on its own copy of the embedded database in the folder. The service remembers swaps that have
 * ended; one that is open is read from the database each time, as by hand.
 */
export const compareStatus = Effect.fnUntraced(function* (effort: Effort, swaps: number, folder: string) {
  const { ended, open } = yield* makeStoredSwaps(folder, swaps)
  const copy = yield* copyOf(folder)
  const service = yield* startService({
    DATA_DIR: folder,
    SANDBOX_SPEED: "0",
    // So that no look-up at the provider is measured.
    STATUS_MAX_AGE: "1 hour",
    TRACKER_INTERVAL: "1 hour",
  })
  const byHand = yield* startProgram("test/bench/selectServer.ts", { DATA_DIR: copy })
  const beside = (name: string, ids: ReadonlyArray<number>) =>
    compare(
      name,
      statusOf(service.url, ids, service.apiKey),
      [{ name: "Deno.serve with one SELECT", target: statusOf(byHand.url, ids), leastRatio: 0.5 }],
      effort,
    )
  return yield* Effect.promise(async () => [
    ...await beside("status of an ended swap by id", ended),
    ...await beside("status of an open swap by id", open),
  ])
}, Effect.scoped)
