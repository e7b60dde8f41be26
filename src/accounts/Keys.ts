import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { AccountName } from "../domain/Account.ts"
import type { Actor } from "../domain/Audit.ts"
import { InvalidRequest, issueAbout } from "../domain/Issues.ts"
import type { ApiKeyRecord, KeyId, KeyTerms } from "../domain/Key.ts"
import { type Page, pageOf, type PageQuery } from "../domain/Page.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { AuditRepo, type Changed } from "../store/accounts/AuditRepo.ts"
import { KeySecretRepo } from "../store/accounts/KeySecretRepo.ts"
import { KeysRepo } from "../store/accounts/KeysRepo.ts"
import { Accounts } from "./Accounts.ts"
import { hashKey, newKey, newKeyId } from "./ApiKey.ts"
import { defaultScopes } from "./defaults.ts"
import { type AccountUnknown, KeyUnknown, type LastOperator } from "./failures.ts"
import { CallerCache } from "./CallerCache.ts"
import { keepAnOperator } from "./operators.ts"

/** A key that was just issued. */
export interface IssuedKey {
  readonly record: ApiKeyRecord
  /** The key itself, which is kept nowhere: it is shown now or never. */
  readonly key: Redacted.Redacted<string>
}

/** The API keys of the accounts. An account can have any number of keys, so that one can be replaced without a gap. */
export class Keys extends Context.Service<Keys, {
  /** Every key that the account ever had, the latest first. */
  readonly ofAccount: (
    account: AccountName,
  ) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, AccountUnknown | StoreUnavailable>
  /** A page of the account's keys, in the same order. */
  readonly page: (
    account: AccountName,
    query: PageQuery<KeyId>,
  ) => Effect.Effect<Page<ApiKeyRecord, KeyId>, AccountUnknown | StoreUnavailable>
  /** Issues a key, with every scope but `operate` unless scopes are given. It works at once. */
  readonly issue: (
    account: AccountName,
    terms: Partial<KeyTerms>,
    by: Actor,
  ) => Effect.Effect<IssuedKey, AccountUnknown | InvalidRequest | StoreUnavailable>
  /**
   * Revokes a key for ever: it is refused here at once, elsewhere within a second. Revoking it again does nothing. The
   * last key that can operate the service is never revoked.
   */
  readonly revoke: (
    id: KeyId,
    by: Actor,
  ) => Effect.Effect<ApiKeyRecord, KeyUnknown | LastOperator | StoreUnavailable>
  /** Those of the keys with which no agent may call any more: revoked, over, or of an account without MCP. */
  readonly withoutMcp: (ids: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<KeyId>, StoreUnavailable>
}>()("swap-broker/accounts/Keys") {
  static readonly layer: Layer.Layer<
    Keys,
    never,
    Accounts | KeysRepo | KeySecretRepo | AuditRepo | CallerCache
  > = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const keys = yield* KeysRepo
      const audit = yield* AuditRepo
      const known = yield* CallerCache
      const secret = yield* KeySecretRepo

      const ofAccount = Effect.fn("Keys.ofAccount")(function* (account: AccountName) {
        return yield* keys.ofAccount((yield* accounts.find(account)).id)
      })

      const page = Effect.fn("Keys.page")(function* (account: AccountName, query: PageQuery<KeyId>) {
        const { id } = yield* accounts.find(account)
        const found = yield* keys.page(id, { ...query, limit: query.limit + 1 })
        return pageOf(found, query.limit, (key) => key.id)
      })

      const issue = Effect.fn("Keys.issue")(
        function* (account: AccountName, { scopes, ...terms }: Partial<KeyTerms>, actor: Actor) {
          const at = yield* currentMillis
          const id = newKeyId()
          const key = newKey(id, yield* secret.get)
          const after: KeyTerms = { scopes: scopes ?? defaultScopes, ...terms }
          if (after.expiresAt !== undefined && after.expiresAt <= at) return yield* alreadyExpired
          const work = Effect.gen(
            function* (): Effect.fn.Return<Changed<IssuedKey>, AccountUnknown | StoreUnavailable> {
              const accountId = (yield* accounts.find(account)).id
              yield* keys.add({ id, accountId, secretHash: hashKey(key), terms: after, createdAt: at })
              return {
                value: { key, record: { id, ...after, createdAt: at } },
                changes: [{ action: "key.issued", account, keyId: id, after }],
              }
            },
          )
          return yield* audit.recorded("Keys.issue", { actor, at }, work)
        },
      )

      const revoke = Effect.fn("Keys.revoke")(function* (id: KeyId, actor: Actor) {
        const at = yield* currentMillis
        const work = Effect.gen(
          function* (): Effect.fn.Return<
            Changed<ApiKeyRecord>,
            KeyUnknown | LastOperator | StoreUnavailable
          > {
            const found = yield* keys.find(id)
            if (Option.isNone(found)) return yield* new KeyUnknown({ id })
            const { account, key } = found.value
            if (key.revokedAt !== undefined) return { value: key, changes: [] }
            yield* keepAnOperator(keys, (operating) => operating.key.id === id)
            yield* keys.revoke(id, at)
            return {
              value: { ...key, revokedAt: at },
              changes: [{ action: "key.revoked", account, keyId: id, before: termsOf(key) }],
            }
          },
        )
        return yield* audit.recorded("Keys.revoke", { actor, at }, work).pipe(
          Effect.ensuring(Effect.sync(known.forget)),
        )
      })

      const withoutMcp = Effect.fn("Keys.withoutMcp")(function* (ids: ReadonlyArray<KeyId>) {
        return ids.length === 0 ? [] : yield* keys.withoutMcp(ids, yield* currentMillis)
      })

      return Keys.of({ ofAccount, page, issue, revoke, withoutMcp })
    }),
  )
}

const alreadyExpired = new InvalidRequest({ errors: issueAbout("expiresAt", "must lie in the future") })

const termsOf = ({ label, scopes, expiresAt }: ApiKeyRecord): KeyTerms => ({
  ...(label === undefined ? {} : { label }),
  scopes,
  ...(expiresAt === undefined ? {} : { expiresAt }),
})
