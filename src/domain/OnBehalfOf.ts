import { Context } from "effect"
import type { AccountId } from "./Account.ts"

/**
 * The account for which a piece of work is done, so that one account cannot take from another what all of them
 * share: places at a provider, look-ups. Undefined is the service's own work.
 */
export const OnBehalfOf = Context.Reference<AccountId | undefined>("swap-broker/domain/OnBehalfOf", {
  defaultValue: () => undefined,
})
