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

/** The views of swaps by their names in the address. Openings of unknown outcome are none of swaps. */
export const views = {
  all: { label: "All", isCounted: false, keeps: () => ({}), empty: "" },
  underway: {
    label: "Under way",
    isCounted: true,
    keeps: () => ({ states: ["receiving", "swapping", "sending", "sent"] }),
    empty: "No swap is under way: each that was paid into has ended.",
  },
  waiting: {
    label: "Waiting",
    isCounted: true,
    keeps: () => ({ waits: true }),
    empty: "No channel waits for a deposit.",
  },
  stalled: {
    label: "Stalled",
    tone: "bad",
    isCounted: true,
    keeps: () => ({ stalled: true }),
    empty: "No swap stays in its state for longer than it should.",
  },
  disputed: {
    label: "Disputed",
    tone: "warn",
    isCounted: true,
    keeps: () => ({ disputed: true }),
    empty: "No provider says of a swap what cannot be true.",
  },
  refunded: {
    label: "Refunded",
    isCounted: true,
    keeps: () => ({ results: ["refunded"] }),
    empty: "No deposit went back.",
  },
  "refunded-yesterday": {
    label: "Refunded yesterday",
    isCounted: true,
    keeps: (now) => ({ results: ["refunded"], ended: yesterday(now) }),
    empty: "No deposit went back yesterday (UTC).",
  },
  failed: {
    label: "Failed",
    isCounted: true,
    keeps: () => ({ results: ["failed"] }),
    empty: "No swap has failed.",
  },
  completed: {
    label: "Completed",
    isCounted: false,
    keeps: () => ({ states: ["completed"], results: ["completed", "partlyRefunded"] }),
    empty: "No swap has completed so far.",
  },
} as const satisfies Readonly<Record<string, View>>

export type ViewName = keyof typeof views

const isName = (name: string): name is ViewName => Object.hasOwn(views, name)

/** Every view with its name, in their order. */
export const viewList: ReadonlyArray<readonly [name: ViewName, view: View]> = Object.entries(views)
  .flatMap(([name, view]) => isName(name) ? [[name, view]] : [])

/** The view of the openings of which nobody knows what came of them. */
export const unknownView = "unknown"

/** The view that the address of a page asks for. */
export const viewOf = (named: string | undefined): ViewName | typeof unknownView | undefined =>
  named === undefined ? "all" : named === unknownView || isName(named) ? named : undefined
