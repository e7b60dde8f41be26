import { Schema } from "effect"

/** An address that has been checked for a chain and its networks; kept as the caller wrote it. */
export const Address = Schema.NonEmptyString.pipe(Schema.brand("Address"))
export type Address = typeof Address.Type

/** A broker account: ss58 with the provider network's prefix (`cF…`). */
export const BrokerAccount = Schema.NonEmptyString.pipe(Schema.brand("BrokerAccount"))
export type BrokerAccount = typeof BrokerAccount.Type
