import { Duration, Effect, Match, Option, Schema } from "effect"
import { issueAbout } from "../../domain/Issues.ts"
import {
  DepositChannelFailed,
  MalformedBody,
  ProviderError,
  type ProviderErrorReason,
  type ProviderOperation,
  RateLimited,
  RequestCancelled,
  RequestRefused,
  TimedOut,
  Unreachable,
  UpstreamFailed,
} from "../../domain/ProviderError.ts"
import type { ProviderName } from "../../domain/ProviderName.ts"
import { storableText } from "../../domain/storable.ts"
import { decodeText } from "./decode.ts"
import { sameAs } from "./hearing.ts"
import type { Answer } from "./transport.ts"

/** Turns an adapter's own reason into the error of the port. */
export const failAs = (provider: ProviderName) => (operation: ProviderOperation) =>
  Effect.mapError((reason: ProviderErrorReason) => new ProviderError({ provider, operation, reason }))

const notOpened = ({ detail }: { readonly detail: string }) => new DepositChannelFailed({ detail })

const asNotOpened = (reason: ProviderErrorReason): ProviderErrorReason =>
  Match.value(reason).pipe(
    Match.tag("Unreachable", ({ detail }) => new Unreachable({ detail, reached: false })),
    Match.tag(
      "MalformedBody",
      (refused) => sameAs(refused, new MalformedBody({ detail: refused.detail, reached: false })),
    ),
    Match.tag("TimedOut", ({ detail }) => new TimedOut({ detail, reached: false })),
    Match.tag("UpstreamFailed", notOpened),
    Match.tag("RequestCancelled", notOpened),
    Match.orElse((other) => other),
  )

/**
 * What is asked before the call that opens a channel. A failure is marked: nothing was opened, whatever the earlier call
 * reached, so another provider may be asked (decision 16). A look-up that took too long is made once more, as its
 * timeout is that of quotes, and an opening waits longer than they do.
 */
export const beforeOpening = <A, R>(
  asked: Effect.Effect<A, ProviderErrorReason, R>,
): Effect.Effect<A, ProviderErrorReason, R> =>
  asked.pipe(
    Effect.retry({ times: 1, while: ({ _tag }) => _tag === "TimedOut" }),
    Effect.mapError(asNotOpened),
  )

const defaultTimeout = Duration.seconds(3)

/**
 * Ends a look-up that several callers share. Without a timeout, a look-up that hangs would never end while callers keep
 * joining it, and the provider would stay out after the upstream is well again.
 */
export const withLookupTimeout = (endpoint: string, timeout: Duration.Input = defaultTimeout) =>
  Effect.timeoutOrElse({
    duration: timeout,
    orElse: () =>
      Effect.fail<ProviderErrorReason>(
        new TimedOut({ detail: `no answer of the ${endpoint} in time`, reached: true }),
      ),
  })

/**
 * An upstream's text, made fit for our own messages: one line, without URLs (the broker's may hold a key), never more
 * than a sentence of a body, and only with characters that can be stored.
 */
export const upstreamText = (text: string): string => {
  const line = text.replace(/\S*:\/\/\S*/g, "<url>").replace(/\s+/g, " ").trim()
  return storableText(line.length > 200 ? `${line.slice(0, 200)}…` : line)
}

/** A refusal of the request itself, by the contract's name of the parameter that is at fault. */
export const refused = (parameter: string, predicate: string): RequestRefused =>
  new RequestRefused({ errors: issueAbout(parameter, predicate) })

/** What texts of an upstream mean: each a reason, or what follows from the match and from what was asked. */
export type Meanings<Subject> = ReadonlyArray<
  readonly [
    pattern: RegExp,
    means:
      | ProviderErrorReason
      | ((match: RegExpExecArray, subject: Subject) => ProviderErrorReason | undefined),
  ]
>

/** The meaning of a text; nothing where it has none of its own. The first pattern that fits counts. */
export const meaningIn = <Subject>(
  meanings: Meanings<Subject>,
  text: string,
  subject: Subject,
): Option.Option<ProviderErrorReason> => {
  for (const [pattern, means] of meanings) {
    const match = pattern.exec(text)
    if (match !== null) {
      return Option.fromUndefinedOr(typeof means === "function" ? means(match, subject) : means)
    }
  }
  return Option.none()
}

/** The call that an answer belongs to. */
export interface WireCall {
  /** The name of the upstream's part that answered, in our messages. */
  readonly endpoint: string
  /** Whether this was the call that opens a channel, which may have taken effect. */
  readonly opening: boolean
}

const MessageBody = Schema.Struct({ message: Schema.String })

/** The text of `{"message":"…"}`; none if the body is of another form. */
export const messageOf = (body: string): Option.Option<string> =>
  Option.map(decodeText(MessageBody, body), ({ message }) => message)

/** `The broker answered 500: out of order`; the text is the upstream's, made fit for messages. */
const describe = ({ status, body }: Answer, endpoint: string): string =>
  `The ${endpoint} answered ${status}${
    Option.match(messageOf(body), { onNone: () => "", onSome: (text) => `: ${upstreamText(text)}` })
  }`

/**
 * The meaning of an answer that is not 2xx and whose text has no meaning of its own. A 5xx on opening leaves the
 * outcome unknown (decision 16). On other calls a 500 is the upstream's own failure, and 502 to 504 mean that it was
 * not there. A 401 or 403 concerns the operator's credentials, never the rights of an account.
 */
export const statusReason = (answer: Answer, { endpoint, opening }: WireCall): ProviderErrorReason => {
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
