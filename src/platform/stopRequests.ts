/** The effect of a signal. */
export type StopRequest =
  /** The first signal: finish the work that was begun, then end. */
  | "stop"
  /** A repetition of the first: one request to stop often arrives more than once. */
  | "again"
  /** A second request to stop: end without waiting. */
  | "endNow"

/** How far apart the signals of one request to stop can arrive, in milliseconds. */
const sameWishMillis = 1_000

/**
 * Interprets the signals that ask a process to stop. A terminal signals the whole process group, so does a supervisor,
 * and a program that started this process passes its own signals on: two signals close to each other, of any kind, are
 * therefore one request. `now` returns milliseconds.
 */
export const makeStopRequests = (now: () => number): () => StopRequest => {
  let first: number | undefined
  return () => {
    if (first !== undefined) return now() - first <= sameWishMillis ? "again" : "endNow"
    first = now()
    return "stop"
  }
}
