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

/** Where an explanation is kept: the process, and a random number of the answer, which tells nothing of how many there are. */
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

/** Twelve hexadecimal digits, the last part of a random id, as a number. */
const randomNumber = (): number => Number(`0x${crypto.randomUUID().slice(-12)}`)

interface Kept {
  readonly number: number
  readonly answer: KeptAnswer
}

const isOver = ({ answer }: Kept, now: EpochMillis): boolean => now - answer.at > explainedFor

/**
 * The answers of this process that can be explained. They are kept in memory, and when there are too many the oldest of
 * the account goes that has the most: a hot path must not wait for a database, and no account may push out what others
 * asked for. So another replica, and this one after a restart, can only say that the explanation is kept elsewhere. Of an
 * answer only what its order was made of is kept: whole quotes, with their fees and pools, would be most of the
 * collector's work on a quote.
 */
export const makeExplanations = () => {
  const process = crypto.randomUUID().slice(0, 8)
  // The answers of each account, the oldest first.
  const kept = new Map<AccountId, Array<Kept>>()
  let size = 0

  const forgetOldest = (account: AccountId, own: Array<Kept>): void => {
    own.shift()
    size -= 1
    if (own.length === 0) kept.delete(account)
  }

  /** Forgets accounts whose answers are all over; where that is not enough, one answer of the account with the most. */
  const makeRoom = (now: EpochMillis): void => {
    let most: readonly [AccountId, Array<Kept>] | undefined
    for (const [account, own] of kept) {
      const newest = own.at(-1)
      if (newest === undefined || isOver(newest, now)) {
        size -= own.length
        kept.delete(account)
      } else if (most === undefined || own.length > most[1].length) most = [account, own]
    }
    if (most !== undefined && size > mostExplained) forgetOldest(...most)
  }

  return {
    /** The place of the next answer. */
    place: (): ExplanationPlace => ({ process, number: randomNumber() }),
    keep: ({ number }: ExplanationPlace, answer: KeptAnswer): void => {
      const own = kept.get(answer.account)
      if (own === undefined) kept.set(answer.account, [{ number, answer }])
      else own.push({ number, answer })
      size += 1
      if (size > mostExplained) makeRoom(answer.at)
    },
    /** What is known of a place that an account was told. */
    find: (account: AccountId, place: ExplanationPlace, now: EpochMillis): KeptAnswer | NotExplained => {
      if (place.process !== process) return "elsewhere"
      const found = kept.get(account)?.find(({ number }) => number === place.number)
      return found === undefined || isOver(found, now) ? "over" : found.answer
    },
  }
}
