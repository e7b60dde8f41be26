import { BigDecimal, Context, Effect } from "effect"
import type { Account, AccountTerms, TermChanges } from "#domain/accounts/Account.ts"
import { namedBy, type OwnTerms, theDefault } from "#domain/accounts/OwnTerms.ts"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"
import type { ProviderName } from "#domain/ProviderName.ts"
import { Bps, noBps } from "#domain/money/Bps.ts"
import type { Scope } from "#domain/accounts/Key.ts"

/** The terms of an account where nothing else is given. */
export const accountDefaults: AccountTerms = {
  commissionBps: noBps,
  affiliates: true,
  allowedOrigins: "*",
  mcp: true,
  suspended: false,
}

/** What the settings give to accounts without terms of their own, and the enabled providers (`PROVIDERS`). */
export const ServiceTerms = Context.Reference<{
  readonly terms: OwnTerms
  readonly providers: ReadonlyArray<ProviderName>
}>("swap-broker/accounts/ServiceTerms", { defaultValue: () => ({ terms: {}, providers: [] }) })

/** Makes the check that an account's choice names enabled providers alone: a 400 about `providers` otherwise. */
export const makeRequireProviders =
  (service: typeof ServiceTerms.Service) =>
  ({ providers }: TermChanges): Effect.Effect<void, InvalidRequest> =>
    providers === undefined || providers === theDefault ||
      namedBy(providers).every((name) => service.providers.includes(name))
      ? Effect.void
      : Effect.fail(
        new InvalidRequest({
          errors: issueAbout("providers", `must name only ${service.providers.join(", ")}`),
        }),
      )

/** The scopes of a key where none are given: everything an integrator does, nothing of the operator's. */
export const defaultScopes: ReadonlyArray<Scope> = ["quote", "swap", "status", "history"]

/** A request's commission: the account's default, or its own where that is higher (decision 7). */
export const effectiveCommission = (account: Account, requested: number | undefined): Bps =>
  Bps.make(Math.max(account.commissionBps, requested ?? account.commissionBps))

/** The providers that the account may use, in its own order where it has one. */
export const providersOf = <One extends { readonly name: ProviderName }>(
  { providers: choice }: Pick<AccountTerms, "providers">,
  enabled: ReadonlyArray<One>,
): ReadonlyArray<One> => {
  if (choice === undefined) return enabled
  const named = namedBy(choice).flatMap((name) => enabled.filter((provider) => provider.name === name))
  return choice.use === "only"
    ? named
    : [...named, ...enabled.filter((provider) => !named.includes(provider))]
}

/** The account's own most of what is taken of a recommended tolerance, in percent; absent: the setting's. */
export const ownTolerance = (
  { maximumSlippageToleranceBps: most }: AccountTerms,
): BigDecimal.BigDecimal | undefined => most === undefined ? undefined : BigDecimal.make(BigInt(most), 2)
