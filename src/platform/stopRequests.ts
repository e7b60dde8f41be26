/** What has come of a signal. */
export type StopRequest =
  /** The first: finish what was begun, then end. */
  | "stop"
  /** Nothing new: one wish to stop often arrives more than once. */
  | "again"
  /** Somebody does not want to wait. */
  | "endNow"

/** How far apart the signals of one wish to stop can arrive, in milliseconds. */
const sameWishMillis = 1_000

/**
 * Tells signals apart that ask a process to stop. A terminal sends one to the whole process group, a supervisor too,
 * and a program that started this one passes its own on: so two signals close to each other, of whichever kind, are
 * one wish. `now` gives milliseconds.
 */
export const makeStopRequests = (now: () => number): () => StopRequest => {
  let first: number | undefined
  return () => {
    if (first !== undefined) return now() - first <= sameWishMillis ? "again" : "endNow"
    first = now()
    return "stop"
  }
}
