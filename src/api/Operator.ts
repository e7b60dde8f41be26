import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { Authorization, needsScope, ParameterFaults } from "./Authorization.ts"
import {
  AccountBody,
  AccountChangesBody,
  AccountPageParameters,
  AuditEntryBody,
  AuditParameters,
  IssuedKeyBody,
  KeyBody,
  KeyPageParameters,
  NewAccountBody,
  NewKeyBody,
  RoutePairParameters,
  RouteRuleBody,
  RouteRulesBody,
} from "./OperatorBodies.ts"
import { optionalBody } from "./document.ts"
import { JournalBody, JournalParameters, swapPath } from "./Journal.ts"
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  InternalServerError,
  NotFound,
  ServiceUnavailable,
  UnsupportedMediaType,
} from "./Problems.ts"

const created = HttpApiSchema.status(201)

const account = { name: Schema.String.annotate({ description: "Name of an account." }) }

const reading = [InternalServerError, ServiceUnavailable] as const
const ofOne = [NotFound, ...reading] as const
const writing = [BadRequest, ContentTooLarge, UnsupportedMediaType, ...reading] as const

const leadsOn = '`Link: rel="next"` leads on when there is more.'

/** For the operator: accounts, their keys and routes, and who changed what. */
export class OperatorGroup extends HttpApiGroup.make("operator").add(
  HttpApiEndpoint.get("accounts", "/operator/accounts", {
    query: AccountPageParameters,
    success: Schema.Array(AccountBody).annotate({ description: `By name. ${leadsOn}` }),
    error: [BadRequest, ...reading],
  }).annotate(OpenApi.Summary, "List the accounts"),
  HttpApiEndpoint.post("createAccount", "/operator/accounts", {
    payload: NewAccountBody,
    success: AccountBody.pipe(created),
    error: [Conflict, ...writing],
  }).annotate(OpenApi.Summary, "Create an account"),
  HttpApiEndpoint.patch("changeAccount", "/operator/accounts/:name", {
    params: account,
    payload: AccountChangesBody,
    success: AccountBody,
    error: [NotFound, Conflict, ...writing],
  }).annotate(OpenApi.Summary, "Change an account; what is absent stays")
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.get("keys", "/operator/accounts/:name/keys", {
    params: account,
    query: KeyPageParameters,
    success: Schema.Array(KeyBody).annotate({
      description: `Every key that it ever had, the latest first. ${leadsOn}`,
    }),
    error: [BadRequest, ...ofOne],
  }).annotate(OpenApi.Summary, "List the keys of an account"),
  HttpApiEndpoint.post("issueKey", "/operator/accounts/:name/keys", {
    params: account,
    payload: NewKeyBody,
    success: IssuedKeyBody.pipe(created),
    error: [NotFound, ...writing],
  }).annotate(OpenApi.Summary, "Issue a key; the answer is the only place where it is shown")
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.delete("revokeKey", "/operator/keys/:id", {
    params: { id: Schema.String.annotate({ description: "Public id of a key." }) },
    success: KeyBody,
    error: [NotFound, Conflict, ...reading],
  }).annotate(OpenApi.Summary, "Revoke a key for ever; no replica takes it a second later"),
  HttpApiEndpoint.get("routes", "/operator/accounts/:name/routes", {
    params: account,
    success: RouteRulesBody,
    error: ofOne,
  }).annotate(OpenApi.Summary, "List the route rules of an account"),
  HttpApiEndpoint.put("setRoute", "/operator/accounts/:name/routes", {
    params: account,
    payload: RouteRuleBody,
    success: RouteRulesBody,
    error: [NotFound, ...writing],
  }).annotate(OpenApi.Summary, "Allow or deny an account a pair").annotate(
    OpenApi.Description,
    "The rule of a pair comes before those of its source (`btc.btc` to `*`) and its destination (`*` to " +
      "`eth.eth`), either of which can deny; those before the rule of all pairs (`*` to `*`). A pair without " +
      "any of them is allowed.",
  ),
  HttpApiEndpoint.delete("removeRoute", "/operator/accounts/:name/routes", {
    params: account,
    query: RoutePairParameters,
    success: RouteRulesBody,
    error: [NotFound, BadRequest, ...reading],
  }).annotate(OpenApi.Summary, "Remove the rule of a pair"),
  HttpApiEndpoint.get("audit", "/operator/audit", {
    query: AuditParameters,
    success: Schema.Array(AuditEntryBody).annotate({
      description: `The latest first. ${leadsOn}`,
    }),
    error: [BadRequest, ...reading],
  }).annotate(OpenApi.Summary, "List every change of the operator's, with who made it"),
  HttpApiEndpoint.get("swapJournal", "/operator/swaps/:id/journal", {
    params: swapPath,
    query: JournalParameters,
    success: JournalBody,
    error: [BadRequest, ...ofOne],
  }).annotate(OpenApi.Summary, "Everything that happened to a swap of any account"),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("operate", {
    title: "Operator",
    description: "Accounts, their keys and routes, and who changed what.",
  }),
) {}
