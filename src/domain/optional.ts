import { Schema } from "effect"

/** A member of a struct that may be absent, and is never undefined. */
export const optional = Schema.optionalKey
