import { Context, Deferred, Duration, Effect } from "effect"
import type { AccountId } from "#domain/accounts/Account.ts"

/** The account that work is done for, which bounds its share of places. Undefined: the service's own. */
export const OnBehalfOf = Context.Reference<AccountId | undefined>("swap-broker/platform/OnBehalfOf", {
  defaultValue: () => undefined,
})

export interface Sharing {
  /** The largest part of the places that one account may take, above 0 and up to 1. */
  readonly share: number
  readonly wait: Duration.Duration
  /** The most calls of an account that may wait; absent: as many as it may have places. */
  readonly line?: number
}

/** The most of these places that one account may have; at least one. */
export const placesOfAccount = (places: number, share: number): number =>
  Math.min(places, Math.max(1, Math.floor(places * share)))

/** Undefined is the service itself, whose own work is not limited by a share. */
type Party = AccountId | undefined

interface Waiter {
  readonly turn: Deferred.Deferred<void>
  hasPlace: boolean
}

/**
 * A bounded number of calls in flight: places that accounts share. Who has one by `take` or `turn` gives it back by
 * `release`. No account has more places than its share, and its line is no longer than that. A call
 * that finds no place waits in the line of its account, and places that become free go to the accounts in turn: an
 * account with a long line delays only itself.
 *
 * Effect's `PartitionedSemaphore` serves parties in turn as well, and within a `Semaphore` for each account it takes 0.9
 * to 1.2 of the time. It has no bound of a line, no limit of a wait and does not tell whether a
 * call would have to wait; what stands here is mostly these.
 */
export const makeBulkhead = (places: number, { line: longestLine, share, wait }: Sharing) => {
  const shareOfAccount = placesOfAccount(places, share)
  const mostOf = (party: Party): number => party === undefined ? places : shareOfAccount
  const held = new Map<Party, number>()
  // The lines by account, with the account that was served last at the end.
  const lines = new Map<Party, Array<Waiter>>()
  let free = places

  const heldBy = (party: Party): number => held.get(party) ?? 0
  const mayTake = (party: Party): boolean => free > 0 && heldBy(party) < mostOf(party)

  /** Takes a place for a call of this account; false where the call would have to wait. */
  const take = (party: Party): boolean => {
    if (!mayTake(party)) return false
    free -= 1
    held.set(party, heldBy(party) + 1)
    return true
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

  /** Gives back a place that came too late. */
  const giveUp = (party: Party, waiter: Waiter): void =>
    waiter.hasPlace ? release(party) : leaveLine(party, waiter)

  /** Waits for a place in the line of the account, in an uninterruptible region; false where none got free in time. */
  const turn = (party: Party): Effect.Effect<boolean> =>
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

  return {
    /** Runs a call in one of the places; none where no place became free in time. */
    within: <A, E, R>(call: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          OnBehalfOf,
          (party) =>
            Effect.flatMap(take(party) ? Effect.succeed(true) : turn(party), (hasPlace) =>
              hasPlace
                ? Effect.asSome(Effect.ensuring(
                  restore(call),
                  Effect.sync(() => release(party)),
                ))
                : Effect.succeedNone),
        )
      ),
    take,
    turn,
    release,
    /** Whether a call of this account would have to wait. */
    isFull: (account: Party) => !mayTake(account),
  }
}
