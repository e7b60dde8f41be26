import type { Context } from "effect"
import { hideCredentials } from "./hideCredentials.ts"
import { BodyIncomplete, BodyTooLarge, UrlTooLong } from "./HttpFailure.ts"
import type { Received } from "./Received.ts"

const maximumUrlBytes = 8 * 1024
const maximumBodyBytes = 64 * 1024

/** A body of the size that is read at all arrives in far less. */
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

/** The body, whole, or why it is not read: it is too long, too slow, or was broken off. */
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
/** Origin, path, and the rest. */
const parts = /^([a-z]+:\/\/[^/?#]*)([^?#]*)(.*)$/is

/** One spelling of a path: a base URL that ends with a slash must not make another path of it. */
const tidyPath = (url: string): string => {
  const [, origin, path, rest] = parts.exec(url) ?? []
  return path === undefined
    ? url
    : `${origin}${path.replace(repeatedSlashes, "/").replace(lastSlash, "")}${rest}`
}

/** A request as the rest of the service sees it, and what was kept apart from it. */
export interface Accepted {
  readonly request: Request
  readonly received: Context.Service.Shape<typeof Received>
}

/** Methods that the runtime makes no request of; OPTIONS is one that no path has either. */
const impossibleMethods: ReadonlyArray<string> = ["CONNECT", "TRACE", "TRACK"]

/** Methods are told apart by case (RFC 9110 9.1): `get` is no GET, though the runtime would make one of it. */
const isPossible = (method: string): boolean =>
  method === method.toUpperCase() && !impossibleMethods.includes(method)

/** Takes the credentials out of a request and bounds its size, before anything else looks at it. */
export const receive = (request: Request): Accepted | Promise<Accepted> => {
  const { url: written, headers, credentials } = hideCredentials(request)
  const url = tidyPath(written)
  const method = isPossible(request.method) ? request.method : "OPTIONS"
  const init = { method, headers, signal: request.signal }
  const refused = (path: string, refusal: UrlTooLong | BodyTooLarge | BodyIncomplete): Accepted => ({
    request: new Request(path, init),
    received: { credentials, refusal },
  })
  if (request.url.length > maximumUrlBytes) {
    return refused(new URL("/", url).href, new UrlTooLong({ maximumBytes: maximumUrlBytes }))
  }
  if (request.body === null) return { request: new Request(url, init), received: { credentials } }
  return readBody(request.body).then((body) =>
    body instanceof Uint8Array
      ? { request: new Request(url, { ...init, body }), received: { credentials } }
      : refused(url, body)
  )
}
