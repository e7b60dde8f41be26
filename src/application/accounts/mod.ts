import { Layer } from "effect"
import { Accounts, CallerCache } from "./Accounts.ts"
import { AffiliateNames } from "./AffiliateNames.ts"
import { Audit } from "./Audit.ts"
import { Commissions } from "./Commissions.ts"
import { Keys } from "./Keys.ts"
import { Merchants } from "./Merchants.ts"
import { RequestErrors } from "./RequestErrors.ts"
import { RouteRules } from "./RouteRules.ts"
import { Sessions } from "./Sessions.ts"

/** Everything about accounts, over the repositories: for the service and for the command line. */
export const accountsLayer = Layer.mergeAll(
  Keys.layer,
  RouteRules.layer,
  Sessions.layer,
  Audit.layer,
  Commissions.layer,
  RequestErrors.layer,
  Merchants.layer,
  AffiliateNames.layer,
).pipe(Layer.provideMerge(Accounts.layer), Layer.provide(CallerCache.layer))
