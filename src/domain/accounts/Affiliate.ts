import { Schema } from "effect"
import { Address } from "../chains/Address.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"

/**
 * The name under which requests know an affiliate, in place of its account: no account of any upstream looks like one,
 * as none is as short and without a capital letter, a dot or a leading 0x.
 */
export const AffiliateName = Schema.String
  .check(Schema.isPattern(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/), Schema.isMaxLength(32))
  .pipe(Schema.brand("AffiliateName"))
export type AffiliateName = typeof AffiliateName.Type

export const NamedAffiliate = Schema.Struct({
  name: AffiliateName,
  platform: ProviderName,
  /** The account as its upstream writes it; absent while it is not known whether it was registered. */
  account: Schema.optionalKey(Schema.NonEmptyString),
  withdrawalAddress: Address,
  registeredAt: EpochMillis,
})
export type NamedAffiliate = typeof NamedAffiliate.Type
