import { Redacted } from "effect"
import type { KeySecret } from "#infrastructure/store/accounts/KeySecretRepo.ts"

/** A secret of keys, of these bytes. */
export const keySecret = (byte = 1): KeySecret => Redacted.make(new Uint8Array(32).fill(byte))
