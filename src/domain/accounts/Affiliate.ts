import { Schema } from "effect"
import { Address } from "../chains/Address.ts"
import { ProviderName } from "../ProviderName.ts"
import { EpochMillis } from "../Time.ts"

/** An affiliate's name in requests. No upstream has accounts so short, without capitals and dots, that don't begin with 0x. */
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
