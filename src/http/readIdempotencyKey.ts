import { Effect, Option, Schema } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { idempotencyKeyHeader, IdempotencyKeyText } from "../api/Idempotency.ts"
import { combineIssues, hasIssues, InvalidRequest } from "../domain/Issues.ts"
import type { IdempotencyKey } from "../domain/Idempotency.ts"
import { keptTextIssues } from "./keptTextIssues.ts"
import type { Failure } from "./problems.ts"
import { parameterReader } from "./readParameters.ts"

const read = parameterReader(
  Schema.Struct({ [idempotencyKeyHeader]: Schema.optionalKey(IdempotencyKeyText) }),
  [],
)

const header = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const value = headers[idempotencyKeyHeader.toLowerCase()]
  const { issues, values } = read(value === undefined ? {} : { [idempotencyKeyHeader]: value })
  return { issues: combineIssues([issues, yield* keptTextIssues(idempotencyKeyHeader, value)]), values }
})

/** The key of the request in hand, where it has one. */
export const readIdempotencyKey: Effect.Effect<
  Option.Option<IdempotencyKey>,
  InvalidRequest,
  HttpServerRequest.HttpServerRequest
> = Effect.flatMap(
  header,
  ({ issues, values }) =>
    hasIssues(issues)
      ? Effect.fail(new InvalidRequest({ errors: issues }))
      : Effect.succeed(Option.fromUndefinedOr(values[idempotencyKeyHeader])),
)

/** Reads a request together with its key: what is wrong with either is told at once (decision 15). */
export const withKeyIssues = <A, R>(reading: Effect.Effect<A, Failure, R>) =>
  Effect.flatMap(header, ({ issues }) => {
    if (!hasIssues(issues)) return reading
    const own = new InvalidRequest({ errors: issues })
    return reading.pipe(
      Effect.catchTag(
        "InvalidRequest",
        ({ errors }) => Effect.fail(new InvalidRequest({ errors: combineIssues([issues, errors]) })),
      ),
      Effect.andThen(Effect.fail(own)),
    )
  })
