import { Effect } from "effect"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { constants, createBrotliCompress, createGzip } from "node:zlib"
import { sha256 } from "@noble/hashes/sha2.js"
import { base64urlnopad } from "@scure/base"

/** The bytes of the hash in a tag: enough that no two bodies share a tag by chance. */
const tagBytes = 20

/** The strong entity tag of a body: bodies that differ in a byte have different tags (RFC 9110 8.8.3). */
export const entityTag = (body: string): string =>
  `"${base64urlnopad.encode(sha256(utf8ToBytes(body)).subarray(0, tagBytes))}"`

/** An entity tag in a list; commas may stand inside its quotes. */
const listedTag = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether an `If-None-Match` holds the tag; weak ones and `*` do (RFC 9110 13.1.2), bad text does not. */
export const isKnownTag = (ifNoneMatch: string, tag: string): boolean =>
  ifNoneMatch.trim() === "*" || [...ifNoneMatch.matchAll(listedTag)].some(([, listed]) => listed === tag)

/** The encodings that an answer can be compressed in, the preferred one first. */
export const encodings = ["br", "gzip"] as const
export type Encoding = typeof encodings[number]

/** The bytes that are compressed at a time; the runtime does nothing else meanwhile. */
const pieceBytes = 16 * 1024

/** A quality half way between speed and size: the next one takes four times as long for three hundredths less. */
const brotliQuality = 5

const compressors = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: () => createGzip(),
}

/** Compresses piece by piece: megabytes at once would hold up every request for a fifth of a second. */
export const compress = Effect.fnUntraced(function* (bytes: Uint8Array, encoding: Encoding) {
  const compressor = compressors[encoding]()
  const compressed: Array<Uint8Array> = []
  compressor.on("data", (piece: Uint8Array) => compressed.push(piece))
  for (let offset = 0; offset < bytes.length; offset += pieceBytes) {
    const piece = bytes.subarray(offset, offset + pieceBytes)
    yield* Effect.callback<void>((resume) => {
      compressor.write(piece, (error) => resume(error ? Effect.die(error) : Effect.void))
    })
    yield* Effect.yieldNow
  }
  yield* Effect.callback<void>((resume) => {
    compressor.once("end", () => resume(Effect.void))
    compressor.end()
  })
  return concatBytes(...compressed)
})

const coding = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?$/i

/** The weight of each part of an `Accept-Encoding` or `Accept-Language`, from 0 to 1. One that cannot be read has none. */
export const weightsOf = (accepted: string): ReadonlyMap<string, number> =>
  new Map(
    accepted.toLowerCase().split(",").flatMap((one) => {
      const [, name, weight = "1"] = coding.exec(one) ?? []
      return name === undefined ? [] : [[name, Number(weight)] as const]
    }),
  )

/** The encoding of ours with the highest weight, if any is accepted; ours first among equals (RFC 9110 12.5.3). */
export const acceptedEncoding = (acceptEncoding: string | undefined): Encoding | undefined => {
  const weights = weightsOf(acceptEncoding ?? "")
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const [best] = encodings.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) > 0 ? best : undefined
}

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
export const compressible = Effect.fnUntraced(function* ({ contentType, headers, text }: Fixed) {
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
