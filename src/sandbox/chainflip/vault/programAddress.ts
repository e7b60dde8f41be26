import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { Result } from "effect"

const suffix = utf8ToBytes("ProgramDerivedAddress")

/** Nobody can sign for a key that is not on the curve: only a program can own it. */
const isOnCurve = (key: Uint8Array): boolean =>
  Result.isSuccess(Result.try(() => ed25519.Point.fromBytes(key)))

/** The account that a Solana program derives from seeds: the first off the curve, counting down from 255. */
export const programAddress = (program: Uint8Array, seeds: ReadonlyArray<Uint8Array>): Uint8Array => {
  for (let bump = 255; bump > 0; bump--) {
    const key = sha256(concatBytes(...seeds, Uint8Array.of(bump), program, suffix))
    if (!isOnCurve(key)) return key
  }
  throw new RangeError("No account can be derived from these seeds")
}
