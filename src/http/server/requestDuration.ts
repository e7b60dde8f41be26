import { Clock, Effect, Metric } from "effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { metrics } from "../../ops/Metrics.ts"

/** Callers can make methods up; a label must not grow with them. */
const namedMethods: ReadonlyArray<string> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

const nanosPerSecond = 1e9

/** Measures how long an answer took; `route` is a path of the contract, never the path as it came. */
export const measured = <E, R>(
  method: string,
  route: string,
  answered: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.flatMap(
    Clock.currentTimeNanos,
    (started) =>
      Effect.tap(answered, ({ status }) =>
        Effect.flatMap(Clock.currentTimeNanos, (now) =>
          Metric.update(
            metrics.requestSeconds({
              method: namedMethods.includes(method) ? method : "other",
              route,
              status: `${status}`,
            }),
            Number(now - started) / nanosPerSecond,
          ))),
  )
