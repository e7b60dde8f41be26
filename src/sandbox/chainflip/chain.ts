import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js"
import { Result, Schema } from "effect"
import { chainOf } from "#domain/chains/Asset.ts"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { decodeSs58, encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { stateChainBlockMillis } from "#domain/chains/Chain.ts"
import { assetNumber } from "#domain/chains/payload/contractNumbers.ts"
import { encodeWithdrawalEvent } from "#domain/chains/payload/withdrawalEvent.ts"
import { accountPrefix, brokerAccount } from "../engine/figures.ts"
import * as Network from "../engine/Network.ts"
import type { Affiliate, Withdrawal } from "../engine/State.ts"
import { World } from "../World.ts"
import { method } from "./rpc.ts"
import { assetMap, hex, wireAsset } from "./values.ts"
import {
  channelKey,
  encodeChannel,
  type ListedChain,
  listedChains,
} from "#domain/chains/payload/depositChannel.ts"
import { digest, vaultAddress } from "../engine/identifiers.ts"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { balanceOf, freeFlip } from "../engine/operator.ts"

/** What a node tells of blocks and their storage (chainflip/wire.md 2.8, 2.9). */

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

const backendAccount = encodeSs58(accountPrefix, digest("sandbox", "the backend's broker"))

const accountOf = ({ openedThroughBackend }: Network.KeptChannel): string =>
  openedThroughBackend ? backendAccount : brokerAccount

const addressOf = (chain: ListedChain, address: string) => ({
  [variants[chain]]: [...Result.getOrThrow(accountBytes(chain, address))],
})

/** `cf_all_open_deposit_channels`: the channels of each account, in the list's order of chains. */
const allOpenChannels = (network: Network.Network, height: number) => {
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

const storedChannel = (network: Network.Network, key: string, height: number): string | null => {
  for (const channel of Network.keptChannels(network, height)) {
    const chain = listedChains.find((chain) => chain === channel.id.network)
    if (chain === undefined) continue
    if (keyOf(chain, channel.depositAddress) === key) return storedAs(channel, chain)
  }
  return null
}

/** The storage keys of the chain's time, and of a block's events. */
const timeKey = "0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb"
const eventsKey = "0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"

const littleEndian = (value: bigint, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => Number(value >> BigInt(8 * index) & 0xffn))

/** A block's hash: its number, behind the first bytes of everything of the sandbox. */
const hashOf = (height: number): string => `0x5a4db0${height.toString(16).padStart(58, "0")}`
const heightOf = (hash: string): number => Number(`0x${hash.slice(8)}`)

const heightOfOrder = ({ payment }: Withdrawal): number =>
  Number(`${payment.egress.scheduledBlockIndex}`.split("-")[0])

/** What stands before an event: its extrinsic, its module and its own number, freely chosen. */
const before = Uint8Array.of(0, 1, 0, 0, 0, 31, 7)
const withoutTopics = Uint8Array.of(0)

const eventOf = ({ account, fee, payment }: Withdrawal): Uint8Array => {
  const chain = chainOf(payment.asset)
  const event = encodeWithdrawalEvent(chain, {
    account: Result.getOrThrow(decodeSs58(account)).publicKey,
    number: BigInt(payment.number ?? 0),
    asset: assetNumber(payment.asset),
    amount: payment.egress.amount,
    fee,
    destination: Result.getOrThrow(accountBytes(chain, payment.destination)),
  })
  return concatBytes(before, event, withoutTopics)
}

/** The events of a block: those of withdrawals, of which a block has few. */
const eventsOf = (network: Network.Network, height: number): Uint8Array => {
  const ordered = network.withdrawals.filter((withdrawal) => heightOfOrder(withdrawal) === height)
  return concatBytes(Uint8Array.of(ordered.length << 2), ...ordered.map(eventOf))
}

const heightAt = (network: Network.Network, hash: string | undefined): number =>
  hash === undefined ? Network.time(network).stateChainHeight : heightOf(hash)

const storageAt = (network: Network.Network, key: string, hash: string | undefined): string | null => {
  const { stateChainHeight, stateChainTime } = Network.time(network)
  const height = heightAt(network, hash)
  if (key === timeKey) {
    const time = stateChainTime - (stateChainHeight - height) * stateChainBlockMillis
    return `0x${bytesToHex(littleEndian(BigInt(time), 8))}`
  }
  return key === eventsKey
    ? `0x${bytesToHex(eventsOf(network, height))}`
    : storedChannel(network, key, height)
}

const read = <Seen>(see: (network: Network.Network) => Seen) => World.read(({ network }) => see(network))

/** `cf_all_open_deposit_channels` of a node, at a block; a broker tells the latest. */
export const listing = method(
  Schema.Struct({ at: Schema.optionalKey(Schema.String) }),
  ({ at }) => read((network) => allOpenChannels(network, heightAt(network, at))),
  "list",
)

/** The chains whose deposits to vaults a node tells (chainflip/wire.md 2.10). */
const Witnessed = Schema.Literals(["Bitcoin", "Ethereum", "Arbitrum", "Bsc", "Tron", "Assethub"])

/** Deposits to vaults as a node tells them, and none of the rest. The real one forgets them soon. */
const witnessed = (network: Network.Network, chain: typeof Witnessed.Type) => ({
  deposits: [],
  broadcasts: [],
  vault_deposits: Network.vaultDeposits(network, chain).map(
    ({ amount, inclusionBlock, terms, ...deposit }) => {
      const { transactionReference: hash } = deposit
      const [details, tx_id] = chain === "Bitcoin"
        ? [{ tx_id: hash, vout: 0 }, `0x${bytesToHex(hexToBytes(hash).toReversed())}`]
        : [{ tx_hashes: [hash] }, hash.startsWith("0x") ? hash : `0x${hash}`]
      return {
        tx_id,
        deposit_chain_block_height: inclusionBlock,
        input_asset: wireAsset(terms.sourceAsset),
        output_asset: wireAsset(terms.destinationAsset),
        amount: hex(amount),
        destination_address: terms.destinationAddress,
        deposit_details: details,
        broker_fee: { account: brokerAccount, bps: terms.brokerCommissionBps },
        affiliate_fees: [],
      }
    },
  ),
})

/** The methods of every Substrate node that are simulated. */
export const chainMethods = [
  [
    "chain_getHeader",
    method(
      Schema.Struct({ hash: Schema.optionalKey(Schema.String) }),
      ({ hash }) => read((network) => ({ number: hex(BigInt(heightAt(network, hash))) })),
      "treasury",
    ),
  ],
  // Blocks are final at once here.
  [
    "chain_getFinalizedHead",
    method(
      Schema.Struct({}),
      () => read((network) => hashOf(Network.time(network).stateChainHeight)),
      "treasury",
    ),
  ],
  ["cf_all_open_deposit_channels", listing],
  [
    "cf_ingress_egress_events",
    method(
      Schema.Struct({ chain: Witnessed, at: Schema.optionalKey(Schema.String) }),
      ({ chain }) => read((network) => witnessed(network, chain)),
      "list",
    ),
  ],
  [
    "chain_getBlockHash",
    method(
      Schema.Struct({ number: Schema.Int }),
      ({ number }) =>
        read((network) => number > Network.time(network).stateChainHeight ? null : hashOf(number)),
      "treasury",
    ),
  ],
  [
    "state_getStorage",
    method(
      Schema.Struct({ key: Schema.String, at: Schema.optionalKey(Schema.String) }),
      ({ at, key }) => read((network) => storageAt(network, key, at)),
      "treasury",
    ),
  ],
] as const

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
