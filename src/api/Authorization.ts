import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { Caller } from "#domain/accounts/Account.ts"
import type { Actor } from "#domain/operations/Audit.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import { BadRequest, Forbidden, ServiceUnavailable, TooManyRequests, Unauthorized } from "./Problems.ts"

/** The scopes that a key needs for the endpoints of a group, all of them; if the group has none, any key is enough. */
export class RequiredScopes extends Context.Service<RequiredScopes, ReadonlyArray<Scope>>()(
  "swap-broker/api/Authorization/RequiredScopes",
) {}

/** Annotates a group with the scopes that it needs, for `Authorization` and for the documentation. */
export const needsScope = (
  needed: Scope | readonly [Scope, ...ReadonlyArray<Scope>],
  { title, description }: { readonly title: string; readonly description: string },
) => {
  const scopes = typeof needed === "string" ? [needed] : needed
  const named = scopes.map((scope) => `\`${scope}\``).join(" and ")
  const noun = scopes.length === 1 ? "scope" : "scopes"
  return Context.add(
    OpenApi.annotations({ title, description: `${description} Needs a key with the ${noun} ${named}.` }),
    RequiredScopes,
    scopes,
  )
}

/** The account whose credential came with the request. */
export class CurrentAccount
  extends Context.Service<CurrentAccount, Caller>()("swap-broker/api/Authorization/CurrentAccount") {}

/** The actor of the present request, as the audit log names it. */
export class CurrentActor
  extends Context.Service<CurrentActor, Actor>()("swap-broker/api/Authorization/CurrentActor") {}

/** The three ways to send a key, which are equivalent. */
const security = {
  // The first scheme's handler serves all schemes: it alone looks for a key without failing if there is none.
  bearer: HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "API key as a bearer token."),
  ),
  apiKeyHeader: HttpApiSecurity.apiKey({ in: "header", key: "X-API-Key" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "API key as a header."),
  ),
  apiKeyQuery: HttpApiSecurity.apiKey({ in: "query", key: "apiKey" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "API key as a query parameter; its name in any case."),
  ),
}

const error = [BadRequest, Unauthorized, Forbidden, TooManyRequests, ServiceUnavailable] as const

/**
 * Turns the API key of a request into its account. The key is taken from the query (`apiKey`, in any case), from
 * `X-API-Key`, or from `Authorization: Bearer`; two different keys are a 400 (decision 1). 403 where the key lacks the
 * scope of the group, the account is suspended and the group does more than read, or the calling page has an origin
 * that the account does not allow. 429 where the key has used up its limit, or the address has sent too many wrong
 * keys.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, {
  provides: CurrentAccount | CurrentActor
}>()("swap-broker/api/Authorization", { security, error }) {}

/**
 * Authorises the operator's changes of any account. Handlers get only the actor, as the request belongs to no account.
 */
export class OperatorAuthorization extends HttpApiMiddleware.Service<OperatorAuthorization, {
  provides: CurrentActor
}>()("swap-broker/api/OperatorAuthorization", { security, error }) {}

/** As `Authorization`, unless the operator opened report cards to all. Handlers get no account. */
export class ReportCardAuthorization extends HttpApiMiddleware.Service<ReportCardAuthorization>()(
  "swap-broker/api/ReportCardAuthorization",
  { security, error },
) {}

/** Answers a request with invalid parameters with one 400 that names every fault (decision 15). */
export class ParameterFaults extends HttpApiMiddleware.Service<ParameterFaults>()(
  "swap-broker/api/ParameterFaults",
  { error: BadRequest },
) {}

/** The same for endpoints with rules over all parameters together, which depend on the caller's account. */
export class RuleFaults extends HttpApiMiddleware.Service<RuleFaults, {
  requires: CurrentAccount
}>()("swap-broker/api/RuleFaults", { error: BadRequest }) {}
