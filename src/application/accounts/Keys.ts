import { Array, Effect, Option, type Redacted } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountName } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import type { ApiKeyRecord, KeyId, KeyTerms, Scope } from "#domain/accounts/Key.ts"
import { pageOf, type PageQuery } from "#domain/Page.ts"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"
import { KeysRepo, type OwnedKey } from "#infrastructure/store/accounts/KeysRepo.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { Accounts, CallerCache, keepAnOperator } from "./Accounts.ts"
import { hashKey, newKey, newKeyId } from "./ApiKey.ts"
import { defaultScopes } from "./accountTerms.ts"
import { KeyUnknown, ScopesNotHeld } from "./failures.ts"

export interface IssuedKey {
  readonly record: ApiKeyRecord
  /** The key itself, which is kept nowhere: it is shown now or never. */
  readonly key: Redacted.Redacted<string>
}

/** The terms of a new key. Those that are left out are the usual ones, or those of the key that it replaces. */
export interface NewKeyTerms extends Partial<KeyTerms> {
  /** A working key of the same account, which goes on working until it is revoked. */
  readonly replaces?: KeyId
}

export interface KeyUses {
  readonly account: AccountName
  /** Those that work. */
  readonly keys: number
  readonly lastUsedAt?: EpochMillis
}

/** The API keys of the accounts. An account can have any number of keys, so that one can be replaced without a gap. */
export class Keys extends service<Keys>()(
  "swap-broker/accounts/Keys",
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const keys = yield* KeysRepo
    const audit = yield* AuditRepo
    const callerCache = yield* CallerCache
    const secret = yield* KeySecretRepo

    /** Every key that the account ever had, the latest first. */
    const ofAccount = Effect.fn("Keys.ofAccount")(function* (account: AccountName) {
      return yield* keys.ofAccount((yield* accounts.find(account)).id)
    })

    /** A page of the account's keys, in the same order. */
    const page = Effect.fn("Keys.page")(function* (account: AccountName, query: PageQuery<KeyId>) {
      const { id } = yield* accounts.find(account)
      const found = yield* keys.page(id, { ...query, limit: query.limit + 1 })
      return pageOf(found, query.limit, (key) => key.id)
    })

    /** Those of the scopes that an actor cannot give: a key holds its own while it works, everybody else all. */
    const notHeldBy = Effect.fnUntraced(function* (
      actor: Actor,
      scopes: ReadonlyArray<Scope>,
      at: EpochMillis,
    ) {
      if (actor.type !== "key") return []
      const held = Option.filter(yield* keys.find(actor.keyId), ({ key }) => isActiveKey(key, at))
      return scopes.filter((scope) => !Option.exists(held, ({ key }) => key.scopes.includes(scope)))
    })

    /** The ends of a key, of the key that issued it, and so on. */
    const endsOf = ({ key: { expiresAt, madeBy } }: OwnedKey): StoreEffect<ReadonlyArray<EpochMillis>> =>
      Effect.gen(function* () {
        const maker = madeBy === undefined ? Option.none() : yield* keys.find(madeBy)
        const ofMaker = Option.isSome(maker) ? yield* endsOf(maker.value) : []
        return [...(expiresAt === undefined ? [] : [expiresAt]), ...ofMaker]
      })

    /** The key that a new key of the account replaces: only one that works is replaced. */
    const replacedBy = Effect.fnUntraced(function* (account: AccountName, id: KeyId, at: EpochMillis) {
      const found = yield* keys.find(id)
      return yield* Effect.mapError(
        Effect.fromOption(Option.filter(found, (old) => old.account === account && isActiveKey(old.key, at))),
        () =>
          new InvalidRequest({ errors: issueAbout("replaces", "must be an active API key of this account") }),
      )
    })

    /** The terms of a new key, held to the ends of the key that issues it and of the key that it replaces. */
    const termsFor = Effect.fnUntraced(function* (
      account: AccountName,
      { replaces, ...given }: NewKeyTerms,
      actor: Actor,
      at: EpochMillis,
    ) {
      const old = replaces === undefined ? [] : [yield* replacedBy(account, replaces, at)]
      const maker = actor.type === "key" ? Array.fromOption(yield* keys.find(actor.keyId)) : []
      const ends = (yield* Effect.forEach([...maker, ...old], endsOf)).flat()
      const terms: KeyTerms = { scopes: defaultScopes, ...old.map(({ key }) => termsOf(key))[0], ...given }
      const missing = yield* notHeldBy(actor, terms.scopes, at)
      if (missing.length > 0) return yield* new ScopesNotHeld({ scopes: missing })
      const end = ends.length === 0 ? undefined : EpochMillis.make(Math.min(...ends))
      const { expiresAt = end } = given
      if (expiresAt === undefined) return terms
      if (expiresAt <= at) return yield* alreadyExpired
      if (end !== undefined && expiresAt > end) return yield* outlives(end)
      return { ...terms, expiresAt }
    })

    /** A key, and all that were issued with it, with these, and so on. */
    const withAllMade = Effect.fnUntraced(function* (first: OwnedKey) {
      const found = new Map([[first.key.id, first]])
      for (const maker of found.values()) {
        for (const made of yield* keys.madeBy(maker)) found.set(made.key.id, made)
      }
      return [...found.values()]
    })

    /**
     * Issues a key, with the scopes of `defaultScopes` unless some are given. It works at once. A key issues no scope
     * that it does not hold itself, also in place of another key that has it (decision 45). No key outlives the key that
     * issues it, nor the key that it replaces, nor those that issued these: it ends with the first of them unless it is
     * to end before, and a later end is an `InvalidRequest`.
     */
    const issue = Effect.fn("Keys.issue")(function* (account: AccountName, given: NewKeyTerms, actor: Actor) {
      const at = yield* currentMillis
      const id = newKeyId()
      const key = newKey(id, yield* secret.get)
      return yield* audit.recorded("Keys.issue", { actor, at }, function* () {
        const after = yield* termsFor(account, given, actor, at)
        const accountId = (yield* accounts.find(account)).id
        yield* keys.add({ id, accountId, secretHash: hashKey(key), terms: after, createdAt: at })
        return {
          value: { key, record: { id, ...after, createdAt: at, ...makerOf(actor) } },
          changes: [{ action: "key.issued", account, keyId: id, after }],
        }
      })
    })

    /** Revokes a key, elsewhere within a second, never the last operator's; `withMade`: and all it issued. */
    const revoke = Effect.fn("Keys.revoke")(
      function* (id: KeyId, actor: Actor, { withMade } = { withMade: false }) {
        const at = yield* currentMillis
        return yield* audit.recorded("Keys.revoke", { actor, at }, function* () {
          const found = yield* keys.find(id)
          if (Option.isNone(found)) return yield* new KeyUnknown({ id })
          const { key } = found.value
          const all = withMade ? yield* withAllMade(found.value) : [found.value]
          const working = all.filter(({ key }) => key.revokedAt === undefined)
          const isWorking = (operating: OwnedKey) => working.some(({ key }) => key.id === operating.key.id)
          if (working.length > 0) yield* keepAnOperator(keys, isWorking)
          yield* Effect.forEach(working, ({ key }) => keys.revoke(key.id, at), { discard: true })
          return {
            value: { ...key, revokedAt: key.revokedAt ?? at },
            changes: working.map(({ account, key }) =>
              ({ action: "key.revoked", account, keyId: key.id, before: termsOf(key) }) as const
            ),
          }
        }).pipe(Effect.ensuring(Effect.sync(callerCache.forget)))
      },
    )

    /** Those of the keys with which no agent may call any more: revoked, over, or of an account without MCP. */
    const withoutMcp = Effect.fn("Keys.withoutMcp")(function* (ids: ReadonlyArray<KeyId>) {
      return ids.length === 0 ? [] : yield* keys.withoutMcp(ids, yield* currentMillis)
    })

    /** Of each account that ever had a key: how many work now, and when one was used last. */
    const uses = Effect.flatMap(currentMillis, keys.uses).pipe(Effect.withSpan("Keys.uses"))

    /** The key of an id, working or not, and whose it is. */
    const find = Effect.fn("Keys.find")(keys.find)

    return { ofAccount, page, find, uses, issue, revoke, withoutMcp }
  }),
) {}

const alreadyExpired = new InvalidRequest({ errors: issueAbout("expiresAt", "must be in the future") })

const outlives = (end: EpochMillis) =>
  new InvalidRequest({
    errors: issueAbout(
      "expiresAt",
      `must not be after ${toIsoDate(end)}, when the key ends that issues this key or that it replaces`,
    ),
  })

const isActiveKey = ({ expiresAt, revokedAt }: ApiKeyRecord, at: EpochMillis): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > at)

const makerOf = (actor: Actor): Pick<ApiKeyRecord, "madeBy"> =>
  actor.type === "key" ? { madeBy: actor.keyId } : {}

const termsOf = ({ label, scopes, expiresAt }: ApiKeyRecord): KeyTerms => ({
  ...defined({ label }),
  scopes,
  ...defined({ expiresAt }),
})
