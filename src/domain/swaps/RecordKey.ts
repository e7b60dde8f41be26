import { Schema } from "effect"

/** A key outside of the database that records in it need. The fingerprint tells keys apart and reveals nothing of them. */
export const RecordKey = Schema.Struct({ setting: Schema.String, fingerprint: Schema.String })
export type RecordKey = typeof RecordKey.Type

export const isSameKey = (one: RecordKey) => (other: RecordKey): boolean =>
  one.setting === other.setting && one.fingerprint === other.fingerprint

/** The keys that records need and that are not among those that are there. */
export const missingKeys = (
  needed: ReadonlyArray<RecordKey>,
  present: ReadonlyArray<RecordKey>,
): ReadonlyArray<RecordKey> => needed.filter((key) => !present.some(isSameKey(key)))

export const namedKey = ({ fingerprint, setting }: RecordKey): string => `${setting} (${fingerprint})`
