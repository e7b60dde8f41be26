import type { Scope } from "#domain/accounts/Key.ts"

/** What each scope permits, in a few words. */
export const scopeMeanings: Readonly<Record<Scope, string>> = {
  quote: "read prices",
  swap: "open swaps",
  status: "follow swaps",
  history: "list swaps and commission",
  operate: "full control of the service",
  withdraw: "withdraw the operator’s commission",
}
