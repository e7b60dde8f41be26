import { Effect } from "effect"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import type { KeysRepo, OwnedKey } from "../store/KeysRepo.ts"
import { LastOperator } from "./failures.ts"

/**
 * Fails where a change would take the last working key with the scope `operate` away. Where there is none
 * already, nothing can be made worse.
 */
export const keepAnOperator = (
  keys: KeysRepo["Service"],
  takenAway: (operating: OwnedKey) => boolean,
): Effect.Effect<void, LastOperator | StoreUnavailable> =>
  Effect.gen(function* () {
    const operating = yield* keys.operating(yield* currentMillis)
    if (operating.length > 0 && operating.every(takenAway)) return yield* new LastOperator()
  })
