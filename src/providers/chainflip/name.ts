import { ProviderName } from "../../domain/ProviderName.ts"

/** The neutral name of the provider, as in `platform`. */
export const name = ProviderName.make("chainflip")
