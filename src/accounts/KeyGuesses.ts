import { Duration, Effect, Exit, Hash, Option, Redacted, Semaphore } from "effect"
import type { KeyId } from "../domain/Key.ts"
import { formOf } from "./ApiKey.ts"
import { LimitReached, type RateLimiter } from "./RateLimits.ts"

/** How far apart keys are looked up that come from an address which has been wrong too often. */
const pause = Duration.millis(100)

/** How many may wait for that; more would only guess. */
const longestLine = 10

/** More than are in use at one time. */
const mostRemembered = 10_000

/** The subject of the limit of an issued key, which is no address. */
const ofKey = (id: KeyId): string => `key ${id}`

/** Those from one address, or with one issued key, who wait for each other. */
interface Line {
  readonly turn: Semaphore.Semaphore
  length: number
}

/** Makes guessing keys slow without getting in the way of those who need not guess. */
export interface KeyGuesses {
  /**
   * What `lookUp` says of a key that came from an address; it says nothing of a wrong one. Each address may be
   * wrong as often as its limit says. After that a key that was right before is looked up as ever, and one that
   * is new to us after a while: it may be right too. A key that was issued here (`issuedId`, of its MAC) is no
   * guess of its address: it has a limit and a line of its own. One that nobody can have waits in no line.
   */
  readonly check: <A, E, R>(
    key: Redacted.Redacted<string>,
    address: string,
    ways: {
      readonly issuedId: Effect.Effect<Option.Option<KeyId>, E, R>
      readonly lookUp: Effect.Effect<Option.Option<A>, E, R>
    },
  ) => Effect.Effect<Option.Option<A>, E | LimitReached, R>
}

/** Nobody has guessed yet. */
export const makeKeyGuesses = (limits: RateLimiter): KeyGuesses => {
  /** Hashes of keys. Two may have the same, but nobody gets in by that. */
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

  /**
   * A guess has its token before it is looked up, so that many at the same time are not looked up together. The
   * token is of its address, or of the issued key.
   */
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

  /** One that was right may be so no longer. */
  const notRight = (hash: number, address: string) =>
    Effect.suspend(() => {
      right.delete(hash)
      const standing = limits.take("credentials", address)
      return standing === undefined || standing.isAdmitted
        ? Effect.void
        : Effect.fail(new LimitReached({ standing }))
    })

  return {
    check: (key, address, { issuedId, lookUp }) =>
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
