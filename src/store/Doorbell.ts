import { Effect, Queue, type Scope } from "effect"
import type { AccountId } from "../domain/Account.ts"

/**
 * Something that is rung when an account has new events. A ring can be missed: first listen, then read until there
 * is nothing more, then wait for the bell; and look anyway from time to time.
 */
export interface Doorbell {
  /** What has an item whenever the account was rung for since the last one was taken. */
  readonly listen: (account: AccountId) => Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  readonly ring: (account: AccountId) => void
  /** Calls back for every account that this process rings for. */
  readonly hear: (heard: (account: AccountId) => void) => Effect.Effect<void, never, Scope.Scope>
  /** Rings for an account that another process wrote events of: listeners hear it, who hears all does not. */
  readonly echo: (account: AccountId) => void
}

/** A doorbell that nobody has rung. */
export const makeDoorbell = (): Doorbell => {
  const listeners = new Map<AccountId, Set<Queue.Queue<void>>>()
  const hearers = new Set<(account: AccountId) => void>()

  const add = (account: AccountId, queue: Queue.Queue<void>) => {
    const others = listeners.get(account) ?? new Set()
    listeners.set(account, others.add(queue))
  }
  const remove = (account: AccountId, queue: Queue.Queue<void>) => {
    const others = listeners.get(account)
    others?.delete(queue)
    if (others?.size === 0) listeners.delete(account)
  }

  const echo = (account: AccountId) => {
    for (const queue of listeners.get(account) ?? []) Queue.offerUnsafe(queue, undefined)
  }

  return {
    listen: (account) =>
      Effect.acquireRelease(
        Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => add(account, queue))),
        (queue) => Effect.andThen(Effect.sync(() => remove(account, queue)), Queue.shutdown(queue)),
      ),
    echo,
    ring: (account) => {
      echo(account)
      for (const heard of hearers) heard(account)
    },
    hear: (heard) =>
      Effect.acquireRelease(
        Effect.sync(() => hearers.add(heard)),
        () => Effect.sync(() => hearers.delete(heard)),
      ),
  }
}
