import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { KeyId } from "#domain/accounts/Key.ts"
import { about, accountPath, idIn, ofOne, optionalBody, reading, writing } from "./endpoint.ts"
import { needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import {
  AcceptedEndBody,
  AccountBody,
  AccountChangesBody,
  AccountPageParameters,
  AuditEntryBody,
  AuditParameters,
  EndAcceptanceBody,
  IssuedKeyBody,
  KeyBody,
  KeyPageParameters,
  listLimit,
  MerchantBody,
  MovedSwapBody,
  NewAccountBody,
  NewKeyBody,
  RevocationParameters,
  RoutePairParameters,
  RouteRuleBody,
  RouteRulesBody,
  SwapMoveBody,
} from "./OperatorBodies.ts"
import { JournalBody, JournalParameters } from "./Status.ts"
import { swapPath } from "./SwapRecord.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "./Problems.ts"
import { AlertPlace, ToldAlert } from "#domain/operations/Alert.ts"

export const AlertPageParameters = Schema.Struct({
  offset: Schema.optionalKey(AlertPlace.annotate({
    description:
      "Place to start from, itself included: the `state` and the `id` of an alert with `-` in between.",
    examples: [AlertPlace.make("ended-12")],
    message: "must be the state and the id of an alert, such as ended-12",
  })),
  limit: listLimit,
})

/** Endpoints for the operator: what is wrong, and what was. */
export class AlertsGroup extends HttpApiGroup.make("alerts").add(
  HttpApiEndpoint.get("alerts", "/operator/alerts", {
    query: AlertPageParameters,
    success: Schema.Array(ToldAlert.annotate({ identifier: "Alert" })).annotate({
      description:
        'Active alerts first, each part newest first. `Link: rel="next"` leads on when there is more.',
    }),
    error: [BadRequest, ...reading],
  }).annotateMerge(about(
    "listAlerts",
    "List what is wrong, and what was",
    "An alert begins when its fault has lasted for `ALERT_AFTER` and ends when it has been gone for " +
      "`ALERT_OVER_AFTER`. Each also is the metric `swap_broker_alert`, a line of the log and a message to " +
      "`OPERATOR_WEBHOOK_URL` when it begins and when it ends (`alert.began`, `alert.ended`; `data` is the alert as " +
      "here). What could not be asked neither begins nor ends an alert.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(
  needsScope("operate", { title: "Alerts", description: "What the operator has to know of." }),
) {}

const created = HttpApiSchema.status(201)

const leadsOn = '`Link: rel="next"` has the next page.'

/** Endpoints for the operator: accounts, their keys and routes, and the audit log. */
export class OperatorGroup extends HttpApiGroup.make("operator").add(
  HttpApiEndpoint.get("accounts", "/operator/accounts", {
    query: AccountPageParameters,
    success: Schema.Array(AccountBody).annotate({ description: `By name. ${leadsOn}` }),
    error: [BadRequest, ...reading],
  }).annotateMerge(
    about("listAccounts", "List the accounts", "Every account with its terms, suspended ones too."),
  ),
  HttpApiEndpoint.post("createAccount", "/operator/accounts", {
    payload: NewAccountBody,
    success: AccountBody.pipe(created),
    error: [Conflict, ...writing],
  }).annotateMerge(about(
    "createAccount",
    "Create an account",
    "Accounts are separate: each has its own keys, swaps, history and commission.",
  )),
  HttpApiEndpoint.patch("changeAccount", "/operator/accounts/:name", {
    params: accountPath,
    payload: AccountChangesBody,
    success: AccountBody,
    error: [NotFound, Conflict, ...writing],
  }).annotateMerge(about(
    "changeAccount",
    "Change an account; what is absent stays",
    "Takes effect at once on every replica. `default` returns a term to its setting. The last account that can operate the service cannot be suspended.",
  ))
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.get("merchant", "/operator/accounts/:name/merchant", {
    params: accountPath,
    success: MerchantBody,
    error: ofOne,
  }).annotateMerge(about(
    "getMerchant",
    "Show who payers of an account deal with",
    "Name, colour, picture and links of the payer's page of the account's swaps. Nothing where none was set: the page then " +
      "has those of the settings, or the host of the service.",
  )),
  HttpApiEndpoint.put("setMerchant", "/operator/accounts/:name/merchant", {
    params: accountPath,
    payload: MerchantBody,
    success: MerchantBody,
    error: [NotFound, ...writing],
  }).annotateMerge(about(
    "setMerchant",
    "Set who payers of an account deal with; what is absent is taken away",
    "Pages that are open show it when they are loaded again. Whatever is set, the page says which host runs it.",
  ))
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.get("keys", "/operator/accounts/:name/keys", {
    params: accountPath,
    query: KeyPageParameters,
    success: Schema.Array(KeyBody).annotate({
      description: `Every key that the account ever had, newest first. ${leadsOn}`,
    }),
    error: [BadRequest, ...ofOne],
  }).annotateMerge(about(
    "listKeys",
    "List the keys of an account",
    "Keys by their public ids; a key itself is shown only when it is issued.",
  )),
  HttpApiEndpoint.post("issueKey", "/operator/accounts/:name/keys", {
    params: accountPath,
    payload: NewKeyBody,
    success: IssuedKeyBody.pipe(created),
    error: [Forbidden, NotFound, ...writing],
  }).annotateMerge(about(
    "issueKey",
    "Issue a key; the response is the only place where it is shown",
    "Without `scopes` the key may do everything but operate the service and withdraw what it has earned. The key " +
      "of the request has to hold every scope that it gives: otherwise a 403 names those that are missing.",
  ))
    .annotate(OpenApi.Transform, optionalBody),
  HttpApiEndpoint.delete("revokeKey", "/operator/keys/:id", {
    params: {
      id: idIn(KeyId, { named: "key", description: "Public id of a key.", example: "7f3kq2mzr5xwa6hd" }),
    },
    query: RevocationParameters,
    success: KeyBody,
    error: [BadRequest, NotFound, Conflict, ...reading],
  }).annotateMerge(about(
    "revokeKey",
    "Revoke a key for good; within a second no replica accepts it",
    "A caller cannot tell a revoked key from an unknown one. Keys that were issued with it (`madeBy`) go on " +
      "working without `withMade`. The last key that can operate the service cannot be revoked.",
  )),
  HttpApiEndpoint.get("routes", "/operator/accounts/:name/routes", {
    params: accountPath,
    success: RouteRulesBody,
    error: ofOne,
  }).annotateMerge(about(
    "listRoutes",
    "List the route rules of an account",
    "Which pairs the account may and may not swap. Without a rule every pair is allowed.",
  )),
  HttpApiEndpoint.put("setRoute", "/operator/accounts/:name/routes", {
    params: accountPath,
    payload: RouteRuleBody,
    success: RouteRulesBody,
    error: [NotFound, ...writing],
  }).annotateMerge(about(
    "setRoute",
    "Allow or deny an account a pair",
    "The most specific rule wins: pair, asset, all (`*` to `*`). If two asset rules conflict (`btc.btc` to `*`, and " +
      "`*` to `eth.eth`), deny wins. A pair without a rule is allowed.",
  )),
  HttpApiEndpoint.delete("removeRoute", "/operator/accounts/:name/routes", {
    params: accountPath,
    query: RoutePairParameters,
    success: RouteRulesBody,
    error: [NotFound, BadRequest, ...reading],
  }).annotateMerge(
    about("removeRoute", "Remove the rule of a pair", "Afterwards the next rule that fits the pair counts."),
  ),
  HttpApiEndpoint.get("audit", "/operator/audit", {
    query: AuditParameters,
    success: Schema.Array(AuditEntryBody).annotate({ description: `Newest first. ${leadsOn}` }),
    error: [BadRequest, ...reading],
  }).annotateMerge(about(
    "listAudit",
    "List every change of the operator's, with who made it",
    "Who changed what and when, with how it was before. Nothing is ever taken out of it, and no secret is in it.",
  )),
  HttpApiEndpoint.get("swapJournal", "/operator/swaps/:id/journal", {
    params: swapPath,
    query: JournalParameters,
    success: JournalBody,
    error: [BadRequest, ...ofOne],
  }).annotateMerge(about(
    "getAnySwapJournal",
    "Everything that happened to a swap of any account",
    "As `GET /swaps/{id}/journal`, for a swap of any account.",
  )),
  HttpApiEndpoint.post("acceptEnd", "/operator/swaps/:id/accept", {
    params: swapPath,
    payload: EndAcceptanceBody,
    success: AcceptedEndBody,
    error: [NotFound, Conflict, ...writing],
  }).annotateMerge(about(
    "acceptEnd",
    "Accept the result of a disputed swap",
    "For a swap whose provider reports a completion that is not possible (`provider_contradicts`), after " +
      "its payments were checked on their chains. The swap then ends as the journal's entry says, for its " +
      "account, its commission and its webhooks. A 409 where the end is not disputed, or the provider tells " +
      "another one by now. To accept it again does nothing.",
  )),
  HttpApiEndpoint.post("moveSwap", "/operator/swaps/:id/move", {
    params: swapPath,
    payload: SwapMoveBody,
    success: MovedSwapBody,
    error: [NotFound, ...writing],
  }).annotateMerge(about(
    "moveSwap",
    "Move a swap to another account",
    "For a swap without a channel that fits payloads of several accounts, and was credited to the wrong " +
      "one. Its history, deposits, commission and events go with it; the new account gets an event, and the " +
      "previous one no longer sees it. An `Idempotency-Key` that it was opened under stays where it is.",
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(needsScope("operate", {
  title: "Operator",
  description: "Accounts, their keys and routes, and the log of changes.",
})) {}
