import { Effect } from "effect"
import { Hex } from "effect/encoding"
import { service } from "#infrastructure/platform/service.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import type { EpochMillis } from "#domain/Time.ts"
import type { KeyMatch } from "#infrastructure/store/accounts/CallersRepo.ts"

/** How long a caller is cached, in milliseconds: with http/Repeats, a revocation applies within a second. */
export const knownMillis = 900

/** A look-up in the database that has begun; its result is as old as its beginning. */
export interface KeyLookup {
  readonly begunAt: EpochMillis
  /** The number of changes that this process had made by then. */
  readonly changes: number
}

interface CachedCaller {
  readonly caller: Caller
  readonly foundAt: number
  readonly expiresAt: number
}

// The difference counts in both directions, as a clock may be set back.
const isFresh = ({ foundAt }: CachedCaller, now: number): boolean => Math.abs(now - foundAt) < knownMillis

export const makeKnownKeys = () => {
  // Callers in the order in which they were remembered, the oldest first.
  const known = new Map<string, CachedCaller>()
  let changes = 0

  const forgetOld = (now: number): void => {
    for (const [hash, entry] of known) {
      if (isFresh(entry, now)) break
      known.delete(hash)
    }
  }

  return {
    /** The caller with the key of this hash, if it was found within `knownMillis`; `now` in milliseconds. */
    find: (keyHash: Uint8Array, now: number): Caller | undefined => {
      const entry = known.get(Hex.encode(keyHash))
      return entry !== undefined && isFresh(entry, now) && now < entry.expiresAt ? entry.caller : undefined
    },
    /** Begins a look-up; must be called before the database is asked. */
    begin: (begunAt: EpochMillis): KeyLookup => ({ begunAt, changes }),
    /** Remembers the result of a look-up, unless this process has made a change since it began. */
    add: (lookup: KeyLookup, { caller, keyHash, expiresAt }: KeyMatch): void => {
      if (lookup.changes !== changes) return
      forgetOld(lookup.begunAt)
      const hash = Hex.encode(keyHash)
      known.delete(hash)
      known.set(hash, { caller, foundAt: lookup.begunAt, expiresAt: expiresAt ?? Infinity })
    },
    /** Forgets all callers, because this process changed an account, a key or a rule. */
    forget: (): void => {
      changes += 1
      known.clear()
    },
  }
}

/** Caches the callers of busy keys. Unknown keys are never cached: a new key can be used at once. */
export class CallerCache extends service<CallerCache>()(
  "swap-broker/accounts/CallerCache",
  Effect.sync(makeKnownKeys),
) {}
