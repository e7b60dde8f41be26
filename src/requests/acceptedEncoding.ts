import { type Encoding, encodings } from "./compress.ts"

const coding = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?$/i

/** The weight of each coding in an `Accept-Encoding`, from 0 to 1. A part that cannot be read has none. */
const weightsOf = (acceptEncoding: string): ReadonlyMap<string, number> =>
  new Map(
    acceptEncoding.toLowerCase().split(",").flatMap((one) => {
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
