import { Context, Effect, Equal, Layer, Option, type Redacted } from "effect"
import type { Account, AccountName, AccountTerms, Caller } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import type { KeyId } from "#domain/accounts/Key.ts"
import { type Page, pageOf, type PageQuery } from "#domain/Page.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { CallersRepo } from "#infrastructure/store/accounts/CallersRepo.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"
import { KeysRepo } from "#infrastructure/store/accounts/KeysRepo.ts"
import { issuedId } from "./ApiKey.ts"
import { makeAuthenticate, makeKeyUses } from "./authenticate.ts"
import {
  type Bootstrap,
  type BootstrapKeyUnusable,
  type BootstrapOptions,
  makeBootstrap,
} from "./Bootstrap.ts"
import { accountDefaults } from "./accountTerms.ts"
import { AccountExists, AccountUnknown, type LastOperator } from "./failures.ts"
import { CallerCache } from "./CallerCache.ts"
import { keepAnOperator } from "./operators.ts"

/** The accounts and the authentication of callers. Changes take effect here at once, elsewhere within a second. */
export class Accounts extends Context.Service<Accounts, {
  /** The caller of a key, by hash in constant time, cached for a second; malformed keys are not looked up. */
  readonly authenticate: (key: Redacted.Redacted<string>) => StoreEffect<Option.Option<Caller>>
  /** The ID of a key with our MAC: such a key was issued here, and may have been revoked since. */
  readonly issuedId: (key: Redacted.Redacted<string>) => StoreEffect<Option.Option<KeyId>>
  /** Creates the account `default` when there is no account; exactly one of several replicas does so. */
  readonly bootstrap: (options: BootstrapOptions) => StoreEffect<Bootstrap, BootstrapKeyUnusable>
  /** Every account, by name. */
  readonly all: StoreEffect<ReadonlyArray<Account>>
  /** A page of the accounts, by name. */
  readonly page: (query: PageQuery<AccountName>) => StoreEffect<Page<Account, AccountName>>
  readonly find: (name: AccountName) => StoreEffect<Account, AccountUnknown>
  /** Creates an account with these terms, and with the defaults of the terms that are not given. */
  readonly create: (
    name: AccountName,
    terms: Partial<AccountTerms>,
    by: Actor,
  ) => StoreEffect<Account, AccountExists>
  /** Changes the given terms. Never suspends the last account that can operate the service. */
  readonly change: (
    name: AccountName,
    terms: Partial<AccountTerms>,
    by: Actor,
  ) => StoreEffect<Account, AccountUnknown | LastOperator>
}>()("swap-broker/accounts/Accounts") {
  static readonly layer = Layer.effect(Accounts)(Effect.gen(function* () {
    const accounts = yield* AccountsRepo
    const callers = yield* CallersRepo
    const keys = yield* KeysRepo
    const secret = yield* KeySecretRepo
    const audit = yield* AuditRepo
    const known = yield* CallerCache
    const used = yield* makeKeyUses(callers)

    const find = Effect.fnUntraced(function* (name: AccountName) {
      const found = yield* accounts.find(name)
      return yield* Effect.mapError(Effect.fromOption(found), () => new AccountUnknown({ name }))
    })

    const create = Effect.fn("Accounts.create")(
      function* (name: AccountName, terms: Partial<AccountTerms>, actor: Actor) {
        const at = yield* currentMillis
        const after: AccountTerms = { ...accountDefaults, ...terms }
        return yield* audit.recorded("Accounts.create", { actor, at }, function* () {
          if (Option.isSome(yield* accounts.find(name))) return yield* new AccountExists({ name })
          const value = yield* accounts.add({ name, terms: after, createdAt: at })
          return { value, changes: [{ action: "account.created", account: name, after }] }
        })
      },
    )

    const change = Effect.fn("Accounts.change")(
      function* (name: AccountName, terms: Partial<AccountTerms>, actor: Actor) {
        const author = { actor, at: yield* currentMillis }
        return yield* audit.recorded("Accounts.change", author, function* () {
          const account = yield* find(name)
          const before = termsOf(account)
          const after = { ...before, ...terms }
          if (Equal.equals(before, after)) return { value: account, changes: [] }
          if (after.suspended && !before.suspended) {
            yield* keepAnOperator(keys, (operating) => operating.account === name)
          }
          yield* accounts.change(account.id, after)
          return {
            value: { ...account, ...after },
            changes: [{ action: "account.changed", account: name, before, after }],
          }
        }).pipe(Effect.ensuring(Effect.sync(known.forget)))
      },
    )

    return Accounts.of({
      authenticate: makeAuthenticate({ callers, known, used }),
      issuedId: (key) => Effect.map(secret.get, (secret) => Option.fromUndefinedOr(issuedId(key, secret))),
      bootstrap: makeBootstrap({ accounts, audit, callers, keys, secret }),
      all: accounts.all,
      page: (query) =>
        Effect.map(
          accounts.page({ ...query, limit: query.limit + 1 }),
          (found) => pageOf(found, query.limit, ({ name }) => name),
        ),
      find,
      create,
      change,
    })
  }))
}

const termsOf = ({ commissionBps, affiliates, allowedOrigins, mcp, suspended }: Account): AccountTerms => ({
  commissionBps,
  affiliates,
  allowedOrigins,
  mcp,
  suspended,
})
