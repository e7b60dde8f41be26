import { Context } from "effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Caller } from "../domain/Account.ts"
import type { Actor } from "../domain/Audit.ts"
import type { Scope } from "../domain/Key.ts"
import { BadRequest, Forbidden, ServiceUnavailable, TooManyRequests, Unauthorized } from "./Problems.ts"

/** The scopes that a key needs for the endpoints of a group, all of them; without any, any key will do. */
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

/** Who changes something by the request in hand, as the audit log names them. */
export class CurrentActor
  extends Context.Service<CurrentActor, Actor>()("swap-broker/api/Authorization/CurrentActor") {}

/** The three ways to send a key, which are one to us. */
const security = {
  // The first one answers for all, and only this one looks for a key without an error where there is none.
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
 * Turns the API key of a request into its account. The key is taken from the query (`apiKey`, in any case),
 * from `X-API-Key`, or from `Authorization: Bearer`; two different ones are a 400 (decision 1). 403 where the
 * key lacks the scope of the group, the account is suspended and the group does more than to look, or the
 * page that calls is of an origin which the account does not allow.
 * 429 where the key has used up its limit, or the address was wrong about keys too often.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, {
  provides: CurrentAccount | CurrentActor
}>()("swap-broker/api/Authorization", { security, error }) {}

/**
 * The same for what the operator changes of any account, which is nobody's in particular: it is only asked who
 * changes it.
 */
export class OperatorAuthorization extends HttpApiMiddleware.Service<OperatorAuthorization, {
  provides: CurrentActor
}>()("swap-broker/api/OperatorAuthorization", { security, error }) {}

/** Answers a request whose parameters do not fit with one 400 that names every fault (decision 15). */
export class ParameterFaults extends HttpApiMiddleware.Service<ParameterFaults>()(
  "swap-broker/api/ParameterFaults",
  { error: BadRequest },
) {}

/** The same where there are rules over all parameters of a request, which depend on whose it is. */
export class RuleFaults extends HttpApiMiddleware.Service<RuleFaults, {
  requires: CurrentAccount
}>()("swap-broker/api/RuleFaults", { error: BadRequest }) {}
