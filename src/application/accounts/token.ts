import { Redacted } from "effect"
import { Base64Url } from "effect/encoding"
import { hash } from "node:crypto"

/** The random bytes of a token: nobody guesses one of them. */
const tokenBytes = 32

/** A token that nobody has had before. */
export const randomToken = (): Redacted.Redacted<string> =>
  Redacted.make(Base64Url.encode(crypto.getRandomValues(new Uint8Array(tokenBytes))))

/** The hash by which a token is kept. Tokens are random, so a slower hash would protect nothing. */
export const hashOf = (token: Redacted.Redacted<string>): Uint8Array =>
  hash("sha256", Redacted.value(token), "buffer")
