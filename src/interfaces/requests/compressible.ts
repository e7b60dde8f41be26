import { Effect } from "effect"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { entityTag, isKnownTag } from "./entityTag.ts"
import { acceptedEncoding, compress, type Encoding } from "./compress.ts"

/** A text that stays the same while the process runs, with its type and headers. */
interface Fixed {
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Run at the first request. */
  readonly text: Effect.Effect<string>
}

/** The entity tag of a text in an encoding. Each encoding has other bytes and so a tag of its own (RFC 9110 8.8.3). */
const tagOf = (tag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? tag : tag.replace(/"$/, `-${encoding}"`)

/**
 * Makes the answer with a fixed text. It is compressed once in each encoding that callers take; a caller that has the
 * text already gets a 304 without a body. Caches ask each time, so that nobody sees the text of another build.
 */
export const compressible = ({ contentType, headers, text }: Fixed) =>
  Effect.gen(function* () {
    /** Runs `make` once for all requests: a first caller that goes away must not end it for the others. */
    const once = <A>(make: Effect.Effect<A>) => Effect.cached(Effect.uninterruptible(make))
    const identity = yield* once(
      Effect.map(text, (whole) => ({ tag: entityTag(whole), bytes: utf8ToBytes(whole) })),
    )
    const compressed = (encoding: Encoding) =>
      once(Effect.flatMap(identity, ({ bytes }) => compress(bytes, encoding)))
    const forms = { br: yield* compressed("br"), gzip: yield* compressed("gzip") }

    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { tag, bytes } = yield* identity
      const encoding = acceptedEncoding(request.headers["accept-encoding"])
      const etag = tagOf(tag, encoding)
      const said = { etag, "cache-control": "no-cache", vary: "accept-encoding", ...headers }
      const ifNoneMatch = request.headers["if-none-match"]
      if (ifNoneMatch !== undefined && isKnownTag(ifNoneMatch, etag)) {
        return HttpServerResponse.empty({ status: 304, headers: said })
      }
      return encoding === undefined
        ? HttpServerResponse.uint8Array(bytes, { contentType, headers: said })
        : HttpServerResponse.uint8Array(yield* forms[encoding], {
          contentType,
          headers: { ...said, "content-encoding": encoding },
        })
    })
  })
