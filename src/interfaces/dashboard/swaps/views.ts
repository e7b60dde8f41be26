import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { statesUnderWay, type StateWord } from "#domain/swaps/StateWord.ts"
import { EpochMillis } from "#domain/Time.ts"

const dayMillis = 86_400_000

/** What a view keeps of the list. */
type Narrowing = Pick<
  AccountSwapsQuery,
  "states" | "stalled" | "waits" | "disputed" | "expired" | "results" | "ended"
>

/** The swaps of each word. Openings with an unknown outcome are no swaps. */
export const swapsOfWord: Readonly<Record<Exclude<StateWord, "unknown">, Narrowing>> = {
  waiting: { waits: true },
  receiving: { states: ["receiving"] },
  swapping: { states: ["swapping"] },
  sending: { states: ["sending"] },
  sent: { states: ["sent"] },
  completed: { states: ["completed"], results: ["completed"] },
  refunded: { results: ["refunded"] },
  partlyRefunded: { results: ["partlyRefunded"] },
  failed: { results: ["failed"] },
  expired: { states: ["waiting"], expired: true },
  stalled: { stalled: true },
  disputed: { disputed: true },
}

/** A view of the list: its label and its swaps. */
export interface View {
  readonly label: string
  /** The tint of a count that needs a person. */
  readonly tone?: "warn" | "bad"
  readonly keeps: (now: EpochMillis) => Narrowing
  /** What an empty list says. */
  readonly empty: string
}

const viewOfWord = (
  word: keyof typeof swapsOfWord,
  label: string,
  empty: string,
  tone?: "warn" | "bad",
): View => ({ label, keeps: () => swapsOfWord[word], empty, ...(tone === undefined ? {} : { tone }) })

const yesterday = (now: EpochMillis) => {
  const today = now - now % dayMillis
  return { from: EpochMillis.make(today - dayMillis), before: EpochMillis.make(today) }
}

/** The views of swaps by their names in the address; openings with an unknown outcome are no swaps. */
export const views = {
  all: { label: "All", keeps: () => ({}), empty: "No swaps yet." },
  underway: { label: "Under way", keeps: () => ({ states: statesUnderWay }), empty: "No swaps under way." },
  waiting: viewOfWord("waiting", "Waiting", "No channels waiting for a deposit."),
  stalled: viewOfWord("stalled", "Stalled", "No stalled swaps.", "bad"),
  disputed: viewOfWord("disputed", "Disputed", "No disputed swaps.", "warn"),
  refunded: viewOfWord("refunded", "Refunded", "No refunded swaps."),
  "refunded-yesterday": {
    label: "Refunded yesterday",
    keeps: (now) => ({ results: ["refunded"], ended: yesterday(now) }),
    empty: "No swaps refunded yesterday (UTC).",
  },
  failed: viewOfWord("failed", "Failed", "No failed swaps."),
  expired: viewOfWord("expired", "Expired", "No expired channels."),
  completed: viewOfWord("completed", "Completed", "No completed swaps yet."),
} as const satisfies Readonly<Record<string, View>>

export type ViewName = keyof typeof views

const isName = (name: string): name is ViewName => Object.hasOwn(views, name)

/** The view of the openings with an unknown outcome, and its label. */
export const unknownView = "unknown"
export const unknownLabel = "Opening unknown"

/** The view that the address of a page asks for. */
export const viewOf = (named: string | undefined): ViewName | typeof unknownView | undefined =>
  named === undefined ? "all" : named === unknownView || isName(named) ? named : undefined
