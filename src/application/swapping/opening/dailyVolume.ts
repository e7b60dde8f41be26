import { Data, Effect, Option } from "effect"
import { ServiceTerms } from "../../accounts/accountTerms.ts"
import type { Caller } from "#domain/accounts/Account.ts"
import { isSent } from "#domain/quotes/ExactOutput.ts"
import { grouped } from "#domain/figures.ts"
import type { SwapRequest } from "#domain/swaps/SwapRequest.ts"
import { EpochMillis, toIsoDate } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { type Counted, type CountedSwap, VolumesRepo } from "#infrastructure/store/swaps/VolumesRepo.ts"

const dayMillis = 86_400_000

const limitText = (most: number): string => `This account may swap $${grouped(`${most}`)} a day`

/** The swap would be more than its account may swap in this day of UTC (`maximumDailyVolumeUsd`). */
export class DailyVolumeReached extends Data.TaggedError("DailyVolumeReached")<{
  readonly most: number
  /** The next midnight of UTC, and how many seconds are left until then. */
  readonly endsAt: EpochMillis
  readonly seconds: number
}> {
  override get message(): string {
    return `${limitText(this.most)}, and this swap would exceed that. The next day begins at ${
      toIsoDate(this.endsAt)
    }`
  }
}

/** The volume of the account is limited, and nobody knows the value of the swap's asset. */
export class VolumeUnpriced extends Data.TaggedError("VolumeUnpriced")<{ readonly most: number }> {
  override get message(): string {
    return `${
      limitText(this.most)
    }, and the price of this swap’s asset is unknown. Try again in 15 minutes, or use another asset`
  }
}

/** Why a swap may not begin today. */
export type VolumeRefused = DailyVolumeReached | VolumeUnpriced

/** A failure after which nothing can have begun. */
type MayHaveBegun<E> = (error: E) => boolean

type Requested = Pick<SwapRequest, "amount" | "destinationAsset" | "sourceAsset">

const amountOf = (
  { amount, destinationAsset, sourceAsset }: Requested,
): Pick<CountedSwap, "amount" | "asset"> =>
  amount === undefined || isSent(amount)
    ? { asset: sourceAsset, amount }
    : { asset: destinationAsset, amount: amount.amount }

const refuse = ({ at, most }: CountedSwap, { isPriced }: Counted): VolumeRefused => {
  const millis = dayMillis - at % dayMillis
  return isPriced
    ? new DailyVolumeReached({
      most,
      endsAt: EpochMillis.make(at + millis),
      seconds: Math.ceil(millis / 1_000),
    })
    : new VolumeUnpriced({ most })
}

/** The limit on what an account swaps in a day of UTC; an account without one costs nothing. */
export const makeDailyVolume = Effect.gen(function* () {
  const volumes = yield* VolumesRepo
  const { terms } = yield* ServiceTerms

  const counted = Effect.fnUntraced(function* (caller: Caller, request: Requested) {
    const most = caller.maximumDailyVolumeUsd ?? terms.maximumDailyVolumeUsd
    if (most === undefined) return undefined
    return { accountId: caller.id, most, ...amountOf(request), at: yield* currentMillis }
  })

  return {
    /** Fails where a swap would not be counted. */
    check: Effect.fnUntraced(function* (caller: Caller, request: Requested) {
      const swap = yield* counted(caller, request)
      if (swap === undefined) return
      const seen = yield* volumes.look(swap)
      if (Option.isNone(seen.usd)) return yield* refuse(swap, seen)
    }),
    /** Counts a swap before it begins, and takes it back where provably nothing began. */
    within: Effect.fnUntraced(function* <A, E, R>(
      caller: Caller,
      request: Requested,
      begin: Effect.Effect<A, E, R>,
      mayHaveBegun: MayHaveBegun<E>,
    ) {
      const swap = yield* counted(caller, request)
      if (swap === undefined) return yield* begin
      const taken = yield* volumes.take(swap)
      if (Option.isNone(taken.usd)) return yield* refuse(swap, taken)
      const giveBack = Effect.catch(
        volumes.giveBack(swap, taken.usd.value),
        (error) =>
          Effect.logWarning("A swap counts for the day of its account although it did not begin", error),
      )
      return yield* Effect.tapError(begin, (error) => mayHaveBegun(error) ? Effect.void : giveBack)
    }),
  }
})
