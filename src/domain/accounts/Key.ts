import { Schema } from "effect"
import { EpochMillis } from "../Time.ts"

/** The public part of an API key, by which people and logs name it: 16 characters of base32. */
export const KeyId = Schema.String.check(Schema.isPattern(/^[a-z2-7]{16}$/)).pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** The kinds of requests that a key may be used for. `withdraw`: those that move what the operator has earned. */
export const Scope = Schema.Literals(["quote", "swap", "status", "history", "operate", "withdraw"])
export type Scope = typeof Scope.Type

export const KeyTerms = Schema.Struct({
  /** The key's purpose, in the operator's words. */
  label: Schema.optionalKey(Schema.String),
  scopes: Schema.Array(Scope),
  /** The end of the key's validity; absent: it works until it is revoked. */
  expiresAt: Schema.optionalKey(EpochMillis),
})
export type KeyTerms = typeof KeyTerms.Type

/** Everything that is kept of an API key, except the hash of its secret. */
export const ApiKeyRecord = Schema.Struct({
  id: KeyId,
  ...KeyTerms.fields,
  createdAt: EpochMillis,
  madeBy: Schema.optionalKey(KeyId.annotate({
    description:
      "Id of the key that it was issued with; absent where the command line or the first start did.",
  })),
  revokedAt: Schema.optionalKey(EpochMillis),
  /** Up to about a minute late. */
  lastUsedAt: Schema.optionalKey(EpochMillis),
})
export type ApiKeyRecord = typeof ApiKeyRecord.Type
