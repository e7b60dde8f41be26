import { Hex } from "effect/encoding"
import type { Account } from "../domain/Account.ts"

/** For how long an account is taken as found: a change of it, or of its keys, is followed within this time. */
const knownMillis = 1_000

/**
 * The accounts that keys were lately found to belong to, so that a busy caller does not cost a look into the
 * database for every request. Keys that belong to nobody are never kept: a new one works at once.
 */
export class KnownKeys {
  readonly #known = new Map<string, { readonly account: Account; readonly foundAt: number }>()

  /** The account of the key with this hash, if it was found in the last second; `now` in milliseconds. */
  find(keyHash: Uint8Array, now: number): Account | undefined {
    const known = this.#known.get(Hex.encode(keyHash))
    // Both ways, for a clock that was set back.
    return known !== undefined && Math.abs(now - known.foundAt) < knownMillis ? known.account : undefined
  }

  /** Remembers what the database said, and forgets what is too old. */
  add(keyHash: Uint8Array, account: Account, now: number): void {
    for (const [hash, { foundAt }] of this.#known) {
      if (Math.abs(now - foundAt) >= knownMillis) this.#known.delete(hash)
    }
    this.#known.set(Hex.encode(keyHash), { account, foundAt: now })
  }
}
