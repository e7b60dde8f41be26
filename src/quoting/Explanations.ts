import type { AccountId } from "../domain/Account.ts"
import type { Bps } from "../domain/Bps.ts"
import type { EpochMillis } from "../domain/Time.ts"
import type { Ranking } from "./Ranking.ts"

/** An answer whose order can be explained. */
export interface Explained {
  readonly account: AccountId
  readonly ranking: Ranking
  /** The commission that the quotes hold. */
  readonly commissionBps: Bps
  readonly at: EpochMillis
}

/** Where an explanation is kept: the process, and the number of the answer in it. */
export interface ExplanationPlace {
  readonly process: string
  readonly number: number
}

/** Why a place has no explanation: another process keeps it, or it is too old. */
export type NotExplained = "elsewhere" | "over"

/** The most answers that can be explained: a few kilobytes each, so some tens of megabytes at most. */
export const mostExplained = 4_096

/** How long an answer can be explained, in milliseconds. */
export const explainedFor = 15 * 60_000

/**
 * The answers of this process that can be explained. They are kept in memory, and the oldest goes when there are too
 * many: a hot path must not wait for a database. So another replica, and this one after a restart, can only say that the
 * explanation is kept elsewhere.
 */
export const makeExplanations = () => {
  const process = crypto.randomUUID().slice(0, 8)
  const kept: Array<Explained> = []
  let next = 0
  return {
    keep: (explained: Explained): ExplanationPlace => {
      const number = next++
      kept[number % mostExplained] = explained
      return { process, number }
    },
    /** What is known of a place that an account was told. */
    find: (account: AccountId, place: ExplanationPlace, now: EpochMillis): Explained | NotExplained => {
      if (place.process !== process) return "elsewhere"
      const found = kept[place.number % mostExplained]
      const isOver = found === undefined || found.account !== account ||
        place.number < next - mostExplained ||
        now - found.at > explainedFor
      return isOver ? "over" : found
    },
  }
}
