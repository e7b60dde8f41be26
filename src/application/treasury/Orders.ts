import { Duration, Effect, FiberMap, Layer, Metric, Option, Result, Schedule, Semaphore } from "effect"
import { service } from "#infrastructure/platform/service.ts"
import { maximumNativeAmount } from "#domain/money/Amount.ts"
import { mayHaveOpened, type ProviderError } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import { EpochMillis } from "#domain/Time.ts"
import { PaymentStanding, type TakenWithdrawal, WithdrawalTrace } from "#domain/operations/Treasury.ts"
import {
  type Withdrawal,
  WithdrawalChange,
  type WithdrawalId,
  type WithdrawalState,
} from "#domain/operations/Withdrawal.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { orInternalError } from "#infrastructure/platform/orInternalError.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import { LedgerRepo } from "#infrastructure/store/treasury/LedgerRepo.ts"
import { type FollowedWithdrawal, WithdrawalsRepo } from "#infrastructure/store/treasury/WithdrawalsRepo.ts"
import { judgeWithdrawal } from "./judgeWithdrawal.ts"
import { BalanceReads, failureText, type TreasuryProvider } from "./BalanceReads.ts"
import { repeating, surviving } from "#infrastructure/platform/outages.ts"

export interface FollowOptions {
  /** The time between two looks at a withdrawal, at first. */
  readonly followInterval: Duration.Duration
}

/** The longest time between two looks at a withdrawal. */
const mostApart = Duration.minutes(5)

/** The most withdrawals that a round begins to look at. */
const atOnce = 20

/** Concurrent look-ups at a provider: proving that nothing was ordered takes hundreds of calls, and must not block others. */
const mostAtProvider = { lookUp: 2, follow: 1 } as const

/** An answer is worth several attempts to write it down: without it the order is unknown. */
const writingAgain = { schedule: Schedule.exponential("200 millis"), times: 5 }

/** The log line of a change that the operator has to know of. */
const logOf = ({ asset, detail = "", id, platform, state }: Withdrawal) => {
  const line = `Withdrawal ${id} of ${asset} from ${platform} is ${state}`
  return state === "unknown" || state === "failed" ? Effect.logWarning(line, detail) : Effect.logInfo(line)
}

/** Sends orders to the upstreams, each once, and follows them to their payments. */
export class Orders extends service<Orders>()(
  "swap-broker/treasury/Orders",
  ({ followInterval }: FollowOptions) =>
    Effect.gen(function* () {
      const looks = yield* BalanceReads
      const ledger = yield* LedgerRepo
      const repo = yield* WithdrawalsRepo
      const underWay = yield* FiberMap.make<WithdrawalId, void, never>()
      const lines = new Map<string, Semaphore.Semaphore>()

      /** Runs a look-up in the line of its kind at the provider. */
      const inLine = (platform: ProviderName, kind: keyof typeof mostAtProvider) => {
        const name = `${kind} ${platform}`
        const line = lines.get(name) ?? Semaphore.makeUnsafe(mostAtProvider[kind])
        lines.set(name, line)
        return line.withPermits(1)
      }

      const after = (now: EpochMillis, lookups: number): EpochMillis => {
        const wait = Math.min(
          Duration.toMillis(mostApart),
          Duration.toMillis(followInterval) * 2 ** Math.min(lookups, 10),
        )
        return EpochMillis.make(now + Math.ceil(wait))
      }

      const write = Effect.fnUntraced(function* (
        withdrawal: Withdrawal,
        from: ReadonlyArray<WithdrawalState>,
        change: WithdrawalChange,
      ) {
        const at = yield* currentMillis
        const written = yield* repo.change(withdrawal.id, from, change, { at, nextLookAt: after(at, 0) })
        if (Option.isNone(written)) {
          return Option.getOrElse(yield* repo.find(withdrawal.id), () => withdrawal)
        }
        const { platform, state } = written.value
        yield* Metric.update(metrics.withdrawals({ provider: platform, state }), 1)
        yield* logOf(written.value)
        return written.value
      })

      /** The most that there can have been to take: without a limit while swaps may be earning. */
      const mostEarned = Effect.fnUntraced(
        function* ({ asset, earned, platform, requestedAt }: Withdrawal, atFirst: bigint) {
          if (yield* ledger.isUnderWay(platform, requestedAt)) return maximumNativeAmount
          return earned + ((yield* ledger.earned(platform)).get(asset) ?? 0n) - atFirst
        },
      )

      const answered = Effect.fnUntraced(function* (
        withdrawal: Withdrawal,
        taken: TakenWithdrawal,
        atFirst: bigint,
      ) {
        return judgeWithdrawal(withdrawal, taken, yield* mostEarned(withdrawal, atFirst))
      })

      const refused = (error: ProviderError): WithdrawalChange => {
        const detail = failureText(error)
        return mayHaveOpened(error.reason)
          ? WithdrawalChange.Lost({ detail })
          : WithdrawalChange.Failed({ detail })
      }

      const orderOf = ({ affiliate, asset, destination }: Withdrawal) => ({
        asset,
        destination,
        ...defined({ affiliate }),
      })

      /** Orders a recorded withdrawal, once, and records what came of it. */
      const send = Effect.fn("Orders.send")(function* (
        { treasury }: TreasuryProvider,
        withdrawal: Withdrawal,
      ) {
        const { withdrawals } = treasury
        if (withdrawals === undefined) return withdrawal
        const atFirst = (yield* ledger.earned(withdrawal.platform)).get(withdrawal.asset) ?? 0n
        const answer = yield* withdrawals.withdraw(orderOf(withdrawal)).pipe(orInternalError, Effect.result)
        const change = Result.isSuccess(answer)
          ? answered(withdrawal, answer.success, atFirst)
          : Effect.succeed(
            answer.failure._tag === "InternalError"
              ? WithdrawalChange.Lost({ detail: answer.failure.message })
              : refused(answer.failure),
          )
        // The answer stands although a look has given the order up meanwhile.
        return yield* Effect.flatMap(
          change,
          (change) => write(withdrawal, ["requested", "unknown"], change),
        ).pipe(Effect.retry(writingAgain))
      })

      const treasuryOf = Effect.fnUntraced(function* ({ platform }: Withdrawal) {
        const found = (yield* looks.treasurers).find(({ name }) => name === platform)
        return found?.treasury.withdrawals
      })

      /** Looks the outcome of an order up, where the upstream can tell. */
      const lookUp = Effect.fnUntraced(function* (withdrawal: Withdrawal) {
        const { asset, earned, isContradicted, requestedAt } = withdrawal
        const withdrawals = yield* treasuryOf(withdrawal)
        if (withdrawals?.find === undefined) return
        const trace = yield* withdrawals.find(orderOf(withdrawal), { asset, amount: earned }, requestedAt)
        const from = ["unknown"] as const
        yield* WithdrawalTrace.$match(trace, {
          Taken: ({ taken }) =>
            Effect.gen(function* () {
              // What was doubted once has to fit what was seen.
              const change = judgeWithdrawal(withdrawal, taken, isContradicted ? earned : maximumNativeAmount)
              const isNews = change._tag === "Taken" || !isContradicted
              if (isNews) yield* write(withdrawal, from, change)
            }),
          NothingOrdered: () =>
            // An upstream that said first that it took the order is not believed that it did not.
            isContradicted ? Effect.void : Effect.asVoid(
              write(withdrawal, from, WithdrawalChange.Failed({ detail: "Nothing was ordered" })),
            ),
          NotKnown: () => Effect.void,
        })
      })

      const follow = Effect.fnUntraced(function* (withdrawal: Withdrawal, taken: TakenWithdrawal) {
        const withdrawals = yield* treasuryOf(withdrawal)
        if (withdrawals === undefined) return
        const standing = yield* withdrawals.standing(taken)
        if (Option.isNone(standing)) return
        const from = ["taken", "sent"] as const
        yield* PaymentStanding.$match(standing.value, {
          Scheduled: () => Effect.void,
          Sent: (sent) =>
            withdrawal.state === "sent"
              ? Effect.void
              : Effect.asVoid(write(withdrawal, ["taken"], WithdrawalChange.Sent(sent))),
          Paid: (paid) => Effect.asVoid(write(withdrawal, from, WithdrawalChange.Paid(paid))),
          Failed: (failed) => Effect.asVoid(write(withdrawal, from, WithdrawalChange.Failed(failed))),
        })
      })

      const step = (withdrawal: Withdrawal): StoreEffect<unknown, ProviderError> => {
        const { platform, state, taken } = withdrawal
        if (state === "requested") {
          const detail = "The process that ordered it ended before there was an answer"
          return write(withdrawal, ["requested"], WithdrawalChange.Lost({ detail }))
        }
        return taken === undefined
          ? inLine(platform, "lookUp")(lookUp(withdrawal))
          : inLine(platform, "follow")(follow(withdrawal, taken))
      }

      /** Looks a withdrawal up. Whatever goes wrong concerns no other: it is looked up again later. */
      const lookAt = Effect.fnUntraced(
        function* ({ lookups, withdrawal }: FollowedWithdrawal, lease: EpochMillis) {
          yield* step(withdrawal).pipe(
            orInternalError,
            Effect.catch((error) =>
              Effect.logDebug(`Withdrawal ${withdrawal.id} could not be looked up`, error)
            ),
          )
          yield* repo.postpone(withdrawal.id, lease, after(yield* currentMillis, lookups))
        },
        (looked, { withdrawal }) => surviving(`Checking withdrawal ${withdrawal.id} failed`)(looked),
      )

      /** Begins to look up the withdrawals that are due, each in only one replica, and waits for none of them. */
      const round = Effect.gen(function* () {
        const now = yield* currentMillis
        // Others leave it alone for as long as a look-up can take.
        const lease = EpochMillis.make(now + Duration.toMillis(mostApart))
        for (const followed of yield* repo.claim(now, lease, atOnce)) {
          yield* FiberMap.run(underWay, followed.withdrawal.id, lookAt(followed, lease), {
            onlyIfMissing: true,
          })
        }
      })

      return {
        send,
        round,
        /** Waits until no look-up is under way. */
        atRest: FiberMap.awaitEmpty(underWay),
      }
    }),
) {
  /** The orders with their background work, which every replica does without disturbing the others. */
  static readonly layerRunning = (options: FollowOptions) =>
    Layer.effectDiscard(Effect.gen(function* () {
      const { round } = yield* Orders
      yield* round.pipe(repeating("Checking withdrawals failed", options.followInterval))
    })).pipe(Layer.provideMerge(Orders.layer(options)))
}
