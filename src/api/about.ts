import * as OpenApi from "effect/http-api/OpenApi"

/**
 * How an endpoint is documented: its `operationId`, by which generators name a client's functions and which therefore
 * never changes; one line; and what a caller has to know beyond it.
 */
export const about = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })
