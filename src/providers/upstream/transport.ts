import { Clock, Context, Effect, Option, Predicate, Result, Stream } from "effect"
import { Base64 } from "effect/encoding"
import {
  type Headers,
  HttpClient,
  type HttpClientError,
  type HttpClientRequest,
  type HttpClientResponse,
} from "effect/http"
import { MalformedBody, NotCalled, type ProviderErrorReason, Unreachable } from "#domain/ProviderError.ts"
import { parseStorable } from "#domain/storable.ts"
import { EpochMillis } from "#domain/Time.ts"
import { readEndNotice } from "#infrastructure/platform/endNotice.ts"
import { parseHttpDate, parseRetryAfter } from "#infrastructure/platform/httpTime.ts"
import { lightSpan } from "#infrastructure/platform/lightSpan.ts"
import { callOf, CurrentWitness } from "./witness.ts"
import { jobFailed, jobWorked } from "#infrastructure/platform/outages.ts"
import type { EndNotice } from "#domain/operations/EndpointEnding.ts"

export type HideSecrets = (text: string) => string

/** The shortest secret in a path or query: a shorter part may be an ordinary word, which answers contain as well. */
const shortestInUrl = 16

/** The shortest password that counts as a secret: a shorter one occurs in texts by chance. */
const shortestPassword = 6

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The secrets that a URL may hold: its password, and everything in its path and query that is long enough. */
const secretsOfUrl = ({ password, pathname, searchParams, username }: URL): ReadonlyArray<string> => {
  const words = [...pathname.split("/"), ...searchParams.values()].filter(({ length }) =>
    length >= shortestInUrl
  )
  const secret = decoded(password)
  if (secret.length < shortestPassword) return words
  return [...words, secret, Base64.encode(`${decoded(username)}:${secret}`)]
}

const formsOf = (secret: string): ReadonlyArray<string> => [
  secret,
  decoded(secret),
  encodeURIComponent(decoded(secret)),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll("/", "\\/"),
]

/** Removes the token and the URL's secrets from every answer: some upstreams repeat their request in errors. */
export const hideSecrets = (url: URL, ...tokens: ReadonlyArray<string>): HideSecrets => {
  const secrets = new Set([...tokens, ...secretsOfUrl(url)].flatMap(formsOf))
  if (secrets.size === 0) return (text) => text
  // Longer forms come first, as one may begin with another.
  const forms = [...secrets].toSorted((one, other) => other.length - one.length)
  return (text) => forms.reduce((left, form) => left.replaceAll(form, "(hidden)"), text)
}

export interface Answer {
  readonly status: number
  /** The answer's `Date`, else our time: the upstream's deadlines are by its own clock, and the sandbox's runs ahead. */
  readonly answeredAt: EpochMillis
  readonly retryAfterSeconds: Option.Option<number>
  readonly body: string
}

/** The longest answer that is read. None that we ask for comes near it, and a longer one must not fill our memory. */
export const maximumAnswerBytes = 4 * 1024 * 1024

/** The codes of a failure to connect, in the words of the runtimes: nothing was sent yet. */
const neverConnectedCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])
const neverConnectedText = /client error \(connect\)|tcp connect error|dns error|are blocked|not supported/i

/** Whether a transport fault happened before anything could be sent; false if in doubt. */
export const neverConnected = (fault: unknown, depth = 0): boolean => {
  if (depth > 5 || !Predicate.isObject(fault)) return false
  if ("code" in fault && Predicate.isString(fault.code) && neverConnectedCodes.has(fault.code)) return true
  if ("message" in fault && Predicate.isString(fault.message) && neverConnectedText.test(fault.message)) {
    return true
  }
  return "cause" in fault && neverConnected(fault.cause, depth + 1)
}

/** The error of a transport fault; a call that was left out has its own. The fault's own text names the URL, so `detail` has none of it. */
const toUnreachable = (endpoint: string, { reason }: HttpClientError.HttpClientError) => {
  if (reason._tag === "TransportError") {
    if (reason.cause instanceof NotCalled) return reason.cause
    return neverConnected(reason.cause)
      ? new Unreachable({ detail: `The ${endpoint} cannot be connected to`, reached: false })
      : new Unreachable({ detail: `The connection to the ${endpoint} was cut`, reached: true })
  }
  return reason._tag === "EncodeError" || reason._tag === "InvalidUrlError"
    ? new Unreachable({ detail: `The request to the ${endpoint} could not be made`, reached: false })
    : new Unreachable({ detail: `The answer of the ${endpoint} was cut off`, reached: true })
}

/** Whether the answer's headers guarantee that it is short, once decompressed too. */
const isSurelyShort = (headers: Headers.Headers): boolean => {
  const length = headers["content-length"]
  return length !== undefined && Number(length) <= maximumAnswerBytes &&
    headers["content-encoding"] === undefined
}

const tooLong = (endpoint: string) =>
  new MalformedBody({
    detail: `body: expected at most ${maximumAnswerBytes} bytes, got more (${endpoint})`,
    reached: true,
  })

const readCounted = (endpoint: string, response: HttpClientResponse.HttpClientResponse) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let bytes = 0
    let text = ""
    return Stream.runForEach(response.stream, (chunk) => {
      bytes += chunk.byteLength
      if (bytes > maximumAnswerBytes) return Effect.fail(tooLong(endpoint))
      text += decoder.decode(chunk, { stream: true })
      return Effect.void
    }).pipe(
      Effect.map(() => text + decoder.decode()),
      Effect.catchReason("HttpClientError", "EmptyBodyError", () => Effect.succeed("")),
    )
  })

/** The headers are read once, as they are created anew at each access. */
const readAnswer = (endpoint: string, response: HttpClientResponse.HttpClientResponse) => {
  const { headers } = response
  return Effect.map(
    isSurelyShort(headers) ? response.text : readCounted(endpoint, response),
    (body) => ({ status: response.status, headers, body }),
  )
}

/** The status of every answer that shows that its endpoint is retired, also where the upstream says 404 (decision 61). */
const retiredStatus = 410

/** Whatever the upstream says there, it is not about the request. */
const retired = (call: string) => ({
  status: retiredStatus,
  body: JSON.stringify({ message: `${call} is retired` }),
})

/** Whether the endpoint that was called is retired: its provider has to be changed, and no request can help. */
export const isRetirement = ({ status }: Answer): boolean => status === retiredStatus

/** An answer as it came, without our secrets. */
export interface Exchange {
  /** The upstream's own name of the call (`witness.ts`). */
  readonly call: () => string
  readonly status: number
  readonly body: string
  /** What its headers say of the end of its endpoint, if they do. */
  readonly notice: EndNotice | undefined
  readonly at: EpochMillis
}

/** Somebody who hears what upstreams answer to a call of the port, and tells of an answer that was refused. */
export interface RefusalReporter {
  /** Returns whether the answer shows that its endpoint is retired. */
  readonly heard: (exchange: Exchange) => boolean
  /** Tells of a refusal; of the same one only once, and of any other failure never. */
  readonly refused: (reason: ProviderErrorReason) => Effect.Effect<void>
}

/** The hearing of this fiber's call; none where nobody has to be told. */
export const CurrentReporter = Context.Reference<RefusalReporter | undefined>(
  "swap-broker/providers/upstream/hearing/CurrentHearing",
  { defaultValue: () => undefined },
)

/** Tells of a refused answer whose call goes on. */
export const tellRefusal = (reason: ProviderErrorReason): Effect.Effect<void> =>
  Effect.flatMap(CurrentReporter, (hearing) => hearing?.refused(reason) ?? Effect.void)

/** A question that several callers share or nobody waits for: whoever asked reports a refusal, once. */
export const reportedByCaller = <A, R>(
  question: Effect.Effect<A, ProviderErrorReason, R>,
): Effect.Effect<A, ProviderErrorReason, R> => Effect.tapError(question, tellRefusal)

const notFetched = (what: string): string => `${what} could not be fetched; trying again`

/** Logs that something is brought up to date again, where `stillOld` has warned that it was not. */
export const upToDate = (what: string): Effect.Effect<void> => jobWorked(notFetched(what))

/** Warns from the second failure in a row on: one slow answer is nobody's concern. A refused answer has its own line. */
export const warnStale = (
  what: string,
  reason: ProviderErrorReason,
  failuresInARow: number,
): Effect.Effect<void> => {
  if (reason._tag === "MalformedBody") return Effect.void
  const job = notFetched(what)
  return failuresInARow < 2 ? Effect.logDebug(job, reason) : jobFailed(job, reason)
}

const originals = new WeakMap<ProviderErrorReason, ProviderErrorReason>()

/** Another form of a reason, which tells the same. */
export const sameAs = <A extends ProviderErrorReason>(original: ProviderErrorReason, other: A): A => {
  originals.set(other, originalOf(original))
  return other
}

/** The first form of a reason. */
export const originalOf = (reason: ProviderErrorReason): ProviderErrorReason =>
  originals.get(reason) ?? reason

/** Sends a request once; secrets are removed. No client span and no trace header: they would reveal URL and IDs. */
export const send = (
  client: HttpClient.HttpClient,
  endpoint: string,
  request: HttpClientRequest.HttpClientRequest,
  hide: HideSecrets,
): Effect.Effect<Answer, Unreachable | NotCalled | MalformedBody> =>
  // The client is called anew at each run: an effect that is kept and run again is another call.
  Effect.suspend(() => client.execute(request)).pipe(
    Effect.flatMap((response) => readAnswer(endpoint, response)),
    Effect.matchEffect({
      onSuccess: ({ body, headers, status }) =>
        Effect.withFiber((fiber) => {
          const shown = hide(body)
          const call = () => hide(callOf(request))
          const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
          const at = EpochMillis.make(Math.floor(now))
          const exchange = { call, status, body: shown, notice: readEndNotice(headers, hide), at }
          const isGone = fiber.getRef(CurrentReporter)?.heard(exchange) ?? status === retiredStatus
          fiber.getRef(CurrentWitness)?.answered(call())
          return Effect.succeed({
            answeredAt: Option.getOrElse(parseHttpDate(headers["date"]), () => at),
            retryAfterSeconds: parseRetryAfter(headers["retry-after"], now),
            ...(isGone ? retired(call()) : { status, body: shown }),
          })
        }),
      onFailure: (error) =>
        Effect.fail(error._tag === "HttpClientError" ? toUnreachable(endpoint, error) : error),
    }),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    lightSpan("upstream.exchange", {
      kind: "client",
      attributes: { "http.request.method": request.method, "peer.service": endpoint },
    }),
  )

export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300

/** The body as JSON whose texts can be stored, or a `MalformedBody` that does not show it. */
export const parseJson = (endpoint: string, { body }: Answer): Result.Result<unknown, MalformedBody> =>
  Result.try({
    try: () => parseStorable(body),
    catch: () =>
      new MalformedBody({
        detail: `body: expected JSON, got ${body.length} characters of something else (${endpoint})`,
        reached: true,
      }),
  })

/** A parsed body, not yet decoded, with its text as it came and the upstream's time. */
export interface Heard extends Pick<Answer, "answeredAt"> {
  readonly body: unknown
  readonly text: string
}

export const hear = (endpoint: string, answer: Answer): Result.Result<Heard, MalformedBody> =>
  Result.map(
    parseJson(endpoint, answer),
    (body) => ({ body, text: answer.body, answeredAt: answer.answeredAt }),
  )

export type Query = Readonly<Record<string, string>>

/** Makes URLs, as text, of paths under a base, with parameters after the base's own. */
export const urlsUnder = (base: URL) => {
  const own = base.search.slice(1)
  const bare = new URL(base)
  bare.search = ""
  const start = bare.href.replace(/\/+$/, "")
  return (path: string, query: Query = {}): string => {
    const written = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const search = [own, ...written].filter((part) => part !== "").join("&")
    return search === "" ? `${start}${path}` : `${start}${path}?${search}`
  }
}

/** The URL of a path under a base; the base's own path and query are kept. */
export const under = (base: URL, path: string): string => urlsUnder(base)(path)
