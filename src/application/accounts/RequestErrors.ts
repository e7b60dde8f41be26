import { Duration, Effect, Layer, Option } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import type { AccountId, AccountName } from "#domain/accounts/Account.ts"
import {
  errorPeriodOf,
  type FailureCausesQuery,
  type RequestErrorKind,
  type RequestErrorsQuery,
} from "#domain/RequestError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { type HourOfErrors, RequestErrorsRepo } from "#infrastructure/store/accounts/RequestErrorsRepo.ts"
import { Accounts } from "./Accounts.ts"
import { repeating, surviving } from "#infrastructure/platform/outages.ts"

export interface FailedRequest extends RequestErrorKind {
  readonly account: AccountId
  /** Names of the contract, of the parameters at fault. */
  readonly parameters: ReadonlyArray<string>
}

/** How often counts are written. A process that is killed loses those since the last time. */
const writeEvery = Duration.seconds(5)

/** The most rows that wait to be written: far more than honest accounts make in this time. */
const mostWaiting = 10_000

/** How often hours that are over are deleted, and how many rows at once. */
const forgetEvery = Duration.hours(1)
const forgottenAtOnce = 1_000

const keyOf = (
  { account, endpoint, status, code, kind }: FailedRequest,
  hour: EpochMillis,
): string => [account, hour, endpoint, status, code, kind].join(" ")

const together = (one: HourOfErrors, later: HourOfErrors): HourOfErrors => ({
  ...later,
  count: one.count + later.count,
  parameters: [...new Set([...one.parameters, ...later.parameters])],
})

/** Counts that wait to be written, by their keys. */
const makeWaiting = () => {
  let waiting = new Map<string, HourOfErrors>()
  return {
    /** False where there is no room for a further row. */
    hasRoom: (key: string): boolean => waiting.has(key) || waiting.size < mostWaiting,
    find: (key: string): HourOfErrors | undefined => waiting.get(key),
    set: (key: string, hour: HourOfErrors): void => void waiting.set(key, hour),
    take: (): ReadonlyMap<string, HourOfErrors> => {
      const taken = waiting
      waiting = new Map()
      return taken
    },
    /** Puts back counts that could not be written, beside those of the time since. */
    giveBack: (taken: ReadonlyMap<string, HourOfErrors>): void => {
      for (const [key, hour] of taken) {
        const since = waiting.get(key)
        waiting.set(key, since === undefined ? hour : together(hour, since))
      }
    },
  }
}

/** Counts failed requests by account, endpoint, status, code and kind, in memory until they are flushed. */
export class RequestErrors extends service<RequestErrors>()(
  "swap-broker/accounts/RequestErrors",
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const repo = yield* RequestErrorsRepo
    const waiting = makeWaiting()

    /** Counts a failed request. `example` is run for the first of a kind in a while. */
    const note = Effect.fnUntraced(function* (failed: FailedRequest, example: Effect.Effect<string>) {
      const lastAt = yield* currentMillis
      const hour = errorPeriodOf(lastAt)
      const key = keyOf(failed, hour)
      if (!waiting.hasRoom(key)) {
        yield* warnSparsely("request errors", 1, "Too many failed requests of too many kinds to count all")
        return
      }
      const { account: accountId, ...rest } = failed
      const text = waiting.find(key)?.example ?? (yield* example)
      const added = { accountId, hour, ...rest, count: 1, lastAt, example: text }
      const known = waiting.find(key)
      waiting.set(key, known === undefined ? added : together(known, added))
    })

    /** Writes down all counts that wait. Those that cannot be written go on waiting. */
    const write = Effect.suspend(() => {
      const taken = waiting.take()
      if (taken.size === 0) return Effect.void
      return repo.add([...taken.values()]).pipe(
        surviving("Recording failed requests failed"),
        Effect.map((added) => {
          if (Option.isNone(added)) waiting.giveBack(taken)
        }),
      )
    })

    /** The account's failures, the most frequent first. Those of the last seconds on other replicas may be missing. */
    const ofAccount = Effect.fn("RequestErrors.ofAccount")(
      function* (account: AccountName, query: RequestErrorsQuery) {
        const { id } = yield* accounts.find(account)
        yield* write
        return yield* repo.ofAccount(id, { ...query, from: errorPeriodOf(query.from) })
      },
    )

    /** What made requests fail, the most frequent first. Of the last seconds elsewhere as in `ofAccount`. */
    const causes = Effect.fn("RequestErrors.causes")(function* (query: FailureCausesQuery) {
      yield* write
      return yield* repo.causes({ ...query, from: errorPeriodOf(query.from) })
    })
    return { note, write, ofAccount, causes }
  }),
) {}

/** Flushes the counts every few seconds and at the stop, and deletes those older than `errorsKeep`. */
export const requestErrorsAtWork = ({ errorsKeep }: { readonly errorsKeep: Duration.Duration }) =>
  Layer.effectDiscard(Effect.gen(function* () {
    const { write } = yield* RequestErrors
    const repo = yield* RequestErrorsRepo
    const forget = Effect.gen(function* () {
      const before = EpochMillis.make(Math.max(0, (yield* currentMillis) - Duration.toMillis(errorsKeep)))
      while ((yield* repo.forget(before, forgottenAtOnce)) === forgottenAtOnce) yield* Effect.yieldNow
    })
    yield* Effect.addFinalizer(() => write)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(write, writeEvery)))
    yield* forget.pipe(repeating("Deleting old failed requests failed", forgetEvery))
  }))
