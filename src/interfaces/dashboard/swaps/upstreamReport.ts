import type { JournalEntry, KeptBody } from "#domain/swaps/Journal.ts"
import { resultOf, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import type { StandingSwap } from "#domain/swaps/SwapRecord.ts"
import { tellTheSame } from "#application/swapping/following/Progress.ts"

/** A response of the upstream. The journal keeps one only where it brought something new, or was refused. */
export interface UpstreamReport {
  readonly entry: JournalEntry
  readonly status: SwapStatus
  readonly body: KeptBody
}

/** The responses that the journal keeps, newest first as its entries are. */
const reportsIn = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<UpstreamReport> =>
  entries.flatMap((entry) =>
    entry.note._tag === "Stall" || entry.note.body === undefined
      ? []
      : [{ entry, status: entry.note.status, body: entry.note.body }]
  )

/**
 * The upstream's latest word. A refused one that no longer stands was followed by responses that agree with our record
 * and are not kept, unless the operator has accepted it: then it is our record.
 */
export const latestReport = (
  entries: ReadonlyArray<JournalEntry>,
  { standing, status }: Pick<StandingSwap, "standing" | "status">,
): UpstreamReport | undefined =>
  reportsIn(entries).find(({ entry: { note }, status: reported }) =>
    note._tag !== "Contradiction" || standing.contradictedAt !== undefined || tellTheSame(reported, status)
  )

/** The upstream's own word of the state, where its response has one at its top. */
export const stateWordIn = ({ text }: KeptBody): string | undefined => {
  try {
    const response: unknown = JSON.parse(text)
    if (typeof response !== "object" || response === null) return undefined
    const word = Object.entries(response).find(([name]) => name === "state" || name === "status")?.[1]
    return typeof word === "string" ? word : undefined
  } catch {
    return undefined
  }
}

/** Every word of a state that an adapter reads, besides those that are ours too. */
const knownWords: ReadonlySet<string> = new Set([
  ...SwapState.literals,
  // 1Click (near-intents/wire.md 1).
  ...["pending_deposit", "known_deposit_tx", "incomplete_deposit", "processing", "success", "refunded"],
  // Relay (relay/wire.md 1).
  ...["depositing", "pending", "submitted", "delayed", "refund", "failure"],
])

/** How a figure of the upstream compares with that of our record. `open`: neither has it yet; `extra`: our record has none. */
export type Match = "same" | "open" | "stale" | "extra" | "differs" | "unknown"

/** Compares amounts, or transactions. */
export const figureMatch = <F extends bigint | string>(reported: F | undefined, held: F | undefined): Match =>
  reported !== held ? (held === undefined ? "extra" : "differs") : held === undefined ? "open" : "same"

/** Compares states. An adapter keeps our state where it does not know the upstream's, so that equality says nothing. */
export const stateMatch = (
  { body, status: reported }: Pick<UpstreamReport, "body" | "status">,
  held: SwapStatus,
  isStale: boolean,
): Match => {
  const word = stateWordIn(body)
  if (word !== undefined && !knownWords.has(word.toLowerCase())) return "unknown"
  if (reported.state !== held.state || resultOf(reported) !== resultOf(held)) return "differs"
  return isStale ? "stale" : "same"
}
