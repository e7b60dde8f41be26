import { noAmount } from "../../domain/Amount.ts"
import { vaultAddress } from "../engine/identifiers.ts"
import { brokerAccount } from "../engine/constants.ts"
import { assetMap, hex } from "./encode.ts"

const noBalances = {
  flip_balance: hex(noAmount),
  asset_balances: assetMap(() => hex(noAmount)),
  bond: hex(noAmount),
  estimated_redeemable_balance: hex(noAmount),
}

/**
 * `cf_account_info` (chainflip/wire.md 1.6). The sandbox knows one account, its broker's; commissions are taken
 * from swaps but no balances are kept.
 */
export const accountInfo = (account: string, affiliates: ReadonlyArray<string>) =>
  account === brokerAccount
    ? {
      role: "broker",
      account_id: account,
      ...noBalances,
      earned_fees: assetMap(() => hex(noAmount)),
      btc_vault_deposit_address: vaultAddress("Bitcoin"),
      affiliates: affiliates.map((affiliate, index) => ({
        account_id: affiliate,
        short_id: index,
        // Nobody withdraws anything here.
        withdrawal_address: vaultAddress("Ethereum"),
      })),
    }
    : { role: "unregistered", account_id: account, ...noBalances }
