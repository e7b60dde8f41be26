import { Array, Context, Duration, Effect, Layer } from "effect"
import type { StoreEffect } from "#domain/StoreError.ts"
import type { NoticeKind, SwapNotice } from "#domain/swaps/SwapEvent.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { surviving } from "#infrastructure/platform/outages.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { NoticesRepo } from "#infrastructure/store/swaps/NoticesRepo.ts"

/** The interval of writes, and with it of those of one swap and kind. */
const writeEvery = Duration.minutes(1)

/** The most that are written in an interval, and at once: reading all events again and again costs no more. */
const mostKept = 5_000
const atOnce = 1_000

/** What was shown of swaps, recorded in the background: a lost record changes nothing that anybody is shown. */
export class Notices extends Context.Service<Notices, {
  /** Notes that something was shown now; `times`: 0 where it only goes on being shown. Waits for nothing. */
  readonly note: (swap: SwapRecordId, kind: NoticeKind, times?: 0 | 1) => Effect.Effect<void>
  /** What is recorded of a swap, the latest first. Another replica's last minute is missing. */
  readonly of: (swap: SwapRecordId) => StoreEffect<ReadonlyArray<SwapNotice>>
}>()("swap-broker/events/Notices") {
  static readonly layer = Layer.effect(Notices)(Effect.gen(function* () {
    const repo = yield* NoticesRepo
    const kept = new Map<string, SwapNotice>()

    /** Writes what is kept of one swap, or of all. */
    const write = (swap?: SwapRecordId) =>
      Effect.suspend(() => {
        const written = [...kept].filter(([, { swapId }]) => swap === undefined || swapId === swap)
        for (const [key] of written) kept.delete(key)
        const chunks = Array.chunksOf(written.map(([, notice]) => notice), atOnce)
        return Effect.forEach(chunks, repo.add, { discard: true })
      }).pipe(surviving("Recording what was shown of swaps failed", { usesDatabase: false }))
    yield* Effect.addFinalizer(() => write())
    yield* Effect.forkScoped(Effect.forever(Effect.delay(write(), writeEvery)))

    const note = Effect.fnUntraced(function* (swapId: SwapRecordId, kind: NoticeKind, times: 0 | 1 = 1) {
      const now = yield* currentMillis
      const key = `${swapId} ${kind}`
      const before = kept.get(key) ?? { swapId, kind, firstAt: now, times: 0 }
      if (kept.size >= mostKept && !kept.has(key)) {
        return yield* warnSparsely(
          "notices",
          1,
          `More than ${mostKept} notices in a minute; one is not recorded`,
        )
      }
      kept.set(key, { ...before, lastAt: now, times: before.times + times })
    })

    return Notices.of({ note, of: (swap) => Effect.andThen(write(swap), repo.of(swap)) })
  }))
}
