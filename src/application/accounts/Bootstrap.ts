import { Data, Effect, Option, Redacted, Schema } from "effect"
import { type Account, AccountName, type AccountTerms } from "#domain/accounts/Account.ts"
import type { Bps } from "#domain/money/Bps.ts"
import { type KeyId, type KeyTerms, Scope } from "#domain/accounts/Key.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import type { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import type { CallersRepo } from "#infrastructure/store/accounts/CallersRepo.ts"
import type { KeySecret, KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"
import type { KeysRepo } from "#infrastructure/store/accounts/KeysRepo.ts"
import { formOf, hashKey, KeyForm, minimumKeyLength, newKey, newKeyId } from "./ApiKey.ts"
import { accountDefaults } from "./accountTerms.ts"

/** The first key is too easy to guess, or is one of ours that was copied wrongly. */
export class BootstrapKeyUnusable extends Schema.TaggedError<BootstrapKeyUnusable>()("BootstrapKeyUnusable", {
  reason: Schema.Literals(["too short", "mistyped"]),
}) {
  override get message(): string {
    return this.reason === "too short"
      ? `BOOTSTRAP_API_KEY must have ${minimumKeyLength} characters or more`
      : "BOOTSTRAP_API_KEY begins like a key of this service, but its checksum does not fit: copy it whole, " +
        "or choose one that begins otherwise"
  }
}

/** Options of the first account. */
export interface BootstrapOptions {
  /** The key that the operator chose, if any. */
  readonly key: Option.Option<Redacted.Redacted<string>>
  readonly commissionBps: Bps
  /** Whether to make a key where the operator chose none: in the sandbox, never in live mode. */
  readonly generate: boolean
}

export type Bootstrap = Data.TaggedEnum<{
  /** There already are accounts, from an earlier start or from another replica. */
  HasAccounts: {
    /** Whether the operator chose a key that nobody can call with: no account has it, or no longer. */
    readonly isKeyIgnored: boolean
  }
  /** There is no account, no key was chosen and none may be made: nobody can call the service. */
  NoAccount: object
  Created: {
    readonly account: Account
    /** The generated key, to be shown this once; none when the operator chose the key. */
    readonly generatedKey: Option.Option<Redacted.Redacted<string>>
  }
}>
export const Bootstrap = Data.taggedEnum<Bootstrap>()

/** The repositories of a first start. */
export interface Bootstrapping {
  readonly accounts: AccountsRepo["Service"]
  readonly keys: KeysRepo["Service"]
  readonly secret: KeySecretRepo["Service"]
  readonly audit: AuditRepo["Service"]
  readonly callers: CallersRepo["Service"]
}

interface FirstKey {
  readonly id: KeyId
  readonly key: Redacted.Redacted<string>
}

const name = AccountName.make("default")
const terms: KeyTerms = { label: "bootstrap", scopes: Scope.literals }

const made = (secret: KeySecret): FirstKey => {
  const id = newKeyId()
  return { id, key: newKey(id, secret) }
}

const chosen = (key: Redacted.Redacted<string>): Effect.Effect<FirstKey, BootstrapKeyUnusable> =>
  Redacted.value(key).length < minimumKeyLength
    ? Effect.fail(new BootstrapKeyUnusable({ reason: "too short" }))
    : KeyForm.$match(formOf(key), {
      Ours: ({ id }) => Effect.succeed({ id, key }),
      Foreign: () => Effect.succeed({ id: newKeyId(), key }),
      Impossible: () => Effect.fail(new BootstrapKeyUnusable({ reason: "mistyped" })),
    })

/** Creates the account `default`; does nothing if another replica was faster. */
const create = Effect.fnUntraced(function* (
  { accounts, audit, keys }: Bootstrapping,
  { id, key }: FirstKey,
  commissionBps: Bps,
) {
  const at = yield* currentMillis
  const after: AccountTerms = { ...accountDefaults, commissionBps }
  return yield* audit.recorded("Accounts.bootstrap", { actor: { type: "bootstrap" }, at }, function* () {
    if (!(yield* accounts.isEmpty)) return { value: Option.none<Account>(), changes: [] }
    const account = yield* accounts.add({ name, terms: after, createdAt: at })
    yield* keys.add({ id, accountId: account.id, secretHash: hashKey(key), terms, createdAt: at })
    return {
      value: Option.some(account),
      changes: [
        { action: "account.created", account: name, after },
        { action: "key.issued", account: name, keyId: id, after: terms },
      ],
    } as const
  })
})

/** The outcome where there already are accounts. A configured key that is in use is not worth a warning. */
const hasAccounts = Effect.fnUntraced(function* (
  { callers }: Bootstrapping,
  key: Option.Option<Redacted.Redacted<string>>,
) {
  if (Option.isNone(key)) return Bootstrap.HasAccounts({ isKeyIgnored: false })
  const caller = yield* callers.byKeyHash(hashKey(key.value))
  return Bootstrap.HasAccounts({ isKeyIgnored: Option.isNone(caller) })
})

/** Creates the account `default` when there is no account (`Accounts.bootstrap`). */
export const makeBootstrap = (needs: Bootstrapping) =>
  Effect.fn("Accounts.bootstrap")(function* ({ key, commissionBps, generate }: BootstrapOptions) {
    if (!(yield* needs.accounts.isEmpty)) return yield* hasAccounts(needs, key)
    if (Option.isNone(key) && !generate) return Bootstrap.NoAccount()
    const first = Option.isSome(key) ? yield* chosen(key.value) : made(yield* needs.secret.get)
    const account = yield* create(needs, first, commissionBps)
    if (Option.isNone(account)) return yield* hasAccounts(needs, key)
    return Bootstrap.Created({
      account: account.value,
      generatedKey: Option.isNone(key) ? Option.some(first.key) : Option.none(),
    })
  })
