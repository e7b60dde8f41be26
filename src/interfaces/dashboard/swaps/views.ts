import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { EpochMillis } from "#domain/Time.ts"

const dayMillis = 86_400_000

/** What a view keeps of the list. */
type Narrowing = Pick<AccountSwapsQuery, "states" | "stalled" | "waits" | "disputed" | "results" | "ended">

/** A view of the list: its words, which swaps are in it, and whether they are counted. */
export interface View {
  readonly label: string
  /** How swaps in it are tinted that need a person. */
  readonly tone?: "warn" | "bad"
  readonly isCounted: boolean
  readonly keeps: (now: EpochMillis) => Narrowing
  /** What is said where none is in it. */
  readonly empty: string
}

/** The day before (UTC). */
const yesterday = (now: EpochMillis) => {
  const today = now - now % dayMillis
  return { from: EpochMillis.make(today - dayMillis), before: EpochMillis.make(today) }
}

/** The views of swaps by their names in the address; openings with an unknown outcome are no swaps. */
export const views = {
  all: { label: "All", isCounted: false, keeps: () => ({}), empty: "No swaps yet." },
  underway: {
    label: "Under way",
    isCounted: true,
    keeps: () => ({ states: ["receiving", "swapping", "sending", "sent"] }),
    empty: "No swaps under way.",
  },
  waiting: {
    label: "Waiting",
    isCounted: true,
    keeps: () => ({ waits: true }),
    empty: "No channels waiting for a deposit.",
  },
  stalled: {
    label: "Stalled",
    tone: "bad",
    isCounted: true,
    keeps: () => ({ stalled: true }),
    empty: "No stalled swaps.",
  },
  disputed: {
    label: "Disputed",
    tone: "warn",
    isCounted: true,
    keeps: () => ({ disputed: true }),
    empty: "No disputed swaps.",
  },
  refunded: {
    label: "Refunded",
    isCounted: true,
    keeps: () => ({ results: ["refunded"] }),
    empty: "No refunded swaps.",
  },
  "refunded-yesterday": {
    label: "Refunded yesterday",
    isCounted: true,
    keeps: (now) => ({ results: ["refunded"], ended: yesterday(now) }),
    empty: "No swaps refunded yesterday (UTC).",
  },
  failed: {
    label: "Failed",
    isCounted: true,
    keeps: () => ({ results: ["failed"] }),
    empty: "No failed swaps.",
  },
  completed: {
    label: "Completed",
    isCounted: false,
    keeps: () => ({ states: ["completed"], results: ["completed", "partlyRefunded"] }),
    empty: "No completed swaps yet.",
  },
} as const satisfies Readonly<Record<string, View>>

export type ViewName = keyof typeof views

const isName = (name: string): name is ViewName => Object.hasOwn(views, name)

/** Every view with its name, in their order. */
export const viewList: ReadonlyArray<readonly [name: ViewName, view: View]> = Object.entries(views)
  .flatMap(([name, view]) => isName(name) ? [[name, view]] : [])

/** The view of the openings with an unknown outcome, and its label. */
export const unknownView = "unknown"
export const unknownLabel = "Unknown outcome"

/** The view that the address of a page asks for. */
export const viewOf = (named: string | undefined): ViewName | typeof unknownView | undefined =>
  named === undefined ? "all" : named === unknownView || isName(named) ? named : undefined
