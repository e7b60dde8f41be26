import { Clock, Effect, Metric } from "effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { metrics } from "../ops/Metrics.ts"

/** Callers can make methods up; a label must not grow with them. */
const namedMethods: ReadonlyArray<string> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

const nanosPerSecond = 1e9

const histograms = new Map<string, typeof metrics.requestSeconds>()

/** The histogram of one method, route and status, made once: this is on the way of every request. */
const histogramOf = (method: string, route: string, status: number) => {
  const key = `${method} ${route} ${status}`
  const known = histograms.get(key)
  if (known !== undefined) return known
  const labelled = metrics.requestSeconds.pipe(Metric.withAttributes({ method, route, status: `${status}` }))
  histograms.set(key, labelled)
  return labelled
}

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
            histogramOf(namedMethods.includes(method) ? method : "other", route, status),
            Number(now - started) / nanosPerSecond,
          ))),
  )
