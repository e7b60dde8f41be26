import { ed25519 } from "@noble/curves/ed25519.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { base58 } from "@scure/base"
import { Result } from "effect"
import { MalformedBody } from "../../../domain/ProviderError.ts"
import { decode } from "../../upstream/decode.ts"
import { decodeEd25519, keyLength, type SigningKey } from "./SigningKey.ts"
import { SignedAnswer, signedText } from "./signedText.ts"

const signatureLength = 64

/** What is signed is not the text but the base58 of its hash. */
const messageOf = (text: string): Uint8Array => utf8ToBytes(base58.encode(sha256(utf8ToBytes(text))))

const holds = (answer: SignedAnswer, key: SigningKey): Result.Result<boolean, unknown> =>
  Result.gen(function* () {
    const signature = yield* decodeEd25519(answer.signature, signatureLength)
    const publicKey = yield* decodeEd25519(key, keyLength)
    return yield* Result.try(() =>
      ed25519.verify(signature, messageOf(signedText(answer)), publicKey, { zip215: false })
    )
  })

/**
 * Checks that the service itself signed an answer of `POST /v0/quote` with its deposit address, deadline and
 * amounts: whoever sits between us cannot put in an address of his own.
 */
export const verifyQuote = (body: unknown, key: SigningKey): Result.Result<void, MalformedBody> =>
  Result.flatMap(
    decode(SignedAnswer, body),
    (answer) =>
      Result.getOrElse(holds(answer, key), () => false) ? Result.void : Result.fail(
        new MalformedBody({ detail: "signature: does not verify with the service's key", reached: true }),
      ),
  )
