import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Address } from "../../domain/Address.ts"
import { type Chain, chainFacts, stateChainBlockMillis } from "../../domain/Chain.ts"
import type { ChannelId } from "../../domain/Channel.ts"
import { BlockIndex, type EpochMillis } from "../../domain/Time.ts"

/** The chains of ours that the upstream serves (near-intents/wire.md 1). */
export type ServedChain = Exclude<Chain, "Assethub" | "Polkadot">

/** What the adapter needs to know of a chain. */
interface ServedChainFacts {
  /** The upstream's word for the chain. */
  readonly blockchain: string
  /**
   * Blocks until a deposit counts. The upstream publishes no figures; these are what bridges commonly wait
   * for, and only estimates are made of them.
   */
  readonly confirmations: number
  /**
   * Stands for refund address and recipient in a dry quote, which needs both before the caller has said any.
   * Well formed on mainnet and known for having no owner; no money can ever be sent there by a dry quote.
   */
  readonly placeholder: Address
}

const evmPlaceholder = Address.make("0x000000000000000000000000000000000000dEaD")

const servedChains: Readonly<Record<ServedChain, ServedChainFacts>> = {
  Bitcoin: {
    blockchain: "btc",
    confirmations: 2,
    placeholder: Address.make("1BitcoinEaterAddressDontSendf59kuE"),
  },
  Ethereum: {
    blockchain: "eth",
    confirmations: 12,
    placeholder: evmPlaceholder,
  },
  Arbitrum: { blockchain: "arb", confirmations: 40, placeholder: evmPlaceholder },
  Bsc: { blockchain: "bsc", confirmations: 15, placeholder: evmPlaceholder },
  Solana: {
    blockchain: "sol",
    confirmations: 32,
    placeholder: Address.make("1nc1nerator11111111111111111111111111111111"),
  },
  Tron: {
    blockchain: "tron",
    confirmations: 19,
    placeholder: Address.make("T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"),
  },
}

/** Every served chain. */
export const servedChainNames: ReadonlyArray<ServedChain> = [
  "Bitcoin",
  "Ethereum",
  "Arbitrum",
  "Bsc",
  "Solana",
  "Tron",
]

/** The facts of a served chain. */
export const servedFactsOf = (chain: ServedChain): ServedChainFacts => servedChains[chain]

/** The chain that the upstream means, if it is one of ours. */
export const findServedChain = (blockchain: string): ServedChain | undefined =>
  servedChainNames.find((chain) => servedChains[chain].blockchain === blockchain)

/** Milliseconds from a deposit's transaction to its last confirmation: half a block, then the confirmations. */
export const confirmationMillis = (chain: ServedChain): number =>
  chainFacts[chain].blockMillis / 2 + chainFacts[chain].blockMillis * servedChains[chain].confirmations

/** Case says nothing in hex and in bech32, and base58check that differs only in case is no address. */
const eitherCase: ReadonlySet<Chain> = new Set<Chain>(["Bitcoin", "Ethereum", "Arbitrum", "Bsc"])

/** Whether both texts are the same address of the chain. */
export const isSameAddress = (chain: Chain, one: string, other: string): boolean =>
  one === other || (eitherCase.has(chain) && one.toLowerCase() === other.toLowerCase())

/** 52 bits: such a number fits into a double without loss. */
const channelIdHexDigits = 13

const toChannelNumber = (depositAddress: string): number =>
  Number.parseInt(bytesToHex(sha256(utf8ToBytes(depositAddress))).slice(0, channelIdHexDigits), 16)

const blockAt = (time: EpochMillis): number => Math.floor(time / stateChainBlockMillis)

/**
 * Channel coordinates that the upstream does not have: the block is the number of whole
 * state-chain blocks since the epoch, the channel's number is taken from the address' hash.
 */
export const toChannelId = (network: Chain, depositAddress: string, issuedAt: EpochMillis): ChannelId => ({
  issuedBlock: blockAt(issuedAt),
  network,
  channelId: toChannelNumber(depositAddress),
})

/**
 * The source block of expiry. Heights of the source chain are not known here, so this is the number of whole
 * blocks that fit between the epoch and the expiry, rounded down; it only orders channels of a chain.
 */
export const toExpiryBlock = (network: Chain, expiry: EpochMillis): number =>
  Math.floor(expiry / chainFacts[network].blockMillis)

/** `<state-chain blocks since the epoch>-0`, where the domain wants an index and the upstream has none. */
export const toBlockIndex = (time: EpochMillis): BlockIndex => BlockIndex.make(`${blockAt(time)}-0`)
