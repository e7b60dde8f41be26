import { Clock, DateTime, Effect, Option, Predicate, Result } from "effect"
import { HttpClient, type HttpClientError, type HttpClientRequest } from "effect/http"
import { MalformedBody, Unreachable } from "../../../domain/ProviderError.ts"

/** The three parts of the upstream, as messages call them. */
export type Endpoint = "swap backend" | "node" | "broker"

/** An answer of any status, read to its end. */
export interface Answer {
  readonly status: number
  /** From `Retry-After`. */
  readonly retryAfterSeconds: Option.Option<number>
  readonly body: string
}

/** How connecting fails in the words of the runtimes: nothing was sent yet. */
const neverConnectedCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
])
const neverConnectedText = /client error \(connect\)|tcp connect error|dns error|are blocked|not supported/i

/** Whether a transport fault happened before anything could be sent. In doubt it did not. */
export const neverConnected = (fault: unknown, depth = 0): boolean => {
  if (depth > 5 || !Predicate.isObject(fault)) return false
  if ("code" in fault && Predicate.isString(fault.code) && neverConnectedCodes.has(fault.code)) return true
  if ("message" in fault && Predicate.isString(fault.message) && neverConnectedText.test(fault.message)) {
    return true
  }
  return "cause" in fault && neverConnected(fault.cause, depth + 1)
}

/** The fault's own text names the URL, so none of it gets into `detail`. */
const toUnreachable = (endpoint: Endpoint, { reason }: HttpClientError.HttpClientError): Unreachable => {
  if (reason._tag === "TransportError") {
    return neverConnected(reason.cause)
      ? new Unreachable({ detail: `The ${endpoint} cannot be connected to`, reached: false })
      : new Unreachable({ detail: `The connection to the ${endpoint} was cut`, reached: true })
  }
  return reason._tag === "EncodeError" || reason._tag === "InvalidUrlError"
    ? new Unreachable({ detail: `The request to the ${endpoint} could not be made`, reached: false })
    : new Unreachable({ detail: `The answer of the ${endpoint} was cut off`, reached: true })
}

/** Seconds that a `Retry-After` asks for: a number, or the time until an HTTP date. */
export const parseRetryAfter = (header: string | undefined, now: number): Option.Option<number> => {
  if (header === undefined) return Option.none()
  if (/^[0-9]{1,9}$/.test(header.trim())) return Option.some(Number(header))
  return Option.map(
    DateTime.make(header),
    (time) => Math.max(0, Math.ceil((DateTime.toEpochMillis(time) - now) / 1000)),
  )
}

/**
 * Sends once and reads the whole answer. No span is made here and no trace header sent: both would carry the
 * URL or our ids to others.
 */
export const send = Effect.fnUntraced(
  function* (
    client: HttpClient.HttpClient,
    endpoint: Endpoint,
    request: HttpClientRequest.HttpClientRequest,
  ): Effect.fn.Return<Answer, Unreachable> {
    const { response, body } = yield* client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (body) => ({ response, body }))),
      Effect.mapError((error) => toUnreachable(endpoint, error)),
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    )
    const now = yield* Clock.currentTimeMillis
    return {
      status: response.status,
      retryAfterSeconds: parseRetryAfter(response.headers["retry-after"], now),
      body,
    }
  },
)

/** Whether the answer is a success. */
export const isOk = ({ status }: Answer): boolean => status >= 200 && status < 300

/** The body as JSON, or a `MalformedBody` that does not show it. */
export const parseJson = (endpoint: Endpoint, { body }: Answer): Result.Result<unknown, MalformedBody> =>
  Result.try({
    try: (): unknown => JSON.parse(body),
    catch: () =>
      new MalformedBody({
        detail: `body: expected JSON, got ${body.length} characters of something else (${endpoint})`,
        reached: true,
      }),
  })

/** The URL of a path under a base; the base's own path and query are kept. */
export const under = (base: URL, path: string): URL => {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, "")}${path}`
  return url
}
