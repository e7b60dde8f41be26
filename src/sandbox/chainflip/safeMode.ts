import { assetIds, chainOf } from "../../domain/Asset.ts"
import { Chain } from "../../domain/Chain.ts"
import type { AssetView, Environment, Switches } from "../engine/View.ts"

/** `cf_safe_mode_statuses`: the pallets that clients read (chainflip/wire.md 1.6). */
export const safeModeStatuses = (environment: Environment, switches: Switches) => ({
  swapping: {
    swaps_enabled: switches.swapsEnabled,
    withdrawals_enabled: true,
    broker_registration_enabled: true,
    deposit_enabled: true,
  },
  ...Object.fromEntries(Chain.literals.flatMap((chain) => [
    [`ingress_egress_${chain.toLowerCase()}`, ingressEgress(environment, chain)],
    [`broadcast_${chain.toLowerCase()}`, { retry_enabled: true, egress_witnessing_enabled: true }],
  ])),
})

/** The chain's switch is on while any of its assets is. */
const ingressEgress = (environment: Environment, chain: Chain) => {
  const anyAsset = (isOn: (asset: AssetView) => boolean) =>
    assetIds.some((asset) => chainOf(asset) === chain && isOn(environment.assets[asset]))
  return {
    boost_deposits_enabled: anyAsset(({ boostEnabled }) => boostEnabled),
    deposit_channel_creation_enabled: anyAsset(({ creationEnabled }) => creationEnabled),
    deposit_channel_witnessing_enabled: anyAsset(({ depositEnabled }) => depositEnabled),
    vault_deposit_witnessing_enabled: anyAsset(({ depositEnabled }) => depositEnabled),
  }
}
