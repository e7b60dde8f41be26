import { Effect } from "effect"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { KeysRepo, OwnedKey } from "../store/accounts/KeysRepo.ts"
import { LastOperator } from "./failures.ts"

/** What must not go: keys that work for ever, where there are any; else all that work for now. */
const toKeep = (operating: ReadonlyArray<OwnedKey>): ReadonlyArray<OwnedKey> => {
  const lasting = operating.filter(({ key }) => key.expiresAt === undefined)
  return lasting.length > 0 ? lasting : operating
}

/**
 * Fails where a change would take the last key with the scope `operate` away that works and has no end: one
 * that expires would leave nobody who can operate the service, only later. Where all of them expire, the last
 * of those stays. Where there is none already, nothing can be made worse.
 */
export const keepAnOperator = (
  keys: KeysRepo["Service"],
  takenAway: (operating: OwnedKey) => boolean,
): Effect.Effect<void, LastOperator | StoreUnavailable> =>
  Effect.gen(function* () {
    const kept = toKeep(yield* keys.operating(yield* currentMillis))
    if (kept.length > 0 && kept.every(takenAway)) return yield* new LastOperator()
  })
