import { Context, Layer } from "effect"
import { Hex } from "effect/encoding"
import type { Caller } from "../domain/Account.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { KeyMatch } from "../store/accounts/CallersRepo.ts"

/**
 * For how long a caller is taken as found. With the 100 ms for which answers are repeated (http/Repeats), a
 * change or a revocation is followed within a second.
 */
export const knownMillis = 900

/** A look into the database that has begun: what it finds is as old as that. */
export interface KeyLookup {
  readonly begunAt: EpochMillis
  /** How many changes this process had made by then. */
  readonly changes: number
}

interface Known {
  readonly caller: Caller
  readonly foundAt: number
  readonly expiresAt: number
}

// The difference counts in both directions, as a clock may be set back.
const isFresh = ({ foundAt }: Known, now: number): boolean => Math.abs(now - foundAt) < knownMillis

/** Remembers the caller of each key, for a short time. */
export const makeKnownKeys = () => {
  // Callers in the order in which they were remembered, the oldest first.
  const known = new Map<string, Known>()
  let changes = 0

  const forgetOld = (now: number): void => {
    for (const [hash, entry] of known) {
      if (isFresh(entry, now)) break
      known.delete(hash)
    }
  }

  return {
    find: (keyHash: Uint8Array, now: number): Caller | undefined => {
      const entry = known.get(Hex.encode(keyHash))
      return entry !== undefined && isFresh(entry, now) && now < entry.expiresAt ? entry.caller : undefined
    },
    begin: (begunAt: EpochMillis): KeyLookup => ({ begunAt, changes }),
    add: (lookup: KeyLookup, { caller, keyHash, expiresAt }: KeyMatch): void => {
      if (lookup.changes !== changes) return
      forgetOld(lookup.begunAt)
      const hash = Hex.encode(keyHash)
      known.delete(hash)
      known.set(hash, { caller, foundAt: lookup.begunAt, expiresAt: expiresAt ?? Infinity })
    },
    forget: (): void => {
      changes += 1
      known.clear()
    },
  }
}

/**
 * The callers that keys were lately found to belong to, so that a busy one does not cost a look into the
 * database for every request. Keys that belong to nobody are never kept: a new one works at once.
 */
export class CallerCache extends Context.Service<CallerCache, {
  /** Who calls with the key of this hash, if that was found in the last second; `now` in milliseconds. */
  readonly find: (keyHash: Uint8Array, now: number) => Caller | undefined
  /** Must be said before the database is asked. */
  readonly begin: (begunAt: EpochMillis) => KeyLookup
  /** Remembers what the database said, unless this process changed something since it was asked. */
  readonly add: (lookup: KeyLookup, match: KeyMatch) => void
  /** Forgets everybody: this process changed an account, a key or a rule. */
  readonly forget: () => void
}>()("swap-broker/accounts/CallerCache") {
  static readonly layer = Layer.sync(CallerCache, makeKnownKeys)
}
