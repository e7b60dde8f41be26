import { Predicate } from "effect"
import type { Members } from "./json.ts"

/** A body that may be left out, which the derived document calls required. */
export const optionalBody = (operation: Members): Record<string, unknown> => ({
  ...operation,
  ...(Predicate.isObject(operation.requestBody)
    ? { requestBody: { ...operation.requestBody, required: false } }
    : {}),
})
