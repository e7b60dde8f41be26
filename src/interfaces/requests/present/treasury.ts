import { Struct } from "effect"
import type { AffiliateBody, TreasuryBody, WithdrawalBody, WithdrawalStoryBody } from "#api/Treasury.ts"
import { holding, knownTwins, twins } from "#api/shape.ts"
import { Comparison, type Holding } from "#domain/operations/Treasury.ts"
import type { Withdrawal } from "#domain/operations/Withdrawal.ts"
import { defined, optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import type { AffiliateStanding } from "#application/treasury/Affiliates.ts"
import type { AssetStanding, FundsStanding, TreasuryStanding } from "#application/treasury/Treasury.ts"
import type { WithdrawalDetails } from "#application/treasury/Withdrawals.ts"

const holdingOf = ({ amount, asset }: Holding) => holding(asset, amount)

const presentAsset = (
  { asset, compared, earned, ledger, ofAffiliates, withdrawn }: AssetStanding,
): TreasuryBody["assets"][number] => ({
  asset,
  ...knownTwins("earned", asset, earned),
  ...knownTwins("ofAffiliates", asset, ofAffiliates),
  ...twins("ledger", asset, ledger),
  ...optionalMembers(compared, ({ comparedAt, earned, ledger, mismatchSince }) => ({
    ...twins("difference", asset, earned - ledger),
    comparedAt,
    ...defined({ mismatchSince }),
  })),
  ...twins("withdrawn", asset, withdrawn),
})

const presentFunds = (
  { funding: { asset, bond, free, redeemable }, openings, takers, transactionCost }: FundsStanding,
): NonNullable<TreasuryBody["funds"]> => ({
  asset,
  ...twins("free", asset, free),
  ...twins("bond", asset, bond),
  ...twins("redeemable", asset, redeemable),
  ...twins("transactionCost", asset, transactionCost),
  openings: openings.map(({ fee, ...opening }) => ({ ...opening, ...twins("fee", asset, fee) })),
  takers: takers.map(({ spent, ...taker }) => ({ ...taker, ...twins("spent", asset, spent) })),
})

/** The operator's account at a provider. */
export const presentTreasury = (
  { assets, comparison, funds, hasAffiliates, look, platform, takesOrders }: TreasuryStanding,
): TreasuryBody => ({
  provider: platform,
  ...optionalMembers(look.seen, ({ account, at }) => ({
    ...Struct.pick(account, ["account", "boundAddress", "inSync", "withdrawalsEnabled"]),
    lookedAt: at,
  })),
  ...defined({ failure: look.failed }),
  ...Comparison.$match(comparison, { Exact: () => ({}), Untold: ({ reason }) => ({ notCompared: reason }) }),
  assets: assets.map(presentAsset),
  ...optionalMembers(funds, (funds) => ({ funds: presentFunds(funds) })),
  takesOrders,
  hasAffiliates,
  affiliates: (look.seen?.account.affiliates ?? []).map(({ earned, ...affiliate }) => ({
    ...affiliate,
    earned: earned.map(holdingOf),
  })),
})

export const presentWithdrawal = (
  { asset, earned, platform, taken, value: _, ...withdrawal }: Withdrawal,
): WithdrawalBody => ({
  ...withdrawal,
  provider: platform,
  asset,
  ...twins("earned", asset, earned),
  ...optionalMembers(taken, ({ amount, fee, reference, transaction }) => ({
    ...twins("amount", asset, amount),
    ...twins("fee", asset, fee),
    reference,
    ...defined({ orderTransaction: transaction }),
  })),
})

export const presentWithdrawalStory = ({ steps, withdrawal }: WithdrawalDetails): WithdrawalStoryBody => ({
  ...presentWithdrawal(withdrawal),
  steps,
})

export const presentAffiliate = (
  { named, platform, seen }: AffiliateStanding,
): ReadonlyArray<AffiliateBody> => {
  const withdrawalAddress = named?.withdrawalAddress ?? seen?.withdrawalAddress
  if (withdrawalAddress === undefined) return []
  return [{
    provider: platform,
    ...optionalMembers(named, ({ name, registeredAt }) => ({ name, registeredAt })),
    ...optionalMembers(named?.account ?? seen?.account, (account) => ({ account })),
    withdrawalAddress,
    ...defined({ shortId: seen?.shortId }),
    earned: (seen?.earned ?? []).map(holdingOf),
  }]
}
