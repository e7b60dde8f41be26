import { type AssetId, chainOf } from "./Asset.ts"
import { type Chain, type ChainFacts, chainFacts, type Network } from "./Chain.ts"
import { referenceOn } from "./TransactionReference.ts"

/** The name and the explorer of a chain on one network, as far as they are known: simulated ones have neither. */
export const publicFacts = (
  chain: Chain,
  network: Network | undefined,
): Partial<Pick<ChainFacts, "addressExplorer" | "caip2" | "explorer">> => {
  const { testnet, ...mainnet } = chainFacts(chain)
  return (network === "mainnet" ? mainnet : network === "testnet" ? testnet : undefined) ?? {}
}

/**
 * The page of a transaction that moved the asset, in a public explorer of its chain. There is none of a simulated or an
 * unknown network, and of text that is no transaction of the chain.
 */
export const transactionUrl = (asset: AssetId, network: Network | undefined, text: string | undefined) => {
  const chain = chainOf(asset)
  const { explorer } = publicFacts(chain, network)
  const reference = text === undefined ? undefined : referenceOn(chain, text)
  return explorer === undefined || reference === undefined ? undefined : explorer + reference
}
