import { Clock, Deferred, Duration, Effect, Equal, Exit, Option, Redacted } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { type AccountName, type Caller, type TermChanges, termsWith } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { pageOf, type PageQuery } from "#domain/Page.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { CallersRepo, type KeyMatch } from "#infrastructure/store/accounts/CallersRepo.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"
import { KeysRepo, type OwnedKey } from "#infrastructure/store/accounts/KeysRepo.ts"
import { formOf, hashKey, issuedId, sameHash } from "./ApiKey.ts"
import { makeBootstrap } from "./Bootstrap.ts"
import { accountDefaults, makeRequireProviders, ServiceTerms } from "./accountTerms.ts"
import { AccountExists, AccountUnknown, LastOperator } from "./failures.ts"
import { Hex } from "effect/encoding"
import type { EpochMillis } from "#domain/Time.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { type StoreEffect, StoreUnavailable } from "#domain/StoreError.ts"
import { orInternalError } from "#infrastructure/platform/orInternalError.ts"

/** How long a caller is cached, in milliseconds: with http/Repeats, a revocation applies within a second. */
const knownMillis = 900

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

/** The operating keys that must remain: those without an end, if there are any; else all that work for now. */
const toKeep = (operating: ReadonlyArray<OwnedKey>): ReadonlyArray<OwnedKey> => {
  const lasting = operating.filter(({ key }) => key.expiresAt === undefined)
  return lasting.length > 0 ? lasting : operating
}

/** Fails where a change would take away the last `operate` key without an end (else the last of all). */
export const keepAnOperator = (
  keys: KeysRepo["Service"],
  takenAway: (operating: OwnedKey) => boolean,
): StoreEffect<void, LastOperator> =>
  Effect.gen(function* () {
    const kept = toKeep(yield* keys.operating(yield* currentMillis))
    if (kept.length > 0 && kept.every(takenAway)) return yield* new LastOperator()
  })

/** The accounts and the authentication of callers. Changes take effect here at once, elsewhere within a second. */
export class Accounts extends service<Accounts>()(
  "swap-broker/accounts/Accounts",
  Effect.gen(function* () {
    const accounts = yield* AccountsRepo
    const callers = yield* CallersRepo
    const keys = yield* KeysRepo
    const secret = yield* KeySecretRepo
    const audit = yield* AuditRepo
    const known = yield* CallerCache
    const used = yield* makeKeyUses(callers)
    const requireProviders = makeRequireProviders(yield* ServiceTerms)

    const find = Effect.fnUntraced(function* (name: AccountName) {
      const found = yield* accounts.find(name)
      return yield* Effect.mapError(Effect.fromOption(found), () => new AccountUnknown({ name }))
    })

    /** Creates an account with these terms, and with the defaults of the terms that are not given. */
    const create = Effect.fn("Accounts.create")(
      function* (name: AccountName, terms: TermChanges, actor: Actor) {
        yield* requireProviders(terms)
        const at = yield* currentMillis
        const after = termsWith(accountDefaults, terms)
        return yield* audit.recorded("Accounts.create", { actor, at }, function* () {
          if (Option.isSome(yield* accounts.find(name))) return yield* new AccountExists({ name })
          const value = yield* accounts.add({ name, terms: after, createdAt: at })
          return { value, changes: [{ action: "account.created", account: name, after }] }
        })
      },
    )

    /** Changes the given terms. Never suspends the last account that can operate the service. */
    const change = Effect.fn("Accounts.change")(
      function* (name: AccountName, terms: TermChanges, actor: Actor) {
        yield* requireProviders(terms)
        const author = { actor, at: yield* currentMillis }
        return yield* audit.recorded("Accounts.change", author, function* () {
          const account = yield* find(name)
          const before = termsWith(account)
          const after = termsWith(account, terms)
          if (Equal.equals(before, after)) return { value: account, changes: [] }
          if (after.suspended && !before.suspended) {
            yield* keepAnOperator(keys, (operating) => operating.account === name)
          }
          yield* accounts.change(account.id, after)
          return {
            value: { id: account.id, name, ...after, createdAt: account.createdAt },
            changes: [{ action: "account.changed", account: name, before, after }],
          }
        }).pipe(Effect.ensuring(Effect.sync(known.forget)))
      },
    )

    return {
      /** The caller of a key, by hash in constant time, cached for a second; malformed keys are not looked up. */
      authenticate: makeAuthenticate({ callers, known, used }),
      /** The ID of a key with our MAC: such a key was issued here, and may have been revoked since. */
      issuedId: (key: Redacted.Redacted<string>) =>
        Effect.map(secret.get, (secret) => Option.fromUndefinedOr(issuedId(key, secret))),
      /** Creates the account `default` when there is no account; exactly one of several replicas does so. */
      bootstrap: makeBootstrap({ accounts, audit, callers, keys, secret }),
      /** Every account, by name. */
      all: accounts.all,
      /** A page of the accounts, by name. */
      page: (query: PageQuery<AccountName>) =>
        Effect.map(
          accounts.page({ ...query, limit: query.limit + 1 }),
          (found) => pageOf(found, query.limit, ({ name }) => name),
        ),
      find,
      create,
      change,
    }
  }),
) {}
