import { Schema } from "effect"

/**
 * Where a deposit goes back to. `address`: the refund address of the request. `sender`: the address that paid, of several
 * inputs the first one's. `change`: the address of the change output in the transaction, which the sender's wallet chooses.
 */
export const RefundsTo = Schema.Literals(["address", "sender", "change"])
export type RefundsTo = typeof RefundsTo.Type
