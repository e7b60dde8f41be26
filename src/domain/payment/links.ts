import { formatUnits, type NativeAmount } from "../Amount.ts"
import { type AssetId, chainOf, factsOf } from "../Asset.ts"
import { type Chain, chainFacts, type Network } from "../Chain.ts"

/** Why a channel has no link; the warnings say so in words. */
export type NoLink =
  | "expired"
  | "stopped"
  | "memo"
  | "unwritable"
  | "noScheme"
  | "otherNetwork"
  | "noContract"
  | "noTokenAmount"
  | "tokenAccount"
  | "tronToken"

/** A link that wallets open, or why there is none. */
export type Link =
  | { readonly scheme: "bip321" | "erc681" | "solana-pay" | "tron"; readonly uri: string }
  | { readonly scheme: "address"; readonly reason: NoLink }

/** A deposit that a link can be made for: its address has letters and digits only, and it needs no memo. */
export interface LinkedDeposit {
  readonly sourceAsset: AssetId
  readonly network: Network
  readonly address: string
  readonly amount: NativeAmount | undefined
}

const none = (reason: NoLink): Link => ({ scheme: "address", reason })

/** `?amount=` in whole units of the asset, exactly and without an exponent; nothing without an amount. */
const amountQuery = ({ amount, sourceAsset }: LinkedDeposit): string =>
  amount === undefined ? "" : `?amount=${formatUnits(sourceAsset, amount)}`

/** BIP 321. The address itself tells the network. */
const bitcoin = (deposit: LinkedDeposit): Link => ({
  scheme: "bip321",
  uri: `bitcoin:${deposit.address}${amountQuery(deposit)}`,
})

/**
 * ERC-681. The number of the chain is never left out, as a wallet would take the network that it is on. A token's link
 * calls `transfer(address,uint256)` of its contract: without an amount it would call a function that does not exist.
 */
const evm = ({ address, amount, network, sourceAsset }: LinkedDeposit): Link => {
  const { chain, contractAddress } = factsOf(sourceAsset)
  const chainId = network === "testnet" ? undefined : chainFacts[chain].evmChainId
  if (chainId === undefined) return none("otherNetwork")
  const erc681 = (target: string): Link => ({ scheme: "erc681", uri: `ethereum:${target}` })
  if (contractAddress === undefined) {
    return erc681(`${address}@${chainId}${amount === undefined ? "" : `?value=${amount}`}`)
  }
  if (!/^0x[0-9a-fA-F]{40}$/.test(contractAddress)) return none("noContract")
  return amount === undefined
    ? none("noTokenAmount")
    : erc681(`${contractAddress}@${chainId}/transfer?address=${address}&uint256=${amount}`)
}

/**
 * Solana Pay, for SOL alone. A link for a token pays to the associated token account of the address. Deposit addresses
 * can be accounts without a key, for which wallets refuse to derive one; whether each provider takes tokens that come in
 * another account of the address is not known.
 */
const solana = (deposit: LinkedDeposit): Link => {
  if (deposit.network === "testnet") return none("otherNetwork")
  if (factsOf(deposit.sourceAsset).contractAddress !== undefined) return none("tokenAccount")
  return { scheme: "solana-pay", uri: `solana:${deposit.address}${amountQuery(deposit)}` }
}

/** No standard: some wallets read it. Most do not read which token is meant, and would send TRX in its place. */
const tron = (deposit: LinkedDeposit): Link => {
  if (deposit.network === "testnet") return none("otherNetwork")
  if (factsOf(deposit.sourceAsset).contractAddress !== undefined) return none("tronToken")
  return { scheme: "tron", uri: `tron:${deposit.address}${amountQuery(deposit)}` }
}

const linkers: Readonly<Record<Chain, (deposit: LinkedDeposit) => Link>> = {
  Bitcoin: bitcoin,
  Ethereum: evm,
  Arbitrum: evm,
  Bsc: evm,
  Solana: solana,
  Tron: tron,
  Polkadot: () => none("noScheme"),
  Assethub: () => none("noScheme"),
}

/** The link of a deposit, by the chain that it is made on. */
export const linkFor = (deposit: LinkedDeposit): Link => linkers[chainOf(deposit.sourceAsset)](deposit)
