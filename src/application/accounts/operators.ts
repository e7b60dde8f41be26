import { Effect } from "effect"
import type { StoreEffect } from "#domain/StoreError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { KeysRepo, OwnedKey } from "#infrastructure/store/accounts/KeysRepo.ts"
import { LastOperator } from "./failures.ts"

/** The operating keys that must remain: those without an end, if there are any; else all that work for now. */
const toKeep = (operating: ReadonlyArray<OwnedKey>): ReadonlyArray<OwnedKey> => {
  const lasting = operating.filter(({ key }) => key.expiresAt === undefined)
  return lasting.length > 0 ? lasting : operating
}

/** Fails where a change would take away the last `operate` key without an end (else the last of all). */
export const keepAnOperator = (
  keys: KeysRepo["Service"],
  takenAway: (operating: OwnedKey) => boolean,
): StoreEffect<void, LastOperator> =>
  Effect.gen(function* () {
    const kept = toKeep(yield* keys.operating(yield* currentMillis))
    if (kept.length > 0 && kept.every(takenAway)) return yield* new LastOperator()
  })
