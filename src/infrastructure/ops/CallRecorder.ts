import { Context } from "effect"
import type { FailureClass } from "#domain/operations/ProviderHistory.ts"

/** A call of a provider that has ended, or was not made. */
export interface EndedCall {
  readonly provider: string
  /** The group of operations. */
  readonly operation: string
  readonly ended: "succeeded" | "refused" | "cancelled" | "rejected" | FailureClass
  /** Absent where the call says nothing of the upstream's speed. */
  readonly tookMillis?: number
}

/** Takes down what becomes of calls. Its functions only count in memory, as every call waits for them. */
export interface CallRecorder {
  readonly call: (call: EndedCall, at: number) => void
  /** A circuit of this process has opened, or is open no more. */
  readonly circuit: (provider: string, operation: string, isOpen: boolean, at: number) => void
  /** Several providers were asked for quotes: those with an offer, and the one whose offer pays the most. */
  readonly offers: (offering: ReadonlySet<string>, best: string, at: number) => void
}

/** Where the guard reports calls; nowhere unless `ProviderHistory` provides it. */
export const CallRecorder = Context.Reference<CallRecorder>("swap-broker/ops/CallRecorder", {
  defaultValue: () => ({ call: () => {}, circuit: () => {}, offers: () => {} }),
})
