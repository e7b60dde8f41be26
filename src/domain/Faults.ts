import { Schema } from "effect"

/**
 * Everything that is wrong with a request: from a parameter's name, as the contract writes it, to sentences
 * that a person understands (decision 15).
 */
export const Faults = Schema.Record(Schema.String, Schema.Array(Schema.NonEmptyString))
export type Faults = typeof Faults.Type
