import { Effect } from "effect"
import { byId, deposit, openByPost, travel } from "#test/durability/client.ts"
import { eventually } from "#test/durability/eventually.ts"
import { plans } from "#test/durability/swaps.ts"
import { startTask } from "#test/support/process.ts"

const [plan] = plans

/** Longer than any channel lives. */
const dayAndAHalf = 36 * 3_600

/** Ids of swaps. */
export interface StoredSwaps {
  /** Those that can no longer change. */
  readonly ended: ReadonlyArray<number>
  /** Those whose deposit is still waited for. */
  readonly open: ReadonlyArray<number>
}

/** Fills a folder with as many swaps of each kind, by this checkout or another: each has its own form of the files. */
export const makeStoredSwaps = Effect.fnUntraced(
  function* (folder: string, count: number, checkout?: string) {
    const service = yield* startTask({
      DATA_DIR: folder,
      SANDBOX_SPEED: "600",
      TRACKER_INTERVAL: "100 millis",
    }, checkout)
    const ended = yield* Effect.forEach(
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
    for (const id of ended) {
      yield* eventually(
        byId(service, id),
        ({ status }) => status.state === "completed" && status.depositChannel.isExpired,
      )
    }
    const open: Array<number> = []
    for (let made = 0; made < count; made++) open.push((yield* openByPost(service, plan.parameters)).id)
    yield* service.killGroup("SIGTERM")
    yield* service.ended
    return { ended, open } satisfies StoredSwaps
  },
  Effect.scoped,
)
