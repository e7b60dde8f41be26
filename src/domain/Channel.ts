import { Schema } from "effect"
import { Address } from "./Address.ts"
import { NativeAmount } from "./Amount.ts"
import { Chain } from "./Chain.ts"

/** The coordinates that identify a deposit channel. */
export const ChannelId = Schema.Struct({
  /** State-chain block in which the channel was opened. */
  issuedBlock: Schema.Int,
  /** The source chain. */
  network: Chain,
  channelId: Schema.Int,
})
export type ChannelId = typeof ChannelId.Type

/** `<issued_block>-<network>-<channel_id>` (decision 32). */
export const formatChannelId = (id: ChannelId): string => `${id.issuedBlock}-${id.network}-${id.channelId}`

/** What a deposit to a channel has to come to, in native units of the source asset, as far as the upstream says. */
export interface DepositLimits {
  /** What is less is not swapped, and may be lost. */
  readonly minimum?: NativeAmount
  /** The most that is swapped at once. */
  readonly maximum?: NativeAmount
}

/** What a provider answers when it has opened a channel. */
export const DepositChannel = Schema.Struct({
  id: ChannelId,
  depositAddress: Address,
  /** Block on the source chain at which the channel expires. */
  sourceExpiryBlock: Schema.Int,
  /** Fee for opening it, in native units of `flip.eth`. */
  openingFee: NativeAmount,
  explorerUrl: Schema.String,
})
export type DepositChannel = typeof DepositChannel.Type

/**
 * The account has as many open channels as it may (setting `OPEN_CHANNELS_MOST`). Code `too_many_channels`.
 *
 * A channel is open from the moment before a provider is asked for it, until its swap has completed or failed,
 * it has expired without a deposit (though it is asked for still), or its provider has said nothing new of it for
 * so long that it is no longer followed. A later deposit to the channel of a swap that had ended opens it again. Not counted are openings
 * with an unknown outcome, because nobody would ever say that such a channel has expired, and vault swaps, which
 * have none.
 */
export class TooManyOpenChannels extends Schema.TaggedError<TooManyOpenChannels>()("TooManyOpenChannels", {
  most: Schema.Int,
}) {
  override get message(): string {
    return `This account has ${this.most} deposit channels open, which is as many as it may have; there is room ` +
      "again when one expires or its swap ends"
  }
}
