import { Record, Struct } from "effect"
import { formatChannelId } from "../domain/Channel.ts"
import { maximumListedChannels, type SandboxView } from "../api/Sandbox.ts"
import type { FaultRule } from "../api/SandboxCommands.ts"
import { Address } from "../domain/Address.ts"
import { NativeAmount } from "../domain/Amount.ts"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"
import { addressPatterns } from "./engine/identifiers.ts"
import * as Network from "./engine/Network.ts"
import * as Intents from "./near-intents/engine/Intents.ts"
import { publicKey } from "./near-intents/signature.ts"
import { statusOf } from "./near-intents/status.ts"
import * as Relay from "./relay/engine/Relay.ts"
import type { SimulatedNetworks } from "./simulatedNetworks.ts"

/** The part of `GET /sandbox` that belongs to no network. */
export interface Surroundings {
  readonly seed: string
  readonly speed: number
  readonly faults: ReadonlyArray<FaultRule>
}

/** The simulated time, as text and as a number. */
export const viewTime = (timeMillis: EpochMillis) => ({ time: toIsoDate(timeMillis), timeMillis })

/** The orders in `GET /sandbox`. */
const viewIntents = (intents: Intents.Intents): SandboxView["nearIntents"] => {
  const orders = Intents.openOrders(intents)
  return {
    publicKey,
    openOrderCount: orders.length,
    openOrders: orders.slice(-maximumListedChannels).reverse().map((order) => ({
      depositAddress: order.depositAddress,
      status: statusOf(order),
      sourceAsset: order.terms.origin.asset,
      destinationAsset: order.terms.destination.asset,
      amountIn: NativeAmount.make(order.offer.amountIn),
      amountOut: NativeAmount.make(order.offer.amountOut),
      recipient: Address.make(order.request.recipient),
      deadline: order.deadline,
    })),
  }
}

/** The requests in `GET /sandbox`. */
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

/** The present state of the whole sandbox. */
export const viewSandbox = (
  { intents, network, relay }: SimulatedNetworks,
  { faults, seed, speed }: Surroundings,
): SandboxView => {
  const { stateChainHeight, time } = Network.time(network)
  const channels = Network.openChannels(network)
  return {
    ...viewTime(time),
    speed,
    seed,
    stateChainBlock: stateChainHeight,
    heights: Record.map(Network.environment(network).chains, ({ height }) => height),
    switches: Network.switches(network),
    pools: Network.pools(network),
    boostPools: Network.boostPools(network),
    openChannelCount: channels.length,
    openChannels: channels.slice(-maximumListedChannels).reverse().map((channel) => ({
      ...Struct.omit(channel, ["ccm"]),
      id: formatChannelId(channel.id),
    })),
    nearIntents: viewIntents(intents),
    relay: viewRelay(relay),
    faults,
    addressPatterns: addressPatterns,
  }
}
