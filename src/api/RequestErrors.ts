import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { RequestErrors } from "#domain/RequestError.ts"
import { Authorization, needsScope, OperatorAuthorization, ParameterFaults } from "./Authorization.ts"
import { about, accountPath } from "./endpoint.ts"
import { rowLimit, time } from "./parameterKinds.ts"
import { BadRequest, InternalServerError, NotFound, ServiceUnavailable } from "./Problems.ts"
import { maybe } from "./shape.ts"
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

const reading = [BadRequest, InternalServerError, ServiceUnavailable] as const

/** What failed of the account's own requests. */
export class RequestErrorsGroup extends HttpApiGroup.make("requestErrors").add(
  HttpApiEndpoint.get("list", "/errors", { ...list, error: reading }).annotateMerge(
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
    error: [NotFound, ...reading],
  }).annotateMerge(about(
    "listAccountRequestErrors",
    "List which requests of an account failed, and how often",
    `As \`GET /errors\`, for any account. ${counted}`,
  )),
).middleware(ParameterFaults).middleware(OperatorAuthorization).annotateMerge(needsScope("operate", {
  title: "Request errors of any account",
  description: "Failed requests of any account, counted.",
})) {}
