import type { AccountId } from "../domain/Account.ts"
import type { Bps } from "../domain/Bps.ts"
import type { ProviderName } from "../domain/ProviderName.ts"
import type { AssetAmount } from "../domain/Quote.ts"
import type { QuoteId } from "../domain/BoundQuote.ts"
import type { RankBy } from "../domain/QuoteRank.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { TrackRecord } from "../domain/TrackRecord.ts"

/** A quote as far as its id does not tell it. */
export interface KeptQuote {
  readonly id: QuoteId
  /** Its place in the answer, from 1. */
  readonly position: number
  /** Its place among the quotes as they were given, from 0. */
  readonly given: number
  /** The output less the cost of the deposit, in native units of the destination asset. */
  readonly net: bigint
  /** The cost of the deposit as the quote states it. */
  readonly statedDepositCost: AssetAmount | undefined
  /** The estimated time in milliseconds. */
  readonly totalDuration: number
  readonly record: TrackRecord
}

/** An answer whose order can be explained. */
export interface KeptAnswer {
  readonly account: AccountId
  readonly at: EpochMillis
  /** The commission that the quotes hold. */
  readonly commissionBps: Bps
  readonly by: RankBy
  /** The providers that were asked, in the operator's order. */
  readonly preference: ReadonlyArray<ProviderName>
  /** The cost of a deposit in the destination asset; undefined where none is deducted. */
  readonly depositCost: bigint | undefined
  /** The best first. */
  readonly quotes: ReadonlyArray<KeptQuote>
}

/** Where an explanation is kept: the process, and the number of the answer in it. */
export interface ExplanationPlace {
  readonly process: string
  readonly number: number
}

/** Why a place has no explanation: another process keeps it, or it is too old. */
export type NotExplained = "elsewhere" | "over"

/** The most answers that can be explained: about a kilobyte each. */
export const mostExplained = 4_096

/** How long an answer can be explained, in milliseconds. */
export const explainedFor = 15 * 60_000

/**
 * The answers of this process that can be explained. They are kept in memory, and the oldest goes when there are too
 * many: a hot path must not wait for a database. So another replica, and this one after a restart, can only say that the
 * explanation is kept elsewhere. Of an answer only what its order was made of is kept: whole quotes, with their fees and
 * pools, would be most of the collector's work on a quote.
 */
export const makeExplanations = () => {
  const process = crypto.randomUUID().slice(0, 8)
  const kept: Array<KeptAnswer> = []
  let next = 0
  return {
    /** The place of the next answer. */
    place: (): ExplanationPlace => ({ process, number: next++ }),
    keep: ({ number }: ExplanationPlace, answer: KeptAnswer): void => {
      kept[number % mostExplained] = answer
    },
    /** What is known of a place that an account was told. */
    find: (account: AccountId, place: ExplanationPlace, now: EpochMillis): KeptAnswer | NotExplained => {
      if (place.process !== process) return "elsewhere"
      const found = kept[place.number % mostExplained]
      const isOver = found === undefined || found.account !== account ||
        place.number < next - mostExplained ||
        now - found.at > explainedFor
      return isOver ? "over" : found
    },
  }
}
