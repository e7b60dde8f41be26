import type { Context } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { isHost } from "../../requests/PublicUrl.ts"
import {
  BodyIncomplete,
  BodyTooLarge,
  hideCredentials,
  HostInvalid,
  type Refusal,
  type RequestMeta,
  UrlTooLong,
} from "../../requests/RequestMeta.ts"

const maximumUrlBytes = 8 * 1024
const maximumBodyBytes = 64 * 1024

/** The time in which a body has to arrive. A body of the largest size that is read needs far less. */
const bodyMillis = 10_000

const joined = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

/** Reads a whole body, or tells why not: it is too long, too slow, or was broken off. */
const readBody = async (
  body: ReadableStream<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | BodyTooLarge | BodyIncomplete> => {
  const reader = body.getReader()
  const chunks: Array<Uint8Array> = []
  let length = 0
  let inTime = true
  const timer = setTimeout(() => {
    inTime = false
    reader.cancel().catch(() => undefined)
  }, bodyMillis)
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.byteLength
      if (length > maximumBodyBytes) {
        await reader.cancel()
        return new BodyTooLarge({ maximumBytes: maximumBodyBytes })
      }
      chunks.push(read.value)
    }
    return inTime ? joined(chunks, length) : new BodyIncomplete()
  } catch {
    return new BodyIncomplete()
  } finally {
    clearTimeout(timer)
  }
}

const repeatedSlashes = /\/{2,}/g
const lastSlash = /(?<=.)\/$/
const afterPath = /[?#]/

/** Path and query, with the path in one spelling: a base URL that ends with a slash must not make another path. */
const tidied = (target: string): string => {
  const end = target.search(afterPath)
  const path = end < 0 ? target : target.slice(0, end)
  const tidy = `/${path}`.replace(repeatedSlashes, "/").replace(lastSlash, "")
  return end < 0 ? tidy : `${tidy}${target.slice(end)}`
}

const urlParts = /^https?:\/\/([^/?#]*)(.*)$/is

/** Where a request goes to: its target as it came, and the host where that is not the one of `Host`. */
interface Address {
  readonly target: string
  readonly host?: string
}

/**
 * Where a request goes to, or nothing where `Host` or the target's own authority is more than a host. The runtime puts
 * `Host` and target together without looking at them: in its URL, a `Host` of `a/metrics?` is a path. A target that is
 * a URL by itself comes before `Host` (RFC 9112 3.2.2). HTTP/1.0 and HTTP/2 need no `Host`; nothing of the caller's can
 * stand before the target then.
 */
const addressOf = ({ headers, url }: Request): Address | undefined => {
  const named = headers.get("host")
  if (named !== null && !isHost(named)) return undefined
  const [, authority, target] = urlParts.exec(url) ?? []
  if (authority === undefined || target === undefined || !isHost(authority)) return undefined
  return named === null || named === authority ? { target } : { target, host: authority }
}

/** A request as the rest of the service sees it, and the parts taken out of it. */
export interface Accepted {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly meta: Context.Service.Shape<typeof RequestMeta>
}

/** Methods of which the runtime makes no `Request`. They are received as OPTIONS, which no path takes either. */
const impossibleMethods: ReadonlyArray<string> = ["CONNECT", "TRACE", "TRACK"]

/** Whether a `Request` can have the method: `get` is no GET (RFC 9110 9.1), but the runtime makes it one. */
const isPossible = (method: string): boolean =>
  method === method.toUpperCase() && !impossibleMethods.includes(method)

const noBytes = new Uint8Array()

/** The URL of every inner `Request`. Path, query and headers are set beside it. */
const nowhere = "http://broker.invalid/"

/** Requests without a body, which are alike but for the parts set beside them, and so are made once. */
const withoutBody = new Map(
  ["GET", "HEAD", "OPTIONS", "POST", "DELETE"].map((method) => [method, new Request(nowhere, { method })]),
)

/** Takes the credentials out of a request and bounds its size, before any other code sees it. */
export const receive = (incoming: Request): Accepted | Promise<Accepted> => {
  const addressed = addressOf(incoming)
  const isTooLong = incoming.url.length > maximumUrlBytes
  const { url, headers: given, ...hidden } = hideCredentials(
    isTooLong ? "/" : tidied(addressed?.target ?? "/"),
    incoming.headers,
  )
  const headers = addressed === undefined
    ? Headers.remove(given, "host")
    : addressed.host === undefined
    ? given
    : Headers.set(given, "host", addressed.host)
  const taken = addressed?.target.startsWith("//") ? { ...hidden, hasSlashesBefore: true } : hidden
  const method = isPossible(incoming.method) ? incoming.method : "OPTIONS"
  const requestTo = (target: string, body?: Uint8Array<ArrayBuffer>) => {
    const bare = body === undefined
      ? withoutBody.get(method) ?? new Request(nowhere, { method })
      : new Request(nowhere, { method, body })
    return HttpServerRequest.fromWeb(bare).modify({ url: target, headers })
  }
  const refused = (target: string, refusal: Refusal): Accepted => ({
    request: requestTo(target),
    meta: { ...taken, refusal },
  })
  if (addressed === undefined) return refused("/", new HostInvalid())
  if (isTooLong) {
    return refused("/", new UrlTooLong({ maximumBytes: maximumUrlBytes }))
  }
  const target = taken.hasKeyInUrl === true ? url : addressed.target
  if (incoming.body === null) {
    return { request: requestTo(url), meta: { ...taken, sent: { target, body: noBytes } } }
  }
  return readBody(incoming.body).then((body) =>
    body instanceof Uint8Array
      ? { request: requestTo(url, body), meta: { ...taken, sent: { target, body } } }
      : refused(url, body)
  )
}
