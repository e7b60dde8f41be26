import { Schema } from "effect"

/** The neutral name of a provider, the value of `platform` (decision 11): lower case, digits and hyphens. */
export const ProviderName = Schema.String
  .check(Schema.isPattern(/^[a-z][a-z0-9-]*$/))
  .pipe(Schema.brand("ProviderName"))
export type ProviderName = typeof ProviderName.Type
