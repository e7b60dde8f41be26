import { Effect, Option } from "effect"
import type { AffiliateName, NamedAffiliate } from "#domain/accounts/Affiliate.ts"
import { type NativeAmount, noAmount } from "#domain/money/Amount.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import type { StoreEffect } from "#domain/StoreError.ts"
import type { OperatorAccount } from "#domain/operations/Treasury.ts"
import type { WithdrawalSubject } from "#domain/operations/Withdrawal.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { AffiliatesRepo } from "#infrastructure/store/treasury/AffiliatesRepo.ts"
import type { BalanceReadsRepo } from "#infrastructure/store/treasury/BalanceReadsRepo.ts"
import { type Destination, destinationOf, isSameAddress, type WithdrawalAddresses } from "./destination.ts"
import { AffiliateUnknown, CannotOrder, TreasuryUnknown } from "./failures.ts"
import type { BalanceReads, TreasuryProvider } from "./BalanceReads.ts"

/** What the operator wants withdrawn. */
export interface WithdrawalInput {
  readonly provider: string
  readonly asset: AssetId
}

/** Where an order goes, and how much there is: once the account was seen. */
export interface WithdrawalTerms extends Destination {
  readonly earned: NativeAmount
}

/** What an order is of, before the account is looked at. */
export interface Subject {
  readonly treasurer: TreasuryProvider
  readonly asset: AssetId
  readonly affiliate?: string
  readonly terms: (account: OperatorAccount) => StoreEffect<WithdrawalTerms, CannotOrder>
}

export const recordedAs = ({ affiliate, asset, treasurer }: Subject): WithdrawalSubject => ({
  platform: treasurer.name,
  asset,
  ...defined({ affiliate }),
})

const refuse = (detail: string) => Effect.fail(new CannotOrder({ detail }))

const heldOf = (holdings: OperatorAccount["earned"], asset: AssetId): NativeAmount =>
  holdings.find((holding) => holding.asset === asset)?.amount ?? noAmount

/** The affiliate's share, which goes where the affiliate was registered with: upstream and records have to agree. */
const shareTerms =
  ({ account, name, withdrawalAddress: registered }: NamedAffiliate, asset: AssetId) =>
  ({ affiliates }: OperatorAccount) => {
    const known = affiliates.find((one) => one.account === account)
    if (known === undefined) return refuse(`The upstream does not know the account of ${name}`)
    const { earned, withdrawalAddress } = known
    return isSameAddress(chainOf(asset), withdrawalAddress, registered)
      ? Effect.succeed({
        destination: registered,
        namedBy: "registration" as const,
        earned: heldOf(earned, asset),
      })
      : refuse(`${name} was registered with ${registered}, and the upstream says ${withdrawalAddress}`)
  }

/** Makes the subjects of orders: what is meant, and the only place where it goes. */
export const makeSubjects = (
  { treasurers }: BalanceReads["Service"],
  looks: BalanceReadsRepo["Service"],
  affiliates: AffiliatesRepo["Service"],
  addresses: WithdrawalAddresses,
) => {
  const treasurerOf = Effect.fnUntraced(function* (provider: string) {
    const found = (yield* treasurers).find(({ name }) => name === provider)
    if (found === undefined) return yield* new TreasuryUnknown()
    return found.treasury.withdrawals === undefined
      ? yield* refuse(`${provider} takes no orders to withdraw: use its own means`)
      : found
  })

  /** The operator's own earnings in an asset. */
  const own = Effect.fnUntraced(function* ({ asset, provider }: WithdrawalInput) {
    const treasurer = yield* treasurerOf(provider)
    const terms = Effect.fnUntraced(function* (account: OperatorAccount) {
      const pinned = yield* looks.bound(treasurer.name, account.account)
      const named = yield* Effect.fromResult(destinationOf(asset, addresses, account, pinned))
      return { ...named, earned: heldOf(account.earned, asset) }
    })
    return { treasurer, asset, terms } satisfies Subject
  })

  const share = Effect.fnUntraced(function* (name: AffiliateName) {
    const found = yield* affiliates.find(name)
    if (Option.isNone(found)) return yield* new AffiliateUnknown()
    const { account, platform } = found.value
    const treasurer = yield* treasurerOf(platform)
    const asset = treasurer.treasury.affiliates?.asset
    if (asset === undefined) return yield* refuse(`${platform} has no affiliates`)
    if (account === undefined) return yield* refuse(`It is not known whether ${name} was registered`)
    return { treasurer, asset, affiliate: account, terms: shareTerms(found.value, asset) } satisfies Subject
  })

  return { own, share }
}
