import { Schema } from "effect"
import { EpochMillis } from "./Time.ts"

/** The public part of an API key, by which people and logs name it: 16 characters of base32. */
export const KeyId = Schema.String.check(Schema.isPattern(/^[a-z2-7]{16}$/)).pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** What a key may be used for. */
export const Scope = Schema.Literals(["quote", "swap", "status", "history", "operate"])
export type Scope = typeof Scope.Type

/** What an API key was issued with. */
export const KeyTerms = Schema.Struct({
  /** What it is for, in words of the operator. */
  label: Schema.optionalKey(Schema.String),
  scopes: Schema.Array(Scope),
  /** Works until then; absent: until it is revoked. */
  expiresAt: Schema.optionalKey(EpochMillis),
})
export type KeyTerms = typeof KeyTerms.Type

/** Everything that is kept of an API key but the hash of its secret. */
export const ApiKeyRecord = Schema.Struct({
  id: KeyId,
  ...KeyTerms.fields,
  createdAt: EpochMillis,
  revokedAt: Schema.optionalKey(EpochMillis),
  /** Up to a minute or so late. */
  lastUsedAt: Schema.optionalKey(EpochMillis),
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type
