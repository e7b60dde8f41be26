import { factsOf } from "#domain/chains/Asset.ts"
import { chainHeight } from "../engine/blocks.ts"
import { dustOn, gasOf, reservesOf } from "./engine/prices.ts"
import type { Vaults } from "./engine/State.ts"
import { heightOf, vaultAfter } from "./engine/Vaults.ts"
import { asTold, codesOf, hasRouter, nameOf, pooledAssets, routerOf } from "./families.ts"
import { told } from "./told.ts"
import { assetState } from "../engine/assetState.ts"

/** `GET /inbound_addresses`, `/pools`, `/lastblock` and `/mimir` (thorchain/wire.md 4, 5). */

/** The list of vaults as it is now. A network that makes no blocks changes none of it. */
export const inboundAddresses = (vaults: Vaults) =>
  codesOf(vaults.family).map(([chain, code]) => {
    const { family, haltedChains, isPaused } = vaults
    const isChainHalted = haltedChains.has(chain)
    const { fee, rate, size, units } = gasOf(vaults, chain)
    return {
      chain: code,
      pub_key: `${family.name}pub1sandbox${vaults.churns}`,
      address: asTold(vaultAfter(family, chain, vaults.churns)),
      ...(hasRouter(chain) ? { router: routerOf(family, chain) } : family.tellsMore ? { router: "" } : {}),
      halted: isPaused || isChainHalted,
      ...(family.tellsMore
        ? {
          global_trading_paused: isPaused,
          chain_trading_paused: isChainHalted,
          chain_lp_actions_paused: false,
        }
        : {}),
      gas_rate: rate,
      gas_rate_units: units,
      outbound_tx_size: size,
      outbound_fee: fee,
      dust_threshold: `${dustOn(chain)}`,
    }
  })

/** Every pool at the reference price of its asset. */
export const pools = (vaults: Vaults) => {
  const { family, network } = vaults
  return pooledAssets(family).map((asset) => {
    const { asset: balance, native } = reservesOf(vaults, asset)
    const { decimals } = factsOf(asset)
    return told({
      asset: nameOf(family, asset),
      short_code: family.tellsMore ? family.shortCodes[asset] : undefined,
      status: "Available",
      decimals: decimals < 8 ? decimals : 0,
      balance_asset: `${balance}`,
      [family.balance]: `${native}`,
      asset_tor_price: family.tellsMore ? `${assetState(network, asset).price * 100n}` : undefined,
      pool_units: `${native}`,
      LP_units: `${native}`,
      [family.pending]: "0",
      pending_inbound_asset: "0",
      synth_units: "0",
      synth_supply: "0",
      synth_mint_paused: true,
      savers_depth: "0",
      savers_units: "0",
      ...(family.tellsMore
        ? {
          savers_fill_bps: "0",
          savers_capacity_remaining: "0",
          synth_supply_remaining: "0",
          derived_depth_bps: "0",
          trading_halted: false,
        }
        : { bondable: true }),
    })
  })
}

/** The latest blocks: one row a chain, each with the network's own height. */
export const lastBlocks = (vaults: Vaults) =>
  codesOf(vaults.family).map(([chain, code]) => {
    const height = chainHeight(vaults.network, chain, vaults.frozenAt ?? vaults.time)
    return {
      chain: code,
      last_observed_in: height,
      last_signed_out: height,
      [vaults.family.height]: heightOf(vaults),
    }
  })

/** The operator's switches that are on. */
export const mimir = (vaults: Vaults) => ({
  ...(vaults.isPaused ? { HALTTRADING: 1 } : {}),
  ...Object.fromEntries(
    codesOf(vaults.family).filter(([chain]) => vaults.haltedChains.has(chain)).map(([, code]) => [
      `HALT${code}TRADING`,
      1,
    ]),
  ),
})
