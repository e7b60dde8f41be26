import { Effect } from "effect"
import { concatBytes } from "@noble/hashes/utils.js"
import { constants, createBrotliCompress, createGzip } from "node:zlib"

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
