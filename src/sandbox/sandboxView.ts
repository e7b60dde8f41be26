import { Record, Struct } from "effect"
import { formatChannelId } from "#domain/swaps/Channel.ts"
import { maximumListedChannels, type SandboxView } from "#api/Sandbox.ts"
import type { FaultRule } from "#api/SandboxFaults.ts"
import { Address } from "#domain/chains/Address.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import { chains } from "#domain/chains/Chain.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { holdingsOf } from "./engine/operator.ts"
import { brokerAccount } from "./engine/figures.ts"
import { addressPatterns } from "./engine/identifiers.ts"
import * as Network from "./engine/Network.ts"
import type { Payment, Withdrawal } from "./engine/State.ts"
import * as Intents from "./near-intents/engine/Intents.ts"
import { publicKey } from "./near-intents/signature.ts"
import { statusOf } from "./near-intents/answers.ts"
import * as Relay from "./relay/engine/Relay.ts"
import type { SimulatedNetworks } from "./simulatedNetworks.ts"
import * as Vaults from "./thorchain/engine/Vaults.ts"

/** The part of `GET /sandbox` that belongs to no network. */
export interface SandboxServices {
  readonly seed: string
  readonly speed: number
  readonly faults: ReadonlyArray<FaultRule>
}

export const viewTime = (timeMillis: EpochMillis) => ({ time: toIsoDate(timeMillis), timeMillis })

type WithdrawalView = SandboxView["broker"]["withdrawals"][number]

const stateOf = ({ fallback, egress }: Payment): WithdrawalView["state"] => {
  if (egress.failure !== undefined) return fallback === undefined ? "failed" : stateOf(fallback)
  if (egress.witnessedAt !== undefined) return "paid"
  return egress.transactionReference === undefined ? "scheduled" : "sent"
}

const viewWithdrawal = ({ account, fee, payment, transactionHash }: Withdrawal): WithdrawalView => ({
  egress: `${chainOf(payment.asset)}-${payment.number}`,
  account,
  transactionHash,
  asset: payment.asset,
  amount: payment.egress.amount,
  fee,
  destination: payment.destination,
  state: stateOf(payment),
  ...optionalMembers(payment.egress.transactionReference, (reference) => ({ paymentTransaction: reference })),
})

const viewBroker = (network: Network.Network): SandboxView["broker"] => {
  const { bond, boundAddress, flip, minimumVaultFeeBps, privateChannel } = network.operator
  return {
    account: brokerAccount,
    flip: NativeAmount.make(flip),
    bond: NativeAmount.make(bond),
    ...optionalMembers(boundAddress, (address) => ({ boundAddress: address })),
    hasPrivateChannel: privateChannel !== undefined,
    minimumVaultFeeBps,
    nodeInSync: network.nodeInSync,
    openingFees: Record.map(Object.fromEntries(network.openingFees), (fee) => NativeAmount.make(fee)),
    earned: holdingsOf(network, brokerAccount),
    affiliates: Network.affiliates(network).map((affiliate) => ({
      ...affiliate,
      earned: holdingsOf(network, affiliate.account),
    })),
    withdrawals: network.withdrawals.slice(-maximumListedChannels).reverse().map(viewWithdrawal),
  }
}

const viewIntents = (intents: Intents.Intents): SandboxView["nearIntents"] => {
  const orders = Intents.openOrders(intents)
  return {
    publicKey,
    openOrderCount: orders.length,
    openOrders: orders.slice(-maximumListedChannels).reverse().map((order) => ({
      depositAddress: order.address,
      status: statusOf(order),
      sourceAsset: order.origin,
      destinationAsset: order.destination,
      amountIn: NativeAmount.make(order.terms.offer.amountIn),
      amountOut: NativeAmount.make(order.terms.offer.amountOut),
      recipient: Address.make(order.terms.request.recipient),
      deadline: order.deadline,
    })),
  }
}

const viewRelay = (relay: Relay.Relay): SandboxView["relay"] => {
  const requests = Relay.openRequests(relay)
  return {
    openRequestCount: requests.length,
    openRequests: requests.slice(-maximumListedChannels).reverse().map((request) => ({
      requestId: request.id,
      depositAddress: request.depositAddress,
      status: request.state,
      sourceAsset: request.terms.origin.asset,
      destinationAsset: request.terms.destination.asset,
      amountIn: NativeAmount.make(request.offer.amountIn),
      amountOut: NativeAmount.make(request.offer.amountOut),
      recipient: Address.make(request.terms.recipient),
      deadline: request.ttlEnd,
    })),
  }
}

const feesPaid = ({ intents, relay, vaults }: SimulatedNetworks) =>
  [
    ["near-intents", Intents.feesPaid(intents)],
    ["relay", Relay.allRequests(relay).flatMap(Relay.feesPaidBy)],
    ["thorchain", Vaults.feesPaid(vaults.thorchain)],
    ["maya", Vaults.feesPaid(vaults.maya)],
  ] as const

/** What the networks have paid of fees, by account and asset. */
const viewCommission = (networks: SimulatedNetworks): SandboxView["commission"] =>
  feesPaid(networks).flatMap(([provider, paid]) =>
    Array.from(Map.groupBy(paid, ({ account, asset }) => `${account} ${asset}`).values()).flatMap((rows) =>
      rows.slice(0, 1).map(({ account, asset }) => ({
        provider,
        account,
        asset,
        amount: rows.reduce((sum, { amount }) => sum + amount, 0n),
      }))
    )
  )

export const viewSandbox = (networks: SimulatedNetworks, { faults, seed, speed }: SandboxServices) => {
  const { intents, network, relay } = networks
  const { stateChainHeight, time } = Network.time(network)
  const channels = Network.openChannels(network)
  return {
    ...viewTime(time),
    speed,
    seed,
    stateChainBlock: stateChainHeight,
    heights: Object.fromEntries(
      chains().map((chain) => [chain, Network.environment(network).chain(chain).height]),
    ),
    switches: Network.switches(network),
    pools: Network.pools(network),
    boostPools: Network.boostPools(network),
    openChannelCount: channels.length,
    openChannels: channels.slice(-maximumListedChannels).reverse().map((channel) => ({
      ...Struct.omit(channel, ["ccm"]),
      id: formatChannelId(channel.id),
    })),
    broker: viewBroker(network),
    nearIntents: viewIntents(intents),
    relay: viewRelay(relay),
    commission: viewCommission(networks),
    faults,
    addressPatterns: addressPatterns(),
  }
}
