import { bytesToHex } from "@noble/hashes/utils.js"
import { Result } from "effect"
import { accountBytes } from "../../domain/address/accountBytes.ts"
import { encodeSs58 } from "../../domain/address/Ss58.ts"
import {
  channelKey,
  encodeChannel,
  type ListedChain,
  listedChains,
} from "../../domain/payload/depositChannel.ts"
import { accountPrefix, brokerAccount } from "../engine/figures.ts"
import { digest } from "../engine/identifiers.ts"
import * as Network from "../engine/Network.ts"
import { wireAsset } from "./values.ts"

/** The open channels as the node lists and stores them (chainflip/wire.md 2.9). */

/** The names of the chains' addresses in the list. */
const variants: Readonly<Record<ListedChain, string>> = {
  Bitcoin: "Btc",
  Ethereum: "Eth",
  Arbitrum: "Arb",
  Solana: "Sol",
  Tron: "Tron",
  Bsc: "Bsc",
}

/** The account of the backend's own broker. */
const backendAccount = encodeSs58(accountPrefix, digest("sandbox", "the backend's broker"))

const accountOf = ({ openedThroughBackend }: Network.KeptChannel): string =>
  openedThroughBackend ? backendAccount : brokerAccount

const addressOf = (chain: ListedChain, address: string) => ({
  [variants[chain]]: [...Result.getOrThrow(accountBytes(chain, address))],
})

/** `cf_all_open_deposit_channels`: the channels of each account, in the list's order of chains. */
export const allOpenChannels = (network: Network.Network, height: number) => {
  const kept = Network.keptChannels(network, height)
  return [brokerAccount, backendAccount].flatMap((account) => {
    const channels = listedChains.flatMap((chain) =>
      kept.filter((channel) => channel.id.network === chain && accountOf(channel) === account)
        .map(({ depositAddress, sourceAsset }) => [addressOf(chain, depositAddress), wireAsset(sourceAsset)])
    )
    return channels.length === 0 ? [] : [[account, "Swap", { chain_accounts: channels }]]
  })
}

const storedAs = (channel: Network.KeptChannel, chain: ListedChain): string => {
  const value = encodeChannel({
    ...channel,
    channelId: channel.id.channelId,
    terms: {
      ...channel,
      brokers: [
        { account: accountOf(channel), commissionBps: channel.brokerCommissionBps },
        ...channel.affiliates,
      ],
    },
  }, chain)
  return `0x${bytesToHex(Result.getOrThrow(value))}`
}

/** The keys of deposit addresses: a node looks one up, and does not make them all. */
const keys = new Map<string, string>()

const keyOf = (chain: ListedChain, address: string): string => {
  const key = keys.get(address) ?? Result.getOrThrow(channelKey(chain, address))
  keys.set(address, key)
  return key
}

/** What is stored under a key at a height, if it is a channel's. */
export const storedChannel = (network: Network.Network, key: string, height: number): string | null => {
  for (const channel of Network.keptChannels(network, height)) {
    const chain = listedChains.find((chain) => chain === channel.id.network)
    if (chain === undefined) continue
    if (keyOf(chain, channel.depositAddress) === key) return storedAs(channel, chain)
  }
  return null
}
