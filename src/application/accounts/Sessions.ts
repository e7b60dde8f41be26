import { Effect, Option, type Redacted } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountName, Caller } from "#domain/accounts/Account.ts"
import { type Actor, actorOf, type KeyRefusal } from "#domain/operations/Audit.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Viewer } from "#domain/accounts/Viewer.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AccountsRepo } from "#infrastructure/store/accounts/AccountsRepo.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { CallersRepo } from "#infrastructure/store/accounts/CallersRepo.ts"
import { type Holder, SessionsRepo } from "#infrastructure/store/accounts/SessionsRepo.ts"
import { AccountUnknown } from "./failures.ts"
import { hashOf, randomToken } from "./token.ts"

/** How long a session of the dashboard lasts. */
export const sessionMillis = 12 * 3_600_000

/** How long a portal link can be used. */
export const linkMillis = 5 * 60_000

/** A token that was just made. Only its hash is kept. */
export interface Token {
  readonly token: Redacted.Redacted<string>
  readonly expiresAt: EpochMillis
}

const newToken = (now: EpochMillis, millis: number): Token => ({
  token: randomToken(),
  expiresAt: EpochMillis.make(now + millis),
})

/** Whether a key with the scope `operate` may be used at this time, by its caller's account and its own end. */
const mayOperate = ({ scopes, suspended }: Caller, expiresAt: EpochMillis | undefined, now: EpochMillis) =>
  scopes.includes("operate") && !suspended && (expiresAt === undefined || now < expiresAt)

/** Sessions of the dashboard. Each request reads the database, so that an end, also of key or account, counts at once. */
export class Sessions extends service<Sessions>()(
  "swap-broker/accounts/Sessions",
  Effect.gen(function* () {
    const accounts = yield* AccountsRepo
    const audit = yield* AuditRepo
    const callers = yield* CallersRepo
    const sessions = yield* SessionsRepo

    /** The caller of the key that a session ends with, where that key may still operate the service. */
    const operating = Effect.fnUntraced(function* (keyHash: Uint8Array, now: EpochMillis) {
      const match = yield* callers.byKeyHash(keyHash)
      return Option.flatMap(
        match,
        ({ caller, expiresAt }) => mayOperate(caller, expiresAt, now) ? Option.some(caller) : Option.none(),
      )
    })

    const viewerOf = Effect.fnUntraced(function* (
      { account, keyHash }: Holder,
      now: EpochMillis,
    ): Effect.fn.Return<Option.Option<Viewer>, StoreUnavailable> {
      const caller = keyHash === undefined ? Option.none() : yield* operating(keyHash, now)
      if (account === undefined) return Option.map(caller, (caller) => Viewer.Operator({ caller }))
      if (keyHash !== undefined && Option.isNone(caller)) return Option.none()
      return Option.map(yield* accounts.find(account), (account) => Viewer.Integrator({ account }))
    })

    /** Who holds the session with this token; nobody where there is none, or it has ended. */
    const find = Effect.fn("Sessions.find")(function* (token: Redacted.Redacted<string>) {
      const now = yield* currentMillis
      const holder = yield* sessions.find(hashOf(token), now)
      return Option.isNone(holder) ? Option.none() : yield* viewerOf(holder.value, now)
    })

    /** Begins a session of a caller that may operate the service. */
    const begin = Effect.fn("Sessions.begin")(function* ({ keyId }: Caller) {
      const now = yield* currentMillis
      const made = newToken(now, sessionMillis)
      yield* sessions.add({ tokenHash: hashOf(made.token), expiresAt: made.expiresAt, keyId }, now)
      return made
    })

    /** Writes down that a form of a session came with a key that did not count, and which form that was. */
    const keyRefused = Effect.fn("Sessions.keyRefused")(function* (
      session: Caller,
      after: { readonly form: string; readonly reason: KeyRefusal },
    ) {
      const author = { actor: actorOf(session), at: yield* currentMillis }
      yield* audit.recorded("Sessions.keyRefused", author, function* () {
        return { value: undefined, changes: [{ action: "key.refused", account: session.name, after }] }
      })
    })

    /** Makes a token with which somebody can begin one session that sees this account alone (`enter`). */
    const link = Effect.fn("Sessions.link")(function* (name: AccountName, actor: Actor) {
      const at = yield* currentMillis
      const made = newToken(at, linkMillis)
      const { expiresAt } = made
      return yield* audit.recorded("Sessions.link", { actor, at }, function* () {
        const account = yield* accounts.find(name)
        if (Option.isNone(account)) return yield* new AccountUnknown({ name })
        yield* sessions.addLink({
          tokenHash: hashOf(made.token),
          expiresAt,
          account: account.value.id,
          ...(actor.type === "key" ? { keyId: actor.keyId } : {}),
        }, at)
        return { value: made, changes: [{ action: "portal.linked", account: name, after: { expiresAt } }] }
      })
    })

    /** Begins the session of a link, once. None where the link was used, is too old, or its key has ended. */
    const enter = Effect.fn("Sessions.enter")(function* (token: Redacted.Redacted<string>) {
      const now = yield* currentMillis
      const made = newToken(now, sessionMillis)
      const session = { tokenHash: hashOf(made.token), expiresAt: made.expiresAt }
      const holder = yield* sessions.useLink(hashOf(token), session, now)
      if (Option.isNone(holder)) return Option.none()
      return Option.map(yield* viewerOf(holder.value, now), () => made)
    })

    return {
      begin,
      find,
      end: (token: Redacted.Redacted<string>) => sessions.end(hashOf(token)),
      keyRefused,
      link,
      enter,
    }
  }),
) {}
