import { Duration, Effect, Match, Option, Predicate, Result, Schema } from "effect"
import { grouped } from "#domain/figures.ts"
import { issueAbout } from "#domain/Issues.ts"
import * as Reason from "#domain/ProviderError.ts"
import { ProviderError, type ProviderErrorReason, type ProviderOperation } from "#domain/ProviderError.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { storableText } from "#domain/storable.ts"
import { decodeText, maybe } from "./values.ts"
import { type Answer, sameAs } from "./transport.ts"

/** Turns an adapter's own reason into the error of the port. */
export const failAs = (provider: ProviderName) => (operation: ProviderOperation) =>
  Effect.mapError((reason: ProviderErrorReason) => new ProviderError({ provider, operation, reason }))

const notOpened = ({ because, detail }: { readonly because?: "key"; readonly detail: string }) =>
  new Reason.DepositChannelFailed({ detail, ...optionalMembers(because, (because) => ({ because })) })

const asNotOpened = (reason: ProviderErrorReason): ProviderErrorReason =>
  Match.value(reason).pipe(
    Match.tag(
      "Unreachable",
      ({ detail, isOfRequest }) =>
        new Reason.Unreachable({
          detail,
          reached: false,
          ...optionalMembers(isOfRequest, (isOfRequest) => ({ isOfRequest })),
        }),
    ),
    Match.tag(
      "MalformedBody",
      (refused) => sameAs(refused, new Reason.MalformedBody({ detail: refused.detail, reached: false })),
    ),
    Match.tag("TimedOut", ({ detail }) => new Reason.TimedOut({ detail, reached: false })),
    Match.tag("UpstreamFailed", notOpened),
    Match.tag("RequestCancelled", notOpened),
    Match.orElse((other) => other),
  )

/** A call before an opening: nothing was opened (decision 16). A slow look-up is made once more. */
export const beforeOpening = <A, R>(
  asked: Effect.Effect<A, ProviderErrorReason, R>,
): Effect.Effect<A, ProviderErrorReason, R> =>
  asked.pipe(
    Effect.retry({ times: 1, while: ({ _tag }) => _tag === "TimedOut" }),
    Effect.mapError(asNotOpened),
  )

/** Ends a shared look-up: one that hangs would keep the provider out after the upstream is well again. */
export const withLookupTimeout = (endpoint: string, timeout: Duration.Input = Duration.seconds(3)) =>
  Effect.timeoutOrElse({
    duration: timeout,
    orElse: () =>
      Effect.fail<ProviderErrorReason>(
        new Reason.TimedOut({ detail: `no answer of the ${endpoint} in time`, reached: true }),
      ),
  })

/** An upstream's text made fit for our messages: one short line without URLs, of characters that can be stored. */
export const upstreamText = (text: string): string => {
  const line = text.trim().split(/\s+/).map((word) => word.includes("://") ? "<url>" : word).join(" ")
  return storableText(line.length > 200 ? `${line.slice(0, 200)}…` : line)
}

/** A refusal of the request itself, by the contract's name of the parameter that is at fault. */
export const refused = (parameter: string, predicate: string): Reason.RequestRefused =>
  new Reason.RequestRefused({ errors: issueAbout(parameter, predicate) })

/** What texts of an upstream mean: each a reason, or what follows from the match and from what was asked. */
export type Meanings<Subject> = ReadonlyArray<
  readonly [
    pattern: RegExp,
    means:
      | ProviderErrorReason
      | ((match: RegExpExecArray, subject: Subject) => ProviderErrorReason | undefined),
  ]
>

/** The characters searched for a meaning; the time of some patterns grows with the square of the length. */
export const longestMessage = 1_000

/** The meaning of a text; nothing where it has none of its own. The first pattern that fits counts. */
export const meaningIn = <Subject>(
  meanings: Meanings<Subject>,
  text: string,
  subject: Subject,
): Option.Option<ProviderErrorReason> => {
  const message = text.slice(0, longestMessage)
  for (const [pattern, means] of meanings) {
    const match = pattern.exec(message)
    if (match !== null) {
      return Option.fromUndefinedOr(typeof means === "function" ? means(match, subject) : means)
    }
  }
  return Option.none()
}

/** A figure with or without a currency, up to whatever cannot belong to it. */
const figures = /(\$|\bUSD[ \u00a0]?)?\b([0-9][0-9., '\u00a0\u202f]{0,24})(USD\b|US dollars\b|dollars\b)?/gi
const figure = /^([0-9]{1,3}(?:[, '\u00a0\u202f][0-9]{3}){1,4}|[0-9]{1,12})(\.[0-9]{1,8})?$/

/** The figure that a text names as the least amount, one in dollars before any other: `$1,000.50`; its last one counts. */
const leastIn = (text: string): string | undefined => {
  const named = [...text.slice(0, 1_000).matchAll(figures)].flatMap(([, before, digits = "", after]) => {
    const [, whole, rest = ""] = figure.exec(digits.replace(/[., '\u00a0\u202f]{1,25}$/, "")) ?? []
    if (whole === undefined) return []
    const isDollars = before !== undefined || after !== undefined
    return [`${isDollars ? "$" : ""}${grouped(whole.replace(/[^0-9]/g, ""))}${rest}`]
  })
  return named.findLast((one) => one.startsWith("$")) ?? named.at(-1)
}

/** The amount is too low, with the least one where the text names it. */
export const tooLittle = (text: string): Reason.AmountBelowMinimum =>
  Option.match(Option.fromUndefinedOr(leastIn(text)), {
    onNone: () => new Reason.AmountBelowMinimum(),
    onSome: (least) =>
      new Reason.AmountBelowMinimum({
        detail: `The provider accepts at least ${least} now: increase the amount`,
        least,
      }),
  })

export interface WireCall {
  readonly endpoint: string
  /** Whether this was the call that opens a channel, which may have taken effect. */
  readonly opening: boolean
  /** Whether everybody asks the same, as for a list: a refusal is then a failure of the upstream's own. */
  readonly general?: boolean
}

const MessageBody = Schema.Union([
  Schema.Struct({ message: Schema.String }),
  Schema.Struct({ code: Schema.NonEmptyString, detail: maybe(Schema.String), title: maybe(Schema.String) }),
])

/** The text of `{"message":"…"}` or of problem details with a `code`; none if the body is of another form. */
export const messageOf = (body: string): Option.Option<string> =>
  Option.map(
    decodeText(MessageBody, body),
    (said) => "message" in said ? said.message : said.detail ?? said.title ?? said.code,
  )

const isText = (value: unknown): value is string => Predicate.isString(value) && value.trim() !== ""

/** Where upstreams, and the frameworks that they are made with, say why they refuse: what tells the most comes first. */
const reasonMembers = [
  ...["message", "detail", "error", "msg", "reason", "title", "errorCode", "code"],
  ...["errors", "issues", "0", "name"],
]

/** The first text or code that is said somewhere in a value; an envelope (`error: {message}`) is opened. */
const saidIn = (value: unknown, depth = 0): string | undefined => {
  if (isText(value)) return value
  if (Predicate.isNumber(value) && depth > 0) return `${value}`
  if (!Predicate.isObjectOrArray(value) || depth > 3) return undefined
  for (const member of reasonMembers) {
    const said = Predicate.hasProperty(value, member) ? saidIn(value[member], depth + 1) : undefined
    if (said !== undefined) return said
  }
  return undefined
}

/** A short line without markup, as some services refuse in. */
const plainLine = /^[^<>{}\r\n]{1,300}$/

/** Why an answer says that it refuses, in whichever form it says so; none where nobody can read that. */
export const refusalText = ({ body, status }: Pick<Answer, "body" | "status">): Option.Option<string> =>
  Result.match(Result.try((): unknown => JSON.parse(body)), {
    // A router answers a path that it does not know in such a line, too.
    onFailure: () =>
      status !== 404 && isText(body) && plainLine.test(body.trim()) ? Option.some(body) : Option.none(),
    onSuccess: (said) => Option.fromUndefinedOr(saidIn(said)),
  })

export const refusalStatuses: ReadonlySet<number> = new Set([400, 404, 409, 422])

/** Whether an answer is about this request (decision 61): 401 and 403 are about our credentials, 410 is retired. */
const isWord = (answer: Answer, { general = false }: Pick<WireCall, "general">): boolean =>
  !general && refusalStatuses.has(answer.status) && Option.isSome(refusalText(answer))

/** The reason, with what the answer makes of it: a word about this request, or a failure of the upstream's own. */
export const asAnswered =
  (answer: Answer, call: Pick<WireCall, "general">) => (reason: ProviderErrorReason): ProviderErrorReason => {
    if (!isWord(answer, call)) return reason
    if (reason._tag === "UpstreamFailed") {
      return reason.because === "key"
        ? reason
        : new Reason.UpstreamFailed({ detail: reason.detail, isOfRequest: true })
    }
    if (reason._tag !== "Unreachable") return reason
    return new Reason.Unreachable({ detail: reason.detail, reached: reason.reached, isOfRequest: true })
  }

/** The reason, where the upstream does nothing that it answers with a 4xx: nothing was opened, so another may be asked. */
export const unopened = (reason: ProviderErrorReason, { status }: Answer): ProviderErrorReason =>
  reason._tag !== "UpstreamFailed" || status >= 500 ? reason : new Reason.DepositChannelFailed({
    ...notOpened(reason),
    ...(reason.isOfRequest === true ? {} : { isOwnFailure: true as const }),
  })

/** `The broker answered 500: out of order`; the text is the upstream's, made fit for messages. */
const describe = (answer: Answer, endpoint: string): string =>
  `The ${endpoint} answered ${answer.status}${
    Option.match(refusalText(answer), { onNone: () => "", onSome: (text) => `: ${upstreamText(text)}` })
  }`

/**
 * The meaning of an answer that is not 2xx and whose text has no meaning of its own. A 5xx on opening leaves the
 * outcome unknown (decision 16). On other calls a 500 is the upstream's own failure, and 502 to 504 mean that it was
 * not there. A 401 or 403 concerns the operator's credentials, never the rights of an account.
 */
export const statusReason = (answer: Answer, call: WireCall): ProviderErrorReason => {
  const { endpoint, opening } = call
  const { status } = answer
  const detail = describe(answer, endpoint)
  const retryAfter = Option.isSome(answer.retryAfterSeconds)
    ? { retryAfterSeconds: answer.retryAfterSeconds.value }
    : {}
  if (status === 429) {
    return new Reason.RateLimited({ detail: `The ${endpoint} takes no more requests for now`, ...retryAfter })
  }
  if (status === 499) return new Reason.RequestCancelled({ detail })
  if (status > 500 || (opening && status === 500)) {
    return new Reason.Unreachable({ detail, reached: true, ...retryAfter })
  }
  return asAnswered(answer, call)(new Reason.UpstreamFailed({ detail }))
}
