import { Context, Deferred, Duration, Effect, Option } from "effect"
import type { AccountId } from "../domain/Account.ts"

/**
 * The account for which a piece of work is done, so that one account cannot take from another what all of them
 * share: places at a provider, look-ups. Undefined is the service's own work.
 */
export const OnBehalfOf = Context.Reference<AccountId | undefined>("swap-broker/platform/OnBehalfOf", {
  defaultValue: () => undefined,
})

/** How the places of a bulkhead are shared among accounts. */
export interface Sharing {
  /** The most that one account may have of the places, from above 0 to 1. */
  readonly share: number
  /** How long a call waits for a place. */
  readonly wait: Duration.Duration
  /** How many calls of an account wait at the most; as many as it may have places where absent. */
  readonly line?: number
}

/** A bounded number of calls in flight. */
export interface Bulkhead {
  /** Runs a call within one of the places; nothing where there was none in time. */
  readonly within: <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<Option.Option<A>, E, R>
  /** Whether a call of this account would have to wait. */
  readonly isFull: (account: AccountId | undefined) => boolean
}

/** Undefined is the service itself, whose own work is not limited by a share. */
type Party = AccountId | undefined

interface Waiter {
  readonly turn: Deferred.Deferred<void>
  hasPlace: boolean
}

/**
 * Places that accounts share. No account has more of them than its share, and lines are as short.
 * Whoever finds no place waits in the line of its account, and a place that becomes free goes to the accounts in
 * turn: an account with a long line waits for itself alone.
 */
export const makeBulkhead = (places: number, { line: longestLine, share, wait }: Sharing): Bulkhead => {
  const shareOfAccount = Math.min(places, Math.max(1, Math.floor(places * share)))
  const mostOf = (party: Party): number => party === undefined ? places : shareOfAccount
  const held = new Map<Party, number>()
  // Whoever was served last is at the end.
  const lines = new Map<Party, Array<Waiter>>()
  let free = places

  const heldBy = (party: Party): number => held.get(party) ?? 0
  const mayTake = (party: Party): boolean => free > 0 && heldBy(party) < mostOf(party)

  const take = (party: Party): void => {
    free -= 1
    held.set(party, heldBy(party) + 1)
  }

  const nextInTurn = (): void => {
    for (const [party, line] of lines) {
      if (!mayTake(party)) continue
      const [waiter, ...others] = line
      lines.delete(party)
      if (others.length > 0) lines.set(party, others)
      if (waiter === undefined) continue
      take(party)
      waiter.hasPlace = true
      Deferred.doneUnsafe(waiter.turn, Effect.void)
      return
    }
  }

  const release = (party: Party): void => {
    free += 1
    const left = heldBy(party) - 1
    if (left > 0) held.set(party, left)
    else held.delete(party)
    nextInTurn()
  }

  const leaveLine = (party: Party, waiter: Waiter): void => {
    const others = (lines.get(party) ?? []).filter((other) => other !== waiter)
    if (others.length > 0) lines.set(party, others)
    else lines.delete(party)
  }

  /** Gives the place back that came too late. */
  const giveUp = (party: Party, waiter: Waiter): void =>
    waiter.hasPlace ? release(party) : leaveLine(party, waiter)

  const awaitTurn = (party: Party) =>
    Effect.suspend(() => {
      const line = lines.get(party) ?? []
      if (Duration.isZero(wait) || line.length >= (longestLine ?? mostOf(party))) return Effect.succeed(false)
      const waiter: Waiter = { turn: Deferred.makeUnsafe(), hasPlace: false }
      lines.set(party, [...line, waiter])
      return Effect.timeoutOption(Deferred.await(waiter.turn), wait).pipe(
        Effect.interruptible,
        Effect.onInterrupt(() => Effect.sync(() => giveUp(party, waiter))),
        Effect.map(() => {
          if (!waiter.hasPlace) leaveLine(party, waiter)
          return waiter.hasPlace
        }),
      )
    })

  const place = (party: Party): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (!mayTake(party)) return awaitTurn(party)
      take(party)
      return Effect.succeed(true)
    })

  return {
    within: (call) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          OnBehalfOf,
          (party) =>
            Effect.flatMap(place(party), (hasPlace) =>
              hasPlace
                ? Effect.asSome(Effect.ensuring(
                  restore(call),
                  Effect.sync(() => release(party)),
                ))
                : Effect.succeedNone),
        )
      ),
    isFull: (account) => !mayTake(account),
  }
}
