import { Schema } from "effect"
import { Fingerprint } from "../domain/Idempotency.ts"
import { ProviderName } from "../domain/ProviderName.ts"
import { SwapRecordId } from "../domain/SwapRecord.ts"
import { RequestJson, Timestamp, WholeNumber } from "./columns.ts"

/** What a key was used for, and what came of it. */
export const UsedKey = Schema.Union([
  Schema.TaggedStruct("Answered", {
    fingerprint: Fingerprint,
    status: Schema.Int,
    body: Schema.String,
    staleAt: Schema.NullOr(Timestamp),
  }),
  /** Somebody is at it until `leaseUntil`; after that whoever was is gone. */
  Schema.TaggedStruct("InProgress", {
    fingerprint: Fingerprint,
    /** A channel, so that it is never repeated. */
    opens: Schema.Boolean,
    claimedAt: Timestamp,
    leaseUntil: Timestamp,
  }),
  /** An `UndecidedOpening`. */
  Schema.TaggedStruct("Undecided", {
    fingerprint: Fingerprint,
    id: WholeNumber.pipe(Schema.decodeTo(SwapRecordId)),
    platform: ProviderName,
    request: RequestJson,
    requestedAt: Timestamp,
  }),
])
export type UsedKey = typeof UsedKey.Type

export const decodeUsedKeys = Schema.decodeUnknownEffect(Schema.Array(UsedKey))
