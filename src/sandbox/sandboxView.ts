import { Record, Struct } from "effect"
import { formatChannelId } from "../domain/Channel.ts"
import { type FaultRule, maximumListedChannels, type SandboxView } from "../domain/SandboxControl.ts"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"
import * as Network from "./engine/Network.ts"
import type { Intents } from "./near-intents/engine/Intents.ts"
import { viewIntents } from "./near-intents/view.ts"

/** What `GET /sandbox` shows that is not in the network itself. */
export interface Surroundings {
  readonly seed: string
  readonly speed: number
  readonly faults: ReadonlyArray<FaultRule>
}

/** The simulated time, as text and as a number. */
export const viewTime = (timeMillis: EpochMillis) => ({ time: toIsoDate(timeMillis), timeMillis })

/** The whole sandbox as it is now. */
export const viewSandbox = (
  network: Network.Network,
  intents: Intents,
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
    faults,
    addressPatterns: Network.addressPatterns,
  }
}
