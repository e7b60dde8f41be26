import { Effect, Option, Schema } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Accounts } from "#application/accounts/Accounts.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import { type Caller, mayBeginFrom, originAllowed, type RequestOrigin } from "#domain/accounts/Account.ts"
import { Scope } from "#domain/accounts/Key.ts"
import { RequestMeta } from "./RequestMeta.ts"

/** The API key is missing, unknown, revoked or expired: the same answer for all of them (decision 1). */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {}

/** The key is known, but lacks a scope. */
export class ScopeMissing extends Schema.TaggedError<ScopeMissing>()("ScopeMissing", { scope: Scope }) {}

/** The account is suspended, and may only look at the swaps it has. */
export class AccountSuspended extends Schema.TaggedError<AccountSuspended>()("AccountSuspended", {}) {}

/** The operator has turned MCP off for the account. */
export class McpDenied extends Schema.TaggedError<McpDenied>()("McpDenied", {}) {}

/** The account allows no calls from pages of this origin. */
export class OriginDenied extends Schema.TaggedError<OriginDenied>()("OriginDenied", {}) {}

/** The account's keys are for the pages that it lists, and the request comes from none of them. */
export class OriginMissing extends Schema.TaggedError<OriginMissing>()("OriginMissing", {}) {}

/** The scopes that a suspended account keeps: its funds under way can still be followed. */
const lookingScopes: ReadonlyArray<Scope> = ["status", "history"]

/** A request to check: the scopes that it needs, if any, and the origin of the page that sends it, if a page does. */
export interface RequestToAuthorise {
  readonly scopes: ReadonlyArray<Scope>
  readonly origin: string | undefined
  /** Where a request comes from that begins a swap. */
  readonly begins?: RequestOrigin
}

/** Where a request comes from and goes to, as a browser says it. */
export const passageOf = ({ headers }: HttpServerRequest.HttpServerRequest): RequestOrigin => ({
  origin: headers.origin,
  site: headers["sec-fetch-site"],
  host: headers.host,
})

/** The reason why a caller may not make a request; nothing where it may. */
export const authorise = (
  caller: Caller,
  { begins, origin, scopes }: RequestToAuthorise,
): AccountSuspended | OriginDenied | OriginMissing | ScopeMissing | undefined => {
  const missing = scopes.find((scope) => !caller.scopes.includes(scope))
  if (missing !== undefined) return new ScopeMissing({ scope: missing })
  const looks = scopes.length > 0 && scopes.every((scope) => lookingScopes.includes(scope))
  if (caller.suspended && !looks) return new AccountSuspended()
  if (!originAllowed(caller.allowedOrigins, origin)) return new OriginDenied()
  return begins === undefined || mayBeginFrom(caller.allowedOrigins, begins) ? undefined : new OriginMissing()
}

/** The caller of a long stream as it is now; none once its key or account may not listen. */
export const listenerOf = Effect.fnUntraced(function* (
  accounts: Accounts["Service"],
  scopes: ReadonlyArray<Scope>,
) {
  const caller = yield* CurrentAccount
  const { credentials: [key] } = yield* RequestMeta
  const { headers: { origin } } = yield* HttpServerRequest.HttpServerRequest
  if (key === undefined) return Effect.succeedNone
  return accounts.authenticate(key).pipe(
    Effect.map(Option.filter((found) => authorise(found, { scopes, origin }) === undefined)),
    // Where the database is away keys cannot be looked up; the stream has no more rights than it began with.
    Effect.orElseSucceed(() => Option.some(caller)),
  )
})

/** The check before each event of a stream, which ends once the key or the account may not listen any more. */
export const mayListen = (accounts: Accounts["Service"], scopes: ReadonlyArray<Scope>) =>
  Effect.map(listenerOf(accounts, scopes), Effect.map(Option.isSome))
