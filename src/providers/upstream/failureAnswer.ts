import { Option, Schema } from "effect"
import {
  type ProviderErrorReason,
  RateLimited,
  RequestCancelled,
  Unreachable,
  UpstreamFailed,
} from "../../domain/ProviderError.ts"
import type { Answer } from "./transport.ts"
import { upstreamText } from "./upstreamText.ts"

/** What was asked when the answer came. */
export interface Call {
  /** What our messages call the part of the upstream that answered. */
  readonly endpoint: string
  /** Whether it was the call that opens a channel: it may have had effect. */
  readonly opening: boolean
}

const MessageBody = Schema.fromJsonString(Schema.Struct({ message: Schema.String }))

/** The text of `{"message":"…"}`, where the body is of that form. */
export const messageOf = (body: string): Option.Option<string> =>
  Option.map(Schema.decodeUnknownOption(MessageBody)(body), ({ message }) => message)

/** `The broker answered 500: out of order`; the text is the upstream's, made fit for messages. */
const describe = ({ status, body }: Answer, endpoint: string): string =>
  `The ${endpoint} answered ${status}${
    Option.match(messageOf(body), { onNone: () => "", onSome: (text) => `: ${upstreamText(text)}` })
  }`

/**
 * What an answer means that is not 2xx and whose text has no meaning of its own. A 5xx on opening leaves the
 * outcome unknown (decision 16); elsewhere a 500 is the upstream's own failure and 502 to 504 say that it was
 * not there. A 401 or 403 is about the credentials of the operator, never about what an account may do.
 */
export const statusReason = (answer: Answer, { endpoint, opening }: Call): ProviderErrorReason => {
  const { status } = answer
  const detail = describe(answer, endpoint)
  const retryAfter = Option.isSome(answer.retryAfterSeconds)
    ? { retryAfterSeconds: answer.retryAfterSeconds.value }
    : {}
  if (status === 429) {
    return new RateLimited({ detail: `The ${endpoint} takes no more requests for now`, ...retryAfter })
  }
  if (status === 499) return new RequestCancelled({ detail })
  if (status > 500 || (opening && status === 500)) {
    return new Unreachable({ detail, reached: true, ...retryAfter })
  }
  return new UpstreamFailed({ detail })
}
