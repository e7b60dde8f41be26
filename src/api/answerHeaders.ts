import { Predicate } from "effect"

type Members = Readonly<Record<string, unknown>>

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
