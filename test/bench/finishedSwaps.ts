import { Effect } from "effect"
import { byId, deposit, openByPost, travel } from "../durability/client.ts"
import { eventually } from "../durability/eventually.ts"
import { plans } from "../durability/swaps.ts"
import { startService } from "../support/process.ts"

const [plan] = plans

/** Longer than any channel lives. */
const dayAndAHalf = 36 * 3_600

/** Fills a folder with swaps that can no longer change, and gives their ids. */
export const makeFinishedSwaps = Effect.fnUntraced(function* (folder: string, count: number) {
  const service = yield* startService({
    DATA_DIR: folder,
    SANDBOX_SPEED: "600",
    TRACKER_INTERVAL: "100 millis",
  })
  const ids = yield* Effect.forEach(
    Array.from({ length: count }),
    () =>
      Effect.gen(function* () {
        const { address, id } = yield* openByPost(service, plan.parameters)
        yield* deposit(service, address, plan.amount)
        return id
      }),
    { concurrency: 4 },
  )
  yield* travel(service, dayAndAHalf)
  for (const id of ids) {
    yield* eventually(
      byId(service, id),
      ({ status }) => status.state === "completed" && status.depositChannel.isExpired,
    )
  }
  yield* service.kill("SIGTERM")
  yield* service.ended
  return ids
}, Effect.scoped)
