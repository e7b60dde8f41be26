import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { Effect, Redacted } from "effect"
import { Buffer } from "node:buffer"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import { KeySecretRepo } from "#infrastructure/store/accounts/KeySecretRepo.ts"

/** A 32-byte key for one purpose, derived from the secret of API keys, the same on every replica. */
export const derivedKey = (
  purpose: string,
): Effect.Effect<Redacted.Redacted<Uint8Array>, StoreUnavailable, KeySecretRepo> =>
  Effect.gen(function* () {
    const secret = yield* (yield* KeySecretRepo).get
    return Redacted.make(hmac(sha256, Redacted.value(secret), Buffer.from(purpose)))
  })
