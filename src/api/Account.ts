import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Account, AccountTerms } from "#domain/accounts/Account.ts"
import { OwnTerms } from "#domain/accounts/OwnTerms.ts"
import { KeyId, KeyTerms } from "#domain/accounts/Key.ts"
import { Authorization, needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { about, accountPath, reading } from "./endpoint.ts"
import { maybe, member } from "./shape.ts"
import { RequestErrors } from "#domain/RequestError.ts"
import { rowLimit, time } from "./parameterKinds.ts"
import { BadRequest, NotFound } from "./Problems.ts"
import { optional } from "#domain/optional.ts"

export const mostErrors = 500

export const RequestErrorsParameters = Schema.Struct({
  from: optional(time(
    "Epoch milliseconds of the first requests; 24 hours before `to` when absent. The whole hour is in.",
  )),
  to: optional(time("Epoch milliseconds of the last requests; now when absent. The whole hour is in.")),
  limit: optional(rowLimit("kinds to list", { most: mostErrors, usual: 100 })),
})
export type RequestErrorsParameters = typeof RequestErrorsParameters.Type

const { fields } = RequestErrors

const RequestErrorsBody = Schema.Struct({
  ...fields,
  endpoint: fields.endpoint.annotate({
    description: "The `operationId` of the endpoint.",
    examples: ["openSwap"],
  }),
  status: fields.status.annotate({
    description: "Status of the problem; of a JSON-RPC error the one that the endpoint beside it would have.",
  }),
  code: maybe.text("Code of the problem, if it had one."),
  kind: fields.kind.annotate({
    description: "Name of the failure, finer than the status. New ones can be added.",
    examples: ["InvalidRequest"],
  }),
  count: fields.count.annotate({ description: "How many requests failed so." }),
  parameters: fields.parameters.annotate({
    description: "Parameters that were at fault; `(other)` stands for names that the contract does not have.",
  }),
  example: fields.example.annotate({
    description:
      "Sentence of one of the latest problems, with … for every value; empty where an upstream wrote it.",
  }),
}).annotate({ identifier: "RequestErrors" })

const list = {
  query: RequestErrorsParameters,
  success: Schema.Array(RequestErrorsBody).annotate({ description: "The most frequent first." }),
} as const

const counted = "Failed requests are counted by endpoint, status, code and kind of failure for each hour, " +
  "and kept for `REQUEST_ERRORS_KEEP` (30 days). Nothing that a request brought is kept. Those of " +
  "other replicas appear after some seconds; a process that is killed loses its own of these seconds. Requests without a valid key belong to no account."

const ofList = [BadRequest, ...reading] as const

/** What failed of the account's own requests. */
export class RequestErrorsGroup extends HttpApiGroup.make("requestErrors").add(
  HttpApiEndpoint.get("list", "/errors", { ...list, error: ofList }).annotateMerge(
    about("listRequestErrors", "List failed requests", counted),
  ),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  needsScope("history", { title: "Request errors", description: "Failed requests of the account, counted." }),
) {}

/** What failed of the requests of any account. */
export class OperatorRequestErrorsGroup extends HttpApiGroup.make("operatorRequestErrors").add(
  HttpApiEndpoint.get("list", "/operator/accounts/:name/errors", {
    ...list,
    params: accountPath,
    error: [NotFound, ...ofList],
  }).annotateMerge(about(
    "listAccountRequestErrors",
    "List which requests of an account failed, and how often",
    `As \`GET /errors\`, for any account. ${counted}`,
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(needsScope("operate", {
  title: "Request errors of any account",
  description: "Failed requests of any account, counted.",
})) {}

const { affiliates, allowedOrigins, commissionBps, mcp } = AccountTerms.fields

/** The account of a request and its key, as the caller may know them. */
export const OwnAccountBody = Schema.Struct({
  name: Account.fields.name,
  commissionBps: member.of(commissionBps, "Commission in basis points, which a request can raise."),
  affiliates: member.of(affiliates, "Whether affiliates may share in the commission."),
  allowedOrigins: member.of(allowedOrigins, "Origins of the pages that may call in a browser; `*`: all."),
  mcp: member.of(mcp, "Whether agents may call `POST /mcp`."),
  ...OwnTerms.fields,
  key: member.of(
    Schema.Struct({ id: KeyId, ...KeyTerms.fields }),
    "The API key of this request. Its `id` is `Swap-Key-Id` of signed responses.",
  ),
}).annotate({ identifier: "OwnAccount" })

/** What an account may know of itself. */
export class AccountGroup extends HttpApiGroup.make("account").add(
  HttpApiEndpoint.get("own", "/account", { success: OwnAccountBody, error: reading }).annotateMerge(about(
    "getAccount",
    "Get your account and API key",
    "The terms and limits that hold for the account (one that is absent has no limit), and the id, scopes, label and end " +
      "of the key. A key of any scope is enough. A suspended account gets a 403.",
  )),
).middleware(ParameterFaults).middleware(Authorization).annotateMerge(
  OpenApi.annotations({ title: "Account", description: "The account of the caller." }),
) {}
