import { Effect, Option, Schema } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { idempotencyKeyHeader, IdempotencyKeyText } from "../api/Idempotency.ts"
import { combineFaults, hasFaults, InvalidRequest } from "../domain/Faults.ts"
import type { IdempotencyKey } from "../domain/Idempotency.ts"
import { keptTextFaults } from "./keptTextFaults.ts"
import type { Failure } from "./toProblem.ts"
import { parameterReader } from "./readParameters.ts"

const read = parameterReader(
  Schema.Struct({ [idempotencyKeyHeader]: Schema.optionalKey(IdempotencyKeyText) }),
  [],
)

const header = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const value = headers[idempotencyKeyHeader.toLowerCase()]
  const { faults, values } = read(value === undefined ? {} : { [idempotencyKeyHeader]: value })
  return { faults: combineFaults([faults, yield* keptTextFaults(idempotencyKeyHeader, value)]), values }
})

/** The key of the request in hand, where it has one. */
export const readIdempotencyKey: Effect.Effect<
  Option.Option<IdempotencyKey>,
  InvalidRequest,
  HttpServerRequest.HttpServerRequest
> = Effect.flatMap(
  header,
  ({ faults, values }) =>
    hasFaults(faults)
      ? Effect.fail(new InvalidRequest({ errors: faults }))
      : Effect.succeed(Option.fromUndefinedOr(values[idempotencyKeyHeader])),
)

/** Reads a request together with its key: what is wrong with either is told at once (decision 15). */
export const withKeyFaults = <A, R>(reading: Effect.Effect<A, Failure, R>) =>
  Effect.flatMap(header, ({ faults }) => {
    if (!hasFaults(faults)) return reading
    const own = new InvalidRequest({ errors: faults })
    return reading.pipe(
      Effect.catchTag(
        "InvalidRequest",
        ({ errors }) => Effect.fail(new InvalidRequest({ errors: combineFaults([faults, errors]) })),
      ),
      Effect.andThen(Effect.fail(own)),
    )
  })
