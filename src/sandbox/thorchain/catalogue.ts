import { factsOf } from "#domain/chains/Asset.ts"
import { assetState } from "../engine/assetState.ts"
import { chainHeight } from "../engine/blocks.ts"
import { follow } from "../follow.ts"
import { answersOf, recordedVault } from "./answers.ts"
import { gasCoin, reservesOf } from "./engine/prices.ts"
import type { Vaults } from "./engine/State.ts"
import { heightOf, vaultAfter } from "./engine/Vaults.ts"
import { codesOf, hasRouter, nameOf, pooledAssets, routerOf, unprefixed } from "./families.ts"

/** `GET /inbound_addresses`, `/pools` and `/lastblock` (thorchain/wire.md 4, 5). */

/** The list of vaults as it is now. A network that makes no blocks changes none of it. */
export const inboundAddresses = (vaults: Vaults) =>
  codesOf(vaults.family).map(([chain, code]) => {
    const { family, haltedChains, isPaused } = vaults
    const isChainHalted = haltedChains.has(chain)
    return follow(recordedVault(family, chain).row, [
      ["chain", code],
      ["address", unprefixed(vaultAfter(family, chain, vaults.churns))],
      ...(hasRouter(chain) ? [["router", routerOf(family, chain)] as const] : []),
      ["halted", isPaused || isChainHalted],
      ...(family.isDetailed
        ? [["global_trading_paused", isPaused], ["chain_trading_paused", isChainHalted]] as const
        : []),
      ["outbound_fee", `${gasCoin(vaults, chain).amount}`],
    ])
  })

/** Every pool at the reference price of its asset. */
export const pools = (vaults: Vaults) => {
  const { family, network } = vaults
  return pooledAssets(family).map((asset) => {
    const { asset: balance, native } = reservesOf(vaults, asset)
    const { decimals } = factsOf(asset)
    return follow(answersOf[family.name].pool, [
      ["asset", nameOf(family, asset)],
      ["decimals?", decimals < 8 ? decimals : undefined],
      ["balance_asset", `${balance}`],
      [family.balance, `${native}`],
      ...(family.isDetailed
        ? [
          ["short_code", family.shortCodes[asset]],
          ["asset_tor_price", `${assetState(network, asset).price * 100n}`],
        ] as const
        : []),
    ])
  })
}

/** The latest blocks, of which none were recorded: one row a chain, each with the network's own height. */
export const lastBlocks = (vaults: Vaults) =>
  codesOf(vaults.family).map(([chain, code]) => {
    const height = chainHeight(vaults.network, chain, vaults.frozenAt ?? vaults.time)
    return {
      chain: code,
      last_observed_in: height,
      last_signed_out: height,
      [vaults.family.root]: heightOf(vaults),
    }
  })
