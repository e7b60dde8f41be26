import { Effect, Metric, type Option, type Redacted } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeKeyGuesses } from "../accounts/KeyGuesses.ts"
import { type LimitName, LimitReached, RateLimits } from "../accounts/RateLimits.ts"
import type { Caller } from "../domain/Account.ts"
import type { KeyId } from "../domain/Key.ts"
import { metrics } from "../ops/Metrics.ts"
import { limitHeaders } from "./limitHeaders.ts"
import { Received } from "./Received.ts"

/** What a request is for: each limit of a key has one beside it of all keys of its account. */
type Purpose = "default" | "swap"

const accountLimits = { default: "account", swap: "accountSwap" } as const satisfies Record<
  Purpose,
  LimitName
>

/** The purpose of requests for a path of the contract. */
const purposeOf = (path: string): Purpose =>
  path === "/swap" || path.startsWith("/tx-payload/") ? "swap" : "default"

/** Who asks: a key, and the account that it is of. */
export type Subject = Pick<Caller, "id" | "keyId">

/** Takes a token of the key and one of its account, or none; how the tighter of both then stands. */
const takeBoth = (limits: RateLimits["Service"], purpose: Purpose, { id, keyId }: Subject) => {
  const ofKey = limits.take(purpose, `${keyId}`)
  if (ofKey?.isAdmitted === false) return ofKey
  const ofAccount = limits.take(accountLimits[purpose], `${id}`)
  if (ofAccount?.isAdmitted === false) {
    if (ofKey !== undefined) limits.giveBack(purpose, `${keyId}`)
    return ofAccount
  }
  return ofKey === undefined || (ofAccount !== undefined && ofAccount.left < ofKey.left) ? ofAccount : ofKey
}

const giveBackBoth = (limits: RateLimits["Service"], purpose: Purpose, { id, keyId }: Subject): void => {
  limits.giveBack(purpose, `${keyId}`)
  limits.giveBack(accountLimits[purpose], `${id}`)
}

const counted = <A, E, R>(effect: Effect.Effect<A, E | LimitReached, R>) =>
  Effect.tapError(
    effect,
    (failure) =>
      failure instanceof LimitReached
        ? Metric.update(metrics.requestsRefused({ reason: failure.standing.limit }), 1)
        : Effect.void,
  )

/** Counts calls that came with one request, each against the limit of its purpose: all of them, or none. */
export const admitCalls = (
  limits: RateLimits["Service"],
  subject: Subject,
  calls: ReadonlyArray<Purpose>,
): Effect.Effect<void, LimitReached> =>
  counted(Effect.suspend(() => {
    for (const [index, purpose] of calls.entries()) {
      const standing = takeBoth(limits, purpose, subject)
      if (standing === undefined || standing.isAdmitted) continue
      for (const taken of calls.slice(0, index)) giveBackBoth(limits, taken, subject)
      return Effect.fail(new LimitReached({ standing }))
    }
    return Effect.void
  }))

/** Lets in as many requests as the limits say. */
export interface Admission {
  /** Looks a key up that came with the request in hand, as long as its address may be wrong (`KeyGuesses.check`). */
  readonly checkKey: <A, E, R>(
    key: Redacted.Redacted<string>,
    ways: {
      readonly issuedId: Effect.Effect<Option.Option<KeyId>, E, R>
      readonly lookUp: Effect.Effect<Option.Option<A>, E, R>
    },
  ) => Effect.Effect<Option.Option<A>, E | LimitReached, R>
  /** Counts the request in hand, and lets its answer say how its key or account stands. */
  readonly admit: (
    request: { readonly path: string; readonly subject: Subject },
  ) => Effect.Effect<void, LimitReached, HttpServerRequest.HttpServerRequest>
}

export const makeAdmission: Effect.Effect<Admission, never, RateLimits> = Effect.map(RateLimits, (limits) => {
  const guesses = makeKeyGuesses(limits)
  return {
    checkKey: (key, ways) =>
      Effect.flatMap(Received, ({ address = "unknown" }) => counted(guesses.check(key, address, ways))),
    admit: ({ path, subject }) =>
      Effect.flatMap(Received, ({ meter }) => {
        const take = () => takeBoth(limits, purposeOf(path), subject)
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
