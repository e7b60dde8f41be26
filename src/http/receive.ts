import type { Context } from "effect"
import { hideCredentials } from "./hideCredentials.ts"
import { BodyTooLarge, UrlTooLong } from "./HttpFailure.ts"
import type { Received } from "./Received.ts"

const maximumUrlBytes = 8 * 1024
const maximumBodyBytes = 64 * 1024

/** The body, whole; nothing when it is longer than the service reads. Stops reading there. */
const readBody = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maximumBodyBytes) return undefined
    chunks.push(chunk)
  }
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
}

const repeatedSlashes = /\/{2,}/g
const lastSlash = /(?<=.)\/$/

/** One spelling of a path: a base URL that ends with a slash must not make another path of it. */
const tidyPath = (path: string): string => path.replace(repeatedSlashes, "/").replace(lastSlash, "")

/** A request as the rest of the service sees it, and what was kept apart from it. */
export interface Accepted {
  readonly request: Request
  readonly received: Context.Service.Shape<typeof Received>
}

/** Takes the credentials out of a request and bounds its size, before anything else looks at it. */
export const receive = async (request: Request): Promise<Accepted> => {
  const { url, headers, credentials } = hideCredentials(request)
  url.pathname = tidyPath(url.pathname)
  const { method, signal } = request
  const init = { method, headers, signal }
  if (request.url.length > maximumUrlBytes) {
    return {
      request: new Request(new URL(url.pathname.slice(0, 1), url), init),
      received: { credentials, refusal: new UrlTooLong({ maximumBytes: maximumUrlBytes }) },
    }
  }
  if (request.body === null) return { request: new Request(url, init), received: { credentials } }
  const body = await readBody(request.body)
  return body === undefined
    ? {
      request: new Request(url, init),
      received: { credentials, refusal: new BodyTooLarge({ maximumBytes: maximumBodyBytes }) },
    }
    : { request: new Request(url, { ...init, body }), received: { credentials } }
}
