import { Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import type { Account } from "../domain/Account.ts"
import type { Bps } from "../domain/Bps.ts"
import type { StoreUnavailable } from "../domain/StoreError.ts"
import { currentMillis } from "../platform/currentMillis.ts"
import { AccountsRepo } from "../store/AccountsRepo.ts"
import { generateKey, hashKey, minimumKeyLength, sameHash } from "./ApiKey.ts"
import { KnownKeys } from "./KnownKeys.ts"

/** The first key is too easy to guess. */
export class BootstrapKeyTooShort
  extends Schema.TaggedError<BootstrapKeyTooShort>()("BootstrapKeyTooShort", {}) {
  override get message(): string {
    return `BOOTSTRAP_API_KEY must have ${minimumKeyLength} characters or more`
  }
}

/** How the first account comes into being (operation.md). */
export interface BootstrapOptions {
  /** The key that the operator chose. */
  readonly key: Option.Option<Redacted.Redacted<string>>
  readonly commissionBps: Bps
  /** Make a key where the operator chose none: in the sandbox, never in live mode. */
  readonly generate: boolean
}

/** What came of it. */
export type Bootstrap = Data.TaggedEnum<{
  /** There are accounts already, from an earlier start or another replica. */
  HasAccounts: object
  /** There is no account, no key was chosen and none may be made: nobody can call. */
  NoAccount: object
  Created: {
    readonly account: Account
    /** The key that was made, to be shown this once; none when the operator chose it. */
    readonly generatedKey: Option.Option<Redacted.Redacted<string>>
  }
}>
export const Bootstrap = Data.taggedEnum<Bootstrap>()

const noHash = new Uint8Array(32)

/** Who calls: the accounts and their keys. */
export class Accounts extends Context.Service<Accounts, {
  /**
   * The account that a key belongs to. Looked up by the key's hash, then compared in constant time; an
   * unknown key takes the same path. A key that was found is not looked up again for a second.
   */
  readonly authenticate: (
    key: Redacted.Redacted<string>,
  ) => Effect.Effect<Option.Option<Account>, StoreUnavailable>
  /** Creates the account `default` when there is none at all; exactly one of several replicas does it. */
  readonly bootstrap: (
    options: BootstrapOptions,
  ) => Effect.Effect<Bootstrap, StoreUnavailable | BootstrapKeyTooShort>
}>()("swap-broker/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const repo = yield* AccountsRepo

      const known = new KnownKeys()

      const authenticate = Effect.fnUntraced(function* (key: Redacted.Redacted<string>) {
        const hash = hashKey(key)
        const now = yield* currentMillis
        const account = known.find(hash, now)
        if (account !== undefined) return Option.some(account)
        const match = yield* repo.findByKeyHash(hash)
        const same = sameHash(
          hash,
          Option.match(match, { onNone: () => noHash, onSome: (found) => found.keyHash }),
        )
        if (!same || Option.isNone(match)) return Option.none()
        known.add(hash, match.value.account, now)
        return Option.some(match.value.account)
      })

      const create = Effect.fnUntraced(function* (
        key: Redacted.Redacted<string>,
        options: BootstrapOptions,
      ) {
        const created = yield* repo.createFirst({
          name: "default",
          commissionBps: options.commissionBps,
          keyHash: hashKey(key),
          createdAt: yield* currentMillis,
        })
        return Option.match(created, {
          onNone: () => Bootstrap.HasAccounts(),
          onSome: (account) =>
            Bootstrap.Created({
              account,
              generatedKey: Option.isNone(options.key) ? Option.some(key) : Option.none(),
            }),
        })
      })

      const bootstrap = Effect.fn("Accounts.bootstrap")(function* (options: BootstrapOptions) {
        if (!(yield* repo.isEmpty)) return Bootstrap.HasAccounts()
        if (Option.isSome(options.key) && Redacted.value(options.key.value).length < minimumKeyLength) {
          return yield* new BootstrapKeyTooShort()
        }
        if (Option.isNone(options.key) && !options.generate) return Bootstrap.NoAccount()
        return yield* create(Option.getOrElse(options.key, generateKey), options)
      })

      return Accounts.of({ authenticate, bootstrap })
    }),
  )
}
