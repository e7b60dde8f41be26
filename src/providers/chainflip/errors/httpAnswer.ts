import { Option, Schema } from "effect"
import {
  type ProviderErrorReason,
  RateLimited,
  RequestCancelled,
  RouteDisabled,
  Unreachable,
  UpstreamFailed,
} from "../../../domain/ProviderError.ts"
import type { Answer, Endpoint } from "../client/transport.ts"
import { knownReason, type Pair } from "./knownMessages.ts"
import { upstreamText } from "./upstreamText.ts"

/** What was asked when the answer came: messages are about its assets, and an opening may have had effect. */
export interface Asked {
  readonly endpoint: Endpoint
  /** Whether it was the call that opens a channel. */
  readonly opening: boolean
  readonly pair: Pair
}

const MessageBody = Schema.fromJsonString(Schema.Struct({ message: Schema.String }))

/** `{"message":"…"}`, the form of every failure of the backend (chainflip.md 3.5). */
export const messageOf = (body: string): Option.Option<string> =>
  Option.map(Schema.decodeUnknownOption(MessageBody)(body), ({ message }) => message)

/**
 * What an answer means that is not 2xx. A known message counts more than the status. A 5xx on opening leaves
 * the outcome unknown (decision 16); elsewhere a 500 is the upstream's own failure and 502 to 504 say that
 * it was not there.
 */
export const answerReason = (answer: Answer, asked: Asked): ProviderErrorReason => {
  const message = messageOf(answer.body)
  return Option.getOrElse(
    Option.flatMap(message, (text) => knownReason(text, asked.pair)),
    () => statusReason(answer, Option.map(message, upstreamText), asked),
  )
}

const statusReason = (
  { status, retryAfterSeconds }: Answer,
  message: Option.Option<string>,
  { endpoint, opening }: Asked,
): ProviderErrorReason => {
  const detail = `The ${endpoint} answered ${status}${
    Option.match(message, { onNone: () => "", onSome: (text) => `: ${text}` })
  }`
  if (status === 429) {
    return new RateLimited({
      detail: `The ${endpoint} takes no more requests for now`,
      ...(Option.isSome(retryAfterSeconds) ? { retryAfterSeconds: retryAfterSeconds.value } : {}),
    })
  }
  if (status === 403) return new RouteDisabled({ detail })
  if (status === 499) return new RequestCancelled({ detail })
  if (status > 500 || (opening && status === 500)) return new Unreachable({ detail, reached: true })
  return new UpstreamFailed({ detail })
}
