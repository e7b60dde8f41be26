/** A machine that is busy takes its time, and a figure that is not reached is one, too. */
const patienceMillis = 20_000
const intervalMillis = 5

/** Waits until something holds, but not for ever; when that was, as of `performance.now()`. */
export const until = async (holds: () => boolean): Promise<number> => {
  const end = performance.now() + patienceMillis
  while (!holds() && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, intervalMillis))
  }
  return performance.now()
}
