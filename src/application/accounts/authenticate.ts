import { Clock, Deferred, Duration, Effect, Exit, Option, Redacted } from "effect"
import { Hex } from "effect/encoding"
import type { Caller } from "#domain/accounts/Account.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { type StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { orInternalError } from "#infrastructure/platform/orInternalError.ts"
import type { CallersRepo, KeyMatch } from "#infrastructure/store/accounts/CallersRepo.ts"
import { formOf, hashKey, sameHash } from "./ApiKey.ts"
import { type CallerCache, knownMillis } from "./CallerCache.ts"

/** The interval at which uses of keys are written down; each key at most once a minute (`CallersRepo.used`). */
const writeEvery = Duration.seconds(10)

/** Notes when keys are used and writes it down in the background; a stop may lose the last times. */
export const makeKeyUses = Effect.fnUntraced(function* (repo: CallersRepo["Service"]) {
  let uses = new Map<KeyId, EpochMillis>()

  const write = Effect.suspend(() => {
    if (uses.size === 0) return Effect.void
    const written = uses
    uses = new Map()
    return Effect.catch(
      orInternalError(repo.used(written)),
      (error) => Effect.logDebug("The last uses of keys could not be recorded", error),
    )
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(write, writeEvery)))

  return (id: KeyId, at: EpochMillis): void => void uses.set(id, at)
})

/** The parts that authentication uses. */
export interface Authenticating {
  readonly callers: CallersRepo["Service"]
  readonly known: CallerCache["Service"]
  /** Called for each key that was found. */
  readonly used: (id: KeyId, at: EpochMillis) => void
}

/** The most attempts at a look-up that takes too long to be relied upon. */
const attempts = 3

const noHash = new Uint8Array(32)

const isAlive = ({ expiresAt }: KeyMatch, now: number): boolean => expiresAt === undefined || now < expiresAt

/** Looks a key up. A slow result is discarded, as the key may have been revoked since it was read. */
const lookUp = Effect.fnUntraced(function* (
  { callers, known, used }: Authenticating,
  hash: Uint8Array,
): Effect.fn.Return<Option.Option<Caller>, StoreUnavailable> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const lookup = known.begin(yield* currentMillis)
    const match = yield* callers.byKeyHash(hash)
    const now = yield* currentMillis
    if (now - lookup.begunAt >= knownMillis) {
      // A concurrent look-up of the same key may have been faster.
      const caller = known.find(hash, now)
      if (caller !== undefined) return Option.some(caller)
      continue
    }
    const same = sameHash(
      hash,
      Option.match(match, { onNone: () => noHash, onSome: (found) => found.keyHash }),
    )
    if (!same || Option.isNone(match) || !isAlive(match.value, now)) return Option.none()
    known.add(lookup, match.value)
    used(match.value.caller.keyId, now)
    return Option.some(match.value.caller)
  }
  return yield* new StoreUnavailable({
    operation: "Accounts.authenticate",
    cause: `the database took longer than ${knownMillis} ms, ${attempts} times`,
  })
})

type FoundCaller = Exit.Exit<Option.Option<Caller>, StoreUnavailable>

/**
 * Looks a key up once for all requests that use it at that time, as a busy key is asked for by many whenever it has to
 * be looked up again. The result is as old as the look-up, for everyone who waits. A key that was not found may have
 * been issued since, and a caller who hung up leaves no result; then each request looks the key up itself.
 */
const makeLookUpTogether = (needs: Authenticating) => {
  const underWay = new Map<string, Deferred.Deferred<FoundCaller>>()

  const begin = (name: string, hash: Uint8Array) => {
    const result = Deferred.makeUnsafe<FoundCaller>()
    underWay.set(name, result)
    return Effect.onExit(lookUp(needs, hash), (exit) => {
      underWay.delete(name)
      return Deferred.succeed(result, exit)
    })
  }

  return Effect.fnUntraced(function* (hash: Uint8Array) {
    // A request that follows a change of this process must not be given the state before it.
    const { changes } = needs.known.begin(yield* currentMillis)
    const name = `${changes} ${Hex.encode(hash)}`
    const first = underWay.get(name)
    if (first === undefined) return yield* begin(name, hash)
    const exit = yield* Deferred.await(first)
    if (Exit.isSuccess(exit) && Option.isSome(exit.value)) return exit.value
    return Exit.isFailure(exit) && !Exit.hasInterrupts(exit) ? yield* exit : yield* lookUp(needs, hash)
  })
}

/** The most hashes that are kept, and for how long, in milliseconds. */
const mostHashes = 256
const hashedMillis = 60_000

/** `hashKey`, once for a busy key. Permissions are still looked up by the hash each time. */
const makeHashes = () => {
  const hashes = new Map<string, Uint8Array>()
  let since = 0
  return (key: Redacted.Redacted<string>, now: number): Uint8Array => {
    if (hashes.size >= mostHashes || Math.abs(now - since) >= hashedMillis) {
      hashes.clear()
      since = now
    }
    const text = Redacted.value(key)
    const hash = hashes.get(text) ?? hashKey(key)
    hashes.set(text, hash)
    return hash
  }
}

/** Finds the caller with a key (`Accounts.authenticate`). It runs for every request. */
export const makeAuthenticate = (needs: Authenticating) => {
  const lookUpTogether = makeLookUpTogether(needs)
  const hashOf = makeHashes()
  return (key: Redacted.Redacted<string>): StoreEffect<Option.Option<Caller>> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const hash = hashOf(key, now)
      const caller = needs.known.find(hash, now)
      if (caller !== undefined) return Effect.succeedSome(caller)
      return formOf(key)._tag === "Impossible" ? Effect.succeedNone : lookUpTogether(hash)
    })
}
