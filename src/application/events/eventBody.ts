import { Effect } from "effect"
import { guidedJson } from "#api/presentSwap.ts"
import { withShownFees } from "#api/shape.ts"
import type { Language } from "#domain/Language.ts"
import type { SwapEvent } from "#domain/swaps/SwapEvent.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Guide } from "../guidance/Guide.ts"

/** The body of an event for streams and webhooks; the numbers of `data` (JSON) stay as written. */
export const bodyOf = (type: string, at: EpochMillis, data: string): string =>
  `{"type":"${type}","timestamp":"${toIsoDate(at)}","data":${withShownFees(data)}}`

/** What of an event its body is made of. */
export type EventSource =
  & Pick<SwapEvent, "at" | "payload" | "platform" | "status">
  & { readonly type: string }

/** An event as it is sent, in a language always the same characters: the swap as `/status-by-id` showed it then. */
export const eventBody = (guide: Guide["Service"], event: EventSource, language: Language) =>
  Effect.map(guide.event(event, language), (guidance) => {
    const { at, payload, type } = event
    return bodyOf(type, at, guidance === undefined ? payload : guidedJson(payload, guidance))
  })
