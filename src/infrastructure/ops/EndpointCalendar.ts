import { Context } from "effect"
import type { EndNotice } from "#domain/operations/EndpointEnding.ts"
import type { ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import type { EpochMillis } from "#domain/Time.ts"

/** An answer of an upstream, as far as it tells of the end of its endpoint. */
export interface EndpointAnswer {
  readonly provider: ProviderName
  readonly operation: ProviderOperation
  /** The endpoint's name: method and path without ids, or the name of a JSON-RPC method. */
  readonly call: () => string
  readonly status: number
  readonly notice: EndNotice | undefined
  readonly at: EpochMillis
}

/** Takes down the ends of endpoints that upstreams announce. It only counts in memory, as the call waits for it. */
export interface EndingRecorder {
  /** Returns whether the answer shows that its endpoint is retired. */
  readonly answered: (answer: EndpointAnswer) => boolean
}

/** Where every answer of an upstream is reported; only a 410 counts unless `EndpointCalendar` provides it. */
export const EndingRecorder = Context.Reference<EndingRecorder>("swap-broker/ops/EndingRecorder", {
  defaultValue: () => ({ answered: ({ status }) => status === 410 }),
})
