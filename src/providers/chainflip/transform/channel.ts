import { Struct } from "effect"
import type { BrokerAccount } from "../../../domain/Address.ts"
import { noBps } from "../../../domain/Bps.ts"
import type { ChannelRecord } from "../../../domain/Swap.ts"
import type { Affiliate } from "../../../domain/SwapRequest.ts"
import { EpochMillis } from "../../../domain/Time.ts"
import type { WireChannel } from "../wire/swap.ts"
import { toDepositAddress } from "./address.ts"

const nominalLifetimeMillis = 24 * 60 * 60 * 1000

/** When a channel expires as far as its nominal lifetime tells (chainflip/wire.md 2.2); the block is exact. */
export const nominalExpiry = (createdAt: EpochMillis): EpochMillis =>
  EpochMillis.make(createdAt + nominalLifetimeMillis)

/**
 * Our own commission and the affiliates' are one list since 2.2, and two members of the channel before. Our
 * account may stand there a second time, as an affiliate of itself.
 */
const toCommissions = (wire: WireChannel, brokers: ReadonlyArray<Affiliate>, ourAccount: BrokerAccount) => {
  const ours = brokers.findIndex(({ account }) => account === ourAccount)
  return {
    brokerCommissionBps: wire.brokerCommissionBps ?? brokers[ours]?.commissionBps ?? noBps,
    affiliateBrokers: wire.affiliateBrokers ?? brokers.filter((_, index) => index !== ours),
  }
}

/** The channel's record (chainflip/wire.md 3.7); `brokers` are those of the swap. */
export const toChannelRecord = (
  wire: WireChannel,
  brokers: ReadonlyArray<Affiliate>,
  ourAccount: BrokerAccount,
): ChannelRecord => ({
  id: wire.id,
  createdAt: wire.createdAt,
  ...toCommissions(wire, brokers, ourAccount),
  depositAddress: toDepositAddress(wire.id.network, wire.depositAddress),
  sourceChainExpiryBlock: wire.srcChainExpiryBlock,
  estimatedExpiryTime: wire.estimatedExpiryTime ?? nominalExpiry(wire.createdAt),
  isExpired: wire.isExpired,
  openedThroughBackend: wire.openedThroughBackend,
  ...Struct.pick(wire, ["expectedDepositAmount"]),
})
