import { Duration, Effect } from "effect"
import type { KeyId } from "../domain/Key.ts"
import type { EpochMillis } from "../domain/Time.ts"
import { orWentWrong } from "../platform/orWentWrong.ts"
import type { CallersRepo } from "../store/accounts/CallersRepo.ts"

/** How often uses are written down; of each key at most once a minute (`CallersRepo.used`). */
const writeEvery = Duration.seconds(10)

/**
 * Notes when keys are used, and writes it down in the background: no request waits for that, and none fails
 * by it. What was not written when the process ends is lost.
 */
export const makeKeyUses = Effect.fnUntraced(function* (repo: CallersRepo["Service"]) {
  let uses = new Map<KeyId, EpochMillis>()

  const write = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const written = uses
    uses = new Map()
    return Effect.catch(
      orWentWrong(repo.used(written)),
      (error) => Effect.logDebug("When keys were last used could not be written down", error),
    )
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(write, writeEvery)))

  return (id: KeyId, at: EpochMillis): void => void uses.set(id, at)
})
