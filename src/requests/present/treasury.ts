import { BigDecimal } from "effect"
import type {
  AffiliateBody,
  TreasuryBody,
  WithdrawalBody,
  WithdrawalStoryBody,
} from "../../api/TreasuryBodies.ts"
import { type AssetId, factsOf } from "../../domain/Asset.ts"
import { Comparison } from "../../domain/Treasury.ts"
import type { Withdrawal } from "../../domain/Withdrawal.ts"
import { spread } from "../../platform/spread.ts"
import type { AffiliateStanding } from "../../treasury/Affiliates.ts"
import type { AssetStanding, FundsStanding, TreasuryStanding } from "../../treasury/Treasury.ts"
import type { WithdrawalStory } from "../../treasury/Withdrawals.ts"

const human = (asset: AssetId, native: bigint) => BigDecimal.make(native, factsOf(asset).decimals)

const holding = ({ amount, asset }: { readonly asset: AssetId; readonly amount: bigint }) => ({
  asset,
  amount: human(asset, amount),
  amountNative: amount,
})

const presentAsset = (
  { asset, compared, earned, ledger, ofAffiliates, withdrawn }: AssetStanding,
): TreasuryBody["assets"][number] => ({
  asset,
  ...spread(earned, (earned) => ({ earned: human(asset, earned), earnedNative: earned })),
  ...spread(ofAffiliates, (shared) => ({ ofAffiliates: human(asset, shared), ofAffiliatesNative: shared })),
  ledger: human(asset, ledger),
  ledgerNative: ledger,
  ...spread(compared, ({ comparedAt, earned, ledger, mismatchSince }) => ({
    difference: human(asset, earned - ledger),
    differenceNative: earned - ledger,
    comparedAt,
    ...spread(mismatchSince, (mismatchSince) => ({ mismatchSince })),
  })),
  withdrawn: human(asset, withdrawn),
  withdrawnNative: withdrawn,
})

const presentFunds = (
  { funding: { asset, bond, free, redeemable }, openings, takers, transactionCost }: FundsStanding,
): NonNullable<TreasuryBody["funds"]> => ({
  asset,
  free: human(asset, free),
  freeNative: free,
  bond: human(asset, bond),
  bondNative: bond,
  redeemable: human(asset, redeemable),
  redeemableNative: redeemable,
  transactionCost: human(asset, transactionCost),
  transactionCostNative: transactionCost,
  openings: openings.map(({ chain, channels, fee }) => ({
    chain,
    fee: human(asset, fee),
    feeNative: fee,
    ...spread(channels, (channels) => ({ channels })),
  })),
  takers: takers.map(({ account, channels, spent }) => ({
    account,
    channels,
    spent: human(asset, spent),
    spentNative: spent,
  })),
})

/** The operator's account at a provider. */
export const presentTreasury = (
  { assets, comparison, funds, hasAffiliates, look, platform, takesOrders }: TreasuryStanding,
): TreasuryBody => ({
  provider: platform,
  ...spread(look.seen, ({ account: { account, boundAddress, inSync, withdrawalsEnabled }, at }) => ({
    account,
    lookedAt: at,
    ...spread(withdrawalsEnabled, (withdrawalsEnabled) => ({ withdrawalsEnabled })),
    ...spread(inSync, (inSync) => ({ inSync })),
    ...spread(boundAddress, (boundAddress) => ({ boundAddress })),
  })),
  ...spread(look.failed, (failure) => ({ failure })),
  ...Comparison.$match(comparison, {
    Exact: () => ({}),
    Untold: ({ reason }) => ({ notCompared: reason }),
  }),
  assets: assets.map(presentAsset),
  ...spread(funds, (funds) => ({ funds: presentFunds(funds) })),
  takesOrders,
  hasAffiliates,
  affiliates: (look.seen?.account.affiliates ?? []).map(({ earned, ...affiliate }) => ({
    ...affiliate,
    earned: earned.map(holding),
  })),
})

/** A withdrawal. */
export const presentWithdrawal = (
  { asset, earned, platform, taken, ...withdrawal }: Withdrawal,
): WithdrawalBody => ({
  ...withdrawal,
  provider: platform,
  asset,
  earned: human(asset, earned),
  earnedNative: earned,
  ...spread(taken, ({ amount, fee, reference, transaction }) => ({
    amount: human(asset, amount),
    amountNative: amount,
    fee: human(asset, fee),
    feeNative: fee,
    reference,
    ...spread(transaction, (orderTransaction) => ({ orderTransaction })),
  })),
})

/** A withdrawal with its journal. */
export const presentWithdrawalStory = ({ steps, withdrawal }: WithdrawalStory): WithdrawalStoryBody => ({
  ...presentWithdrawal(withdrawal),
  steps,
})

/** An affiliate. */
export const presentAffiliate = (
  { named, platform, seen }: AffiliateStanding,
): ReadonlyArray<AffiliateBody> => {
  const withdrawalAddress = named?.withdrawalAddress ?? seen?.withdrawalAddress
  if (withdrawalAddress === undefined) return []
  return [{
    provider: platform,
    ...spread(named, ({ name, registeredAt }) => ({ name, registeredAt })),
    ...spread(named?.account ?? seen?.account, (account) => ({ account })),
    withdrawalAddress,
    ...spread(seen?.shortId, (shortId) => ({ shortId })),
    earned: (seen?.earned ?? []).map(holding),
  }]
}
