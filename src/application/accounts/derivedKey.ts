import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { Effect, Redacted } from "effect"
import { Buffer } from "node:buffer"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"

/**
 * A key of 32 bytes for one purpose, the same on every replica: derived from the secret that API keys carry, so that no
 * further secret is kept. Who has a copy of the database can derive it, too.
 */
export const derivedKey = (
  purpose: string,
): Effect.Effect<Redacted.Redacted<Uint8Array>, StoreUnavailable, KeySecretRepo> =>
  Effect.gen(function* () {
    const secret = yield* (yield* KeySecretRepo).get
    return Redacted.make(hmac(sha256, Redacted.value(secret), Buffer.from(purpose)))
  })
