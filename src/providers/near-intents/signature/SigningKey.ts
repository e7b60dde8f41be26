import { Result, Schema } from "effect"
import { decodeBase58OfLength } from "../../../domain/address/Base58.ts"

const ed25519Text = /^ed25519:([1-9A-HJ-NP-Za-km-z]{1,88})$/

/** The bytes behind `ed25519:`, or what is wrong with the text. */
export const decodeEd25519 = (text: string, length: number): Result.Result<Uint8Array, string> => {
  const [, base58] = ed25519Text.exec(text) ?? []
  return base58 === undefined
    ? Result.fail("it is not ed25519: and base58 after it")
    : decodeBase58OfLength(base58, length)
}

/** Bytes of a public key. */
export const keyLength = 32

/** The public key that quotes are signed with: `ed25519:` and 32 bytes in base58. */
export const SigningKey = Schema.String
  .check(Schema.makeFilter(
    (text: string) => Result.isSuccess(decodeEd25519(text, keyLength)),
    { expected: "ed25519: and a public key in base58" },
  ))
  .pipe(Schema.brand("SigningKey"))
export type SigningKey = typeof SigningKey.Type

/** The key that the service itself signs with. */
export const productionKey: SigningKey = SigningKey.make(
  "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc",
)
