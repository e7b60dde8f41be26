import { Duration, Effect, Exit, Hash, Option, Redacted, Semaphore } from "effect"
import type { KeyId } from "#domain/accounts/Key.ts"
import { formOf } from "../accounts/ApiKey.ts"
import { LimitReached, type RateLimiter } from "./RateLimits.ts"

/** The time between two look-ups of keys from an address that sent too many wrong ones. */
const pause = Duration.millis(100)

/** The most keys of one address that wait for a look-up; more could only be guesses. */
const longestLine = 10

/** The most valid keys that are remembered; more than are in use at one time. */
const mostRemembered = 10_000

/** The limit's subject for an issued key, in place of an address. */
const ofKey = (id: KeyId): string => `key ${id}`

/** Keys from one address, or with one issued id, that are looked up one after the other. */
interface Line {
  readonly turn: Semaphore.Semaphore
  length: number
}

/** How the key is looked for that a request has. */
export interface KeyWays<A, E, R> {
  readonly issuedId: Effect.Effect<Option.Option<KeyId>, E, R>
  readonly lookUp: Effect.Effect<Option.Option<A>, E, R>
}

/** Slows down the guessing of keys without delaying anyone who has a valid key. */
export const makeBruteForceGuard = (limits: RateLimiter) => {
  /** Hashes of valid keys. Two keys may share a hash, but a hash alone lets nobody in. */
  const right = new Set<number>()
  const lines = new Map<string, Line>()

  const remember = (hash: number): void => {
    if (right.size >= mostRemembered) right.clear()
    right.add(hash)
  }

  const inLine = <A, E, R>(address: string, lookUp: Effect.Effect<A, E, R>, full: LimitReached) =>
    Effect.suspend((): Effect.Effect<A, E | LimitReached, R> => {
      const line = lines.get(address) ?? { turn: Semaphore.makeUnsafe(1), length: 0 }
      if (line.length >= longestLine) return Effect.fail(full)
      lines.set(address, line)
      line.length += 1
      const leave = Effect.sync(() => {
        line.length -= 1
        if (line.length === 0) lines.delete(address)
      })
      return Effect.ensuring(line.turn.withPermit(Effect.delay(lookUp, pause)), leave)
    })

  /** Takes the token of a guess before its look-up, so that parallel guesses are not all looked up. */
  const guess = <A, E, R>(
    subject: string,
    isPossible: boolean,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
  ) =>
    Effect.suspend((): Effect.Effect<Option.Option<A>, E | LimitReached, R> => {
      const standing = limits.take("credentials", subject)
      if (standing === undefined) return lookUp
      if (standing.isAdmitted) {
        return Effect.onExit(lookUp, (exit) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit) || Option.isSome(exit.value)) limits.giveBack("credentials", subject)
          }))
      }
      const reached = new LimitReached({ standing })
      return isPossible
        ? Effect.filterOrFail(inLine(subject, lookUp, reached), Option.isSome, () => reached)
        : Effect.fail(reached)
    })

  /** A key that was valid may have been revoked since. */
  const notRight = (hash: number, address: string) =>
    Effect.suspend(() => {
      right.delete(hash)
      const standing = limits.take("credentials", address)
      return standing === undefined || standing.isAdmitted
        ? Effect.void
        : Effect.fail(new LimitReached({ standing }))
    })

  return {
    /**
     * The result of `lookUp` for a key that came from an address; a wrong key gives none. Each address may send as many
     * wrong keys as its limit allows. After that a key that was valid before is still looked up at once, and a new key
     * after a wait, as it may be valid too. A key that was issued here (`issuedId`, by its MAC) is no guess of its
     * address: it has a limit and a line of its own. A key that cannot exist is refused without a wait.
     */
    check: <A, E, R>(
      key: Redacted.Redacted<string>,
      address: string,
      { issuedId, lookUp }: KeyWays<A, E, R>,
    ) =>
      Effect.suspend(() => {
        const hash = Hash.string(Redacted.value(key))
        if (right.has(hash)) {
          return Effect.tap(lookUp, (found) => Option.isSome(found) ? Effect.void : notRight(hash, address))
        }
        const isPossible = formOf(key)._tag !== "Impossible"
        return Effect.flatMap(isPossible ? issuedId : Effect.succeedNone, (issued) =>
          Effect.tap(
            guess(Option.match(issued, { onNone: () => address, onSome: ofKey }), isPossible, lookUp),
            (found) =>
              Effect.sync(() => {
                if (Option.isSome(found)) remember(hash)
              }),
          ))
      }),
  }
}
