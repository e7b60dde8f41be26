/** How often, how long and how patiently requests are sent. */
export interface Patience {
  /** For a call with all its attempts; 60 when absent. */
  readonly deadlineSeconds?: number
  /** For one attempt, until its answer is read; 30 when absent. */
  readonly attemptSeconds?: number
  /** How often a request that may be sent again is sent at most; 4 when absent. */
  readonly attempts?: number
  /** The longest wait before the second attempt, which doubles with each further one up to 20 times that; 0.5 when absent. */
  readonly backoffSeconds?: number
}

/** The wait before the next attempt: random, so that many clients do not come back together, after what the service asks. */
export const waitSeconds = (attempt: number, backoffSeconds: number, retryAfterSeconds = 0): number =>
  retryAfterSeconds + Math.random() * backoffSeconds * Math.min(20, 2 ** (attempt - 1))

/** Seconds of a `Retry-After`, which this service gives as a number; none where it is a date. */
export const retryAfterIn = (headers: Headers): number | undefined => {
  const value = headers.get("retry-after") ?? ""
  return /^\d{1,6}$/.test(value) ? Number(value) : undefined
}

/** Waits; ends at once, with the caller's reason, when the caller aborts. */
export const pause = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort)
      resolve()
    }, seconds * 1_000)
    signal?.addEventListener("abort", onAbort, { once: true })
  })

/** A signal that fires when the caller aborts, or after a time that can be set anew. */
export interface Limit {
  readonly signal: AbortSignal
  /** Whether it was the time. */
  readonly isOver: () => boolean
  /** Gives so many seconds from now. */
  readonly give: (seconds: number) => void
  /** Gives as long as it takes. */
  readonly hold: () => void
  /** Ends what is still under way. */
  readonly end: () => void
}

export const limited = (caller: AbortSignal | undefined): Limit => {
  const controller = new AbortController()
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const onAbort = () => controller.abort(caller?.reason)
  if (caller?.aborted) onAbort()
  caller?.addEventListener("abort", onAbort)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    give: (seconds) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isOver = true
        controller.abort()
      }, seconds * 1_000)
    },
    hold: () => clearTimeout(timer),
    end: () => {
      clearTimeout(timer)
      controller.abort()
      caller?.removeEventListener("abort", onAbort)
    },
  }
}
