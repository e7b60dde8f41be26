import { Effect, Metric, type Option, type Redacted } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeKeyGuesses } from "../accounts/KeyGuesses.ts"
import { type LimitName, LimitReached, RateLimits } from "../accounts/RateLimits.ts"
import { metrics } from "../ops/Metrics.ts"
import { limitHeaders } from "./limitHeaders.ts"
import { Received } from "./Received.ts"

/** The limit that requests for a path of the contract count against. */
const limitOf = (path: string): LimitName =>
  path === "/swap" || path.startsWith("/tx-payload/") ? "swap" : "default"

const counted = <A, E, R>(effect: Effect.Effect<A, E | LimitReached, R>) =>
  Effect.tapError(
    effect,
    (failure) =>
      failure instanceof LimitReached
        ? Metric.update(metrics.requestsRefused({ reason: failure.standing.limit }), 1)
        : Effect.void,
  )

/** Counts openings that came with one request, each against the limit of openings: all of them, or none. */
export const admitOpenings = (
  limits: RateLimits["Service"],
  keyId: string,
  openings: number,
): Effect.Effect<void, LimitReached> =>
  counted(Effect.suspend(() => {
    for (let count = 0; count < openings; count++) {
      const standing = limits.take("swap", keyId)
      if (standing === undefined || standing.isAdmitted) continue
      for (let taken = 0; taken < count; taken++) limits.giveBack("swap", keyId)
      return Effect.fail(new LimitReached({ standing }))
    }
    return Effect.void
  }))

/** Lets in as many requests as the limits say. */
export interface Admission {
  /** Looks a key up that came with the request in hand, as long as its address may be wrong. */
  readonly checkKey: <A, E, R>(
    key: Redacted.Redacted<string>,
    lookUp: Effect.Effect<Option.Option<A>, E, R>,
  ) => Effect.Effect<Option.Option<A>, E | LimitReached, R>
  /** Counts the request in hand, and lets its answer say how its key stands. */
  readonly admit: (
    request: { readonly path: string; readonly keyId: string },
  ) => Effect.Effect<void, LimitReached, HttpServerRequest.HttpServerRequest>
}

export const makeAdmission: Effect.Effect<Admission, never, RateLimits> = Effect.map(RateLimits, (limits) => {
  const guesses = makeKeyGuesses(limits)
  return {
    checkKey: (key, lookUp) =>
      Effect.flatMap(Received, ({ address = "unknown" }) => counted(guesses.check(key, address, lookUp))),
    admit: ({ path, keyId }) =>
      Effect.flatMap(Received, ({ meter }) => {
        const take = () => limits.take(limitOf(path), keyId)
        const standing = take()
        if (standing === undefined) return Effect.void
        if (!standing.isAdmitted) return counted(Effect.fail(new LimitReached({ standing })))
        meter?.(take)
        const headers = limitHeaders(standing)
        return HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, headers))
        )
      }),
  }
})
