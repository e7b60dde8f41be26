import { Schema } from "effect"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { balanceOf, freeFlip } from "../engine/accounts.ts"
import { brokerAccount } from "../engine/figures.ts"
import { vaultAddress } from "../engine/identifiers.ts"
import * as Network from "../engine/Network.ts"
import type { Affiliate } from "../engine/State.ts"
import { assetMap, hex } from "./values.ts"

/** What the node tells of accounts (chainflip/wire.md 2.7). */

/** `cf_free_balances`: what an account has of each asset. */
export const freeBalances = (network: Network.Network, account: BrokerAccount) =>
  assetMap((asset) => hex(balanceOf(network, account, asset)))

/** The operator's FLIP is its only account's; any other has none. */
const flipPart = (network: Network.Network, account: BrokerAccount) => {
  const { bond, flip } = account === brokerAccount ? network.operator : { bond: 0n, flip: 0n }
  return {
    flip_balance: hex(flip),
    bond: hex(bond),
    estimated_redeemable_balance: hex(account === brokerAccount ? freeFlip(network) : 0n),
  }
}

const detailsOf = ({ shortId, withdrawalAddress }: Affiliate) => ({
  short_id: shortId,
  withdrawal_address: withdrawalAddress.toLowerCase(),
})

/** The members that only a broker has; those without a value, and an empty list of affiliates, are left out. */
const brokerPart = (network: Network.Network) => {
  const { boundAddress, privateChannel } = network.operator
  const affiliates = Network.affiliates(network)
  return {
    role: "broker",
    earned_fees: freeBalances(network, brokerAccount),
    ...(affiliates.length === 0 ? {} : {
      affiliates: affiliates.map((affiliate) => ({ account_id: affiliate.account, ...detailsOf(affiliate) })),
    }),
    ...(privateChannel === undefined ? {} : { btc_vault_deposit_address: vaultAddress("Bitcoin") }),
    ...(boundAddress === undefined ? {} : { bound_fee_withdrawal_address: boundAddress.toLowerCase() }),
  }
}

/** `cf_account_info`. The sandbox knows one broker, its operator; every other account has no role. */
export const accountInfo = (network: Network.Network, account: BrokerAccount) => ({
  account_id: account,
  ...flipPart(network, account),
  asset_balances: freeBalances(network, account),
  ...(account === brokerAccount ? brokerPart(network) : { role: "unregistered" }),
})

/** `cf_get_affiliates` and `broker_get_affiliates`: the affiliates of a broker, or the one that is asked for. */
export const affiliatesOf = (network: Network.Network, broker: BrokerAccount, account?: BrokerAccount) =>
  Network.affiliates(network)
    .filter((affiliate) => broker === brokerAccount && (account ?? affiliate.account) === affiliate.account)
    .map((affiliate) => [affiliate.account, detailsOf(affiliate)] as const)

export const health = ({ nodeInSync }: Network.Network) => ({
  peers: 12,
  isSyncing: !nodeInSync,
  shouldHavePeers: true,
})

/** An account as a parameter: any text, as the sandbox has no accounts but its own. */
export const AccountInput = Schema.NonEmptyString.pipe(Schema.decodeTo(BrokerAccount))
