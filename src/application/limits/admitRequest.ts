import { Effect, Metric, type Redacted } from "effect"
import type { Caller } from "#domain/accounts/Account.ts"
import type { OwnTerms } from "#domain/accounts/OwnTerms.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { type KeyWays, makeBruteForceGuard } from "./BruteForceGuard.ts"
import { type LimitName, LimitReached, type LimitState, RateLimits } from "./RateLimits.ts"
import { perMinute, type Quota } from "./TokenBucket.ts"

/** The purpose of a request. Each limit of a key is paired with a limit for all keys of its account. */
type Purpose = "default" | "swap"

const accountLimits = { default: "account", swap: "accountSwap" } as const satisfies Record<
  Purpose,
  LimitName
>

/** The terms of an account that are rates. */
type OwnRates = Pick<OwnTerms, "openingsPerMinute" | "requestsPerMinute">

/** The key and the account that a request counts against, with the account's own rates. */
export type Subject = Pick<Caller, "id" | "keyId"> & OwnRates

/** The quota of an account's own rate, which holds for all of its keys together and for each. */
export const ownQuota = (
  { openingsPerMinute, requestsPerMinute }: OwnRates,
  purpose: Purpose = "default",
): Quota | undefined => {
  const rate = purpose === "swap" ? openingsPerMinute : requestsPerMinute
  return rate === undefined ? undefined : perMinute(rate)
}

/** Takes one token of the key and one of its account, or neither; returns the state of the tighter of both limits. */
const takeBoth = (limits: RateLimits["Service"], purpose: Purpose, { id, keyId, ...rates }: Subject) => {
  const own = ownQuota(rates, purpose)
  const ofKey = limits.take(purpose, `${keyId}`, own)
  if (ofKey?.isAdmitted === false) return ofKey
  const ofAccount = limits.take(accountLimits[purpose], `${id}`, own)
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

/** Counts the calls in one request, each against the limit of its purpose: all of them, or none. */
export const admitCalls = (
  limits: RateLimits["Service"],
  subject: Subject,
  calls: ReadonlyArray<Purpose>,
): Effect.Effect<void, LimitReached> =>
  counted(Effect.suspend(() => {
    for (const [index, purpose] of calls.entries()) {
      const state = takeBoth(limits, purpose, subject)
      if (state === undefined || state.isAdmitted) continue
      for (const taken of calls.slice(0, index)) giveBackBoth(limits, taken, subject)
      return Effect.fail(new LimitReached({ standing: state }))
    }
    return Effect.void
  }))

export interface Admitted {
  /** The tighter of its two limits, with the request's token taken. */
  readonly state: LimitState
  /** Counts the same request once more. */
  readonly again: Meter
}

/** Counts one request of a caller, and returns the caller's limit then; undefined where there is no limit. */
export type Meter = () => LimitState | undefined

/** Admission by the limits of the service; no wrong keys are known at the start. */
export const makeAdmission = Effect.map(RateLimits, (limits) => {
  const guard = makeBruteForceGuard(limits)
  return {
    /** `check` of the guard, with refusals counted. */
    checkKey: <A, E, R>(key: Redacted.Redacted<string>, address: string, ways: KeyWays<A, E, R>) =>
      counted(guard.check(key, address, ways)),
    /** Counts a request for a purpose; undefined where there is no limit. */
    admit: ({ purpose, subject }: { readonly purpose: Purpose; readonly subject: Subject }) =>
      Effect.suspend((): Effect.Effect<Admitted | undefined, LimitReached> => {
        const again = () => takeBoth(limits, purpose, subject)
        const state = again()
        if (state === undefined) return Effect.undefined
        return state.isAdmitted
          ? Effect.succeed({ state, again })
          : counted(Effect.fail(new LimitReached({ standing: state })))
      }),
  }
})

/** Admits as many requests as the limits allow. */
export type Admission = Effect.Success<typeof makeAdmission>
