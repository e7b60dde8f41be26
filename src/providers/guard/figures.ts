import { Struct } from "effect"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { EpochMillis } from "#domain/Time.ts"

/** How a call ended: `refused` by the upstream, `failed` at it, `cancelled` by the caller, or not admitted. */
export type CallOutcome = "succeeded" | "refused" | "failed" | "cancelled" | "rejected"

/** The figures of an operation of a provider since this process started. */
export interface Figures {
  readonly calls: Readonly<Record<CallOutcome, number>>
  /** The latest outcomes that count for the circuit, the newest last. */
  readonly window: ReadonlyArray<"succeeded" | "failed">
  readonly lastError?: LastError
  readonly averageMillis?: number
}

/** The latest failure; `detail` is for the operator, and holds no URL, key or body. */
export interface LastError {
  readonly at: EpochMillis
  readonly reason: ProviderErrorReason["_tag"]
  readonly detail: string
  /** The upstream refuses our API key, or wants one. */
  readonly because?: "key"
}

export interface Call {
  readonly outcome: CallOutcome
  /** Absent if the call was not admitted. */
  readonly tookMillis?: number
  readonly error?: LastError
}

const windowSize = 20

export const makeFigures = () => {
  const calls: Record<CallOutcome, number> = {
    succeeded: 0,
    refused: 0,
    failed: 0,
    cancelled: 0,
    rejected: 0,
  }
  let window: ReadonlyArray<"succeeded" | "failed"> = []
  let lastError: LastError | undefined
  let timed = 0
  let millis = 0

  const count = ({ outcome, tookMillis, error }: Call): void => {
    calls[outcome] += 1
    if (outcome === "failed") window = [...window, "failed" as const].slice(-windowSize)
    if (outcome === "succeeded" || outcome === "refused") {
      window = [...window, "succeeded" as const].slice(-windowSize)
    }
    if (error !== undefined) lastError = error
    else if (outcome !== "rejected" && lastError?.because !== undefined) {
      lastError = Struct.omit(lastError, ["because"])
    }
    if (tookMillis !== undefined) {
      timed += 1
      millis += tookMillis
    }
  }

  const view = (): Figures => ({
    calls: { ...calls },
    window,
    ...(lastError === undefined ? {} : { lastError }),
    ...(timed === 0 ? {} : { averageMillis: millis / timed }),
  })

  return { count, view, lastError: () => lastError }
}
