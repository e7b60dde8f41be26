import { Effect, Equal, Option, type Redacted } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { type AccountName, type TermChanges, termsWith } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import { pageOf, type PageQuery } from "#domain/Page.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { CallersRepo } from "#infrastructure/store/accounts/CallersRepo.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"
import { KeysRepo } from "#infrastructure/store/accounts/KeysRepo.ts"
import { issuedId } from "./ApiKey.ts"
import { makeAuthenticate, makeKeyUses } from "./authenticate.ts"
import { makeBootstrap } from "./Bootstrap.ts"
import { accountDefaults, makeRequireProviders, ServiceTerms } from "./accountTerms.ts"
import { AccountExists, AccountUnknown } from "./failures.ts"
import { CallerCache } from "./CallerCache.ts"
import { keepAnOperator } from "./operators.ts"

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
