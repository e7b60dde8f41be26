import { Duration, Effect, Layer } from "effect"
import { missingKeys, namedKey, type RecordKey } from "#domain/swaps/RecordKey.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { RecordKeysRepo } from "../store/ops/RecordKeysRepo.ts"

/** How often it is noted which keys are there: one of case files may be made long after the start. */
const interval = Duration.hours(1)

/** Says at the start which keys the records need that are not there, and notes those that are. */
export const recordKeys = (present: Effect.Effect<ReadonlyArray<RecordKey>>) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const repo = yield* RecordKeysRepo
    const tell = Effect.gen(function* () {
      const missing = missingKeys(yield* repo.needed, yield* present)
      if (missing.length === 0) return
      yield* Effect.logWarning(
        `The records need keys that are not among the settings: ${
          missing.map(namedKey).join(", ")
        }. Set them as ` +
          "where these records come from: without them secrets of webhooks cannot be read, and case files not be " +
          "verified by what this service tells",
      )
    })
    const note = Effect.gen(function* () {
      yield* repo.see(yield* present, yield* currentMillis)
    })
    const orLog = Effect.catch((error: unknown) =>
      Effect.logDebug("The keys of records were not compared", error)
    )
    yield* orLog(tell)
    yield* orLog(note)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(orLog(note), interval)))
  }))
