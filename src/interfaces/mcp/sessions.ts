import { Duration, Effect } from "effect"
import type { Keys } from "#application/accounts/Keys.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"

/** The holder of a session: it answers to this key alone. */
export interface Holder {
  readonly account: AccountId
  readonly keyId: KeyId
}

/** The id of a session, as `Mcp-Session-Id` carries it. */
type SessionId = string

interface Session extends Holder {
  readonly usedAt: number
}

/** How many sessions there may be, and for how long. */
export interface SessionLimits {
  readonly most: number
  readonly mostOfAccount: number
  readonly idle: Duration.Duration
}

/**
 * The sessions of the versions of the protocol that have any. The library keeps its own record of each for ever, so
 * this one decides which may be used, and names those to end: the idle, those of keys that count no more, and the
 * longest unused where there are too many. Nothing here waits; `now` is in milliseconds.
 */
export const makeSessions = ({ idle, most, mostOfAccount }: SessionLimits) => {
  // In the order of their last use, the longest unused first.
  const sessions = new Map<SessionId, Session>()
  const idleMillis = Duration.toMillis(idle)

  const isIdle = ({ usedAt }: Session, now: number): boolean => now - usedAt >= idleMillis

  const remove = (ids: ReadonlyArray<SessionId>): ReadonlyArray<SessionId> => {
    for (const id of ids) sessions.delete(id)
    return ids
  }

  const longestUnused = (account: AccountId): ReadonlyArray<SessionId> =>
    [...sessions].filter(([, session]) => session.account === account).slice(0, 1).map(([id]) => id)

  const countOf = (account: AccountId): number =>
    [...sessions.values()].filter((session) => session.account === account).length

  /** The account with the most sessions: where all together are too many, it has taken the most from the others. */
  const largest = (): AccountId | undefined => {
    const counts = Map.groupBy(sessions.values(), ({ account }) => account)
    return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0]
  }

  return {
    /** Whether the session may be used with this key, which counts as a use. */
    use: (id: SessionId, { keyId }: Holder, now: number): boolean => {
      const session = sessions.get(id)
      if (session === undefined || session.keyId !== keyId || isIdle(session, now)) return false
      sessions.delete(id)
      sessions.set(id, { ...session, usedAt: now })
      return true
    },
    /** Adds a session. Those returned are none any more, and have to be ended. */
    add: (id: SessionId, holder: Holder, now: number): ReadonlyArray<SessionId> => {
      const { account } = holder
      const crowded = countOf(account) >= mostOfAccount
        ? account
        : sessions.size >= most
        ? largest()
        : undefined
      const beforeIt = remove(crowded === undefined ? [] : longestUnused(crowded))
      sessions.set(id, { ...holder, usedAt: now })
      return beforeIt
    },
    remove: (id: SessionId): void => void sessions.delete(id),
    /** Removes the sessions that were not used for too long. Those returned have to be ended. */
    removeIdle: (now: number): ReadonlyArray<SessionId> =>
      remove([...sessions].filter(([, session]) => isIdle(session, now)).map(([id]) => id)),
    keys: (): ReadonlyArray<KeyId> => [...new Set([...sessions.values()].map(({ keyId }) => keyId))],
    keyOf: (id: SessionId): KeyId | undefined => sessions.get(id)?.keyId,
    /** Removes the sessions of these keys. Those returned have to be ended. */
    removeOf: (keys: ReadonlyArray<KeyId>): ReadonlyArray<SessionId> =>
      remove([...sessions].filter(([, { keyId }]) => keys.includes(keyId)).map(([id]) => id)),
    count: (): number => sessions.size,
  }
}

export type Sessions = ReturnType<typeof makeSessions>

/** What ends sessions: the library, which keeps them, and what tells the keys with which no agent may call any more. */
interface Ends extends Pick<Keys["Service"], "withoutMcp"> {
  readonly end: (ids: ReadonlyArray<SessionId>) => Effect.Effect<void>
}

/** The ends of sessions that nobody asks for. */
export const endings = (sessions: Sessions, { end, withoutMcp }: Ends) => {
  /** Ends the sessions of those of the keys that count no more. Without a database they wait for the next look. */
  const endOf = (keys: ReadonlyArray<KeyId>) =>
    withoutMcp(keys).pipe(
      Effect.flatMap((gone) => end(sessions.removeOf(gone))),
      Effect.catchTag(
        "StoreUnavailable",
        (error) => Effect.logDebug("Reading the keys of sessions failed", error),
      ),
    )

  return {
    /** Ends the sessions that were not used for too long, and those of keys that count no more. */
    sweep: Effect.flatMap(currentMillis, (now) => end(sessions.removeIdle(now))).pipe(
      Effect.andThen(Effect.suspend(() => endOf(sessions.keys()))),
    ),
    /** Looks again at the key of a session in whose name a request was turned away. A stranger knows no session. */
    turnedAway: (id: SessionId | undefined): Effect.Effect<void> => {
      const key = id === undefined ? undefined : sessions.keyOf(id)
      return key === undefined ? Effect.void : endOf([key])
    },
  }
}
