import { Match } from "effect"
import { formatUnits, type NativeAmount } from "../../money/Amount.ts"
import { type AssetId, chainOf, factsOf } from "../../chains/Asset.ts"
import { chainFacts, type Network } from "../../chains/Chain.ts"

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
  | { readonly scheme: "bip321" | "bip21" | "erc681" | "solana-pay" | "tron"; readonly uri: string }
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

/** BIP 321, also for Bitcoin's relatives. A CashAddr already begins with the scheme. */
const bitcoin = (scheme: string, deposit: LinkedDeposit): Link => {
  const target = deposit.address.includes(":") ? deposit.address : `${scheme}:${deposit.address}`
  return { scheme: scheme === "bitcoin" ? "bip321" : "bip21", uri: `${target}${amountQuery(deposit)}` }
}

/**
 * ERC-681. The number of the chain is never left out, as a wallet would take the network that it is on. A token's link
 * calls `transfer(address,uint256)` of its contract: without an amount it would call a function that does not exist.
 */
const evm = (chainId: number, { address, amount, network, sourceAsset }: LinkedDeposit): Link => {
  const { contractAddress } = factsOf(sourceAsset)
  if (network === "testnet") return none("otherNetwork")
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

export const linkFor = (deposit: LinkedDeposit): Link =>
  Match.valueTags(chainFacts(chainOf(deposit.sourceAsset)).family, {
    bitcoin: ({ scheme }) => bitcoin(scheme, deposit),
    evm: ({ chainId }) => evm(chainId, deposit),
    solana: () => solana(deposit),
    tron: () => tron(deposit),
    substrate: () => none("noScheme"),
    xrpl: () => none("noScheme"),
  })
