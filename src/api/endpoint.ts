import { Predicate } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import type { Members } from "./document/json.ts"

/**
 * How an endpoint is documented: its `operationId`, by which generators name a client's functions and which therefore
 * never changes; one line; and what a caller has to know beyond it.
 */
export const about = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The headers that an answer with a status has beside those that the derived document knows. */
export type AnswerHeaders = Readonly<Record<string, Members>>

const withOwn = (response: unknown, own: Members | undefined): unknown =>
  own === undefined || !Predicate.isObject(response) ? response : {
    ...response,
    headers: { ...(Predicate.isObject(response.headers) ? response.headers : {}), ...own },
  }

/** The answers of an operation with the headers that each has by its status. */
export const answersWith = (headers: AnswerHeaders, { responses }: Members): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(Predicate.isObject(responses) ? responses : {})
      .map(([status, response]) => [status, withOwn(response, headers[status])]),
  )

/** A body that may be left out, which the derived document calls required. */
export const optionalBody = (operation: Members): Record<string, unknown> => ({
  ...operation,
  ...(Predicate.isObject(operation.requestBody)
    ? { requestBody: { ...operation.requestBody, required: false } }
    : {}),
})
