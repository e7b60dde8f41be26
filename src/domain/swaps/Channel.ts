import { Schema } from "effect"
import { Address } from "../chains/Address.ts"
import { NativeAmount } from "../money/Amount.ts"
import { Chain } from "../chains/Chain.ts"

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

/** The limits of a deposit to a channel, in native units of the source asset, as far as the upstream tells them. */
export interface DepositLimits {
  /** A smaller deposit is not swapped, and may be lost. */
  readonly minimum?: NativeAmount
  /** The most that is swapped at once. */
  readonly maximum?: NativeAmount
}

/** A provider's answer after it opened a channel. */
export const DepositChannel = Schema.Struct({
  id: ChannelId,
  depositAddress: Address,
  /** The block of the source chain at which the channel expires. */
  sourceExpiryBlock: Schema.Int,
  /** The fee for opening the channel, in native units of `flip.eth`. */
  openingFee: NativeAmount,
  explorerUrl: Schema.String,
  /** The upstream's own name of the channel, by which it is looked up where the address is not enough. */
  reference: Schema.optionalKey(Schema.NonEmptyString),
  /** The memo that the transaction of a deposit has to carry; without it the deposit is lost. */
  memo: Schema.optionalKey(Schema.NonEmptyString),
  /** The only amount that counts as a deposit to this channel, as other channels share its address. */
  exactAmount: Schema.optionalKey(NativeAmount),
})
export type DepositChannel = typeof DepositChannel.Type

/** The fate of a deposit after its channel's expiry; `untold` where the upstream does not tell. */
export const LateDeposit = Schema.Literals(["swapped", "refunded", "lost", "untold"])
export type LateDeposit = typeof LateDeposit.Type

/**
 * The account has as many open channels as it may have (setting `OPEN_CHANNELS_MOST`). Code `too_many_channels`.
 *
 * A channel is open from the moment before a provider is asked for it. It is no longer open once its swap has completed
 * or failed, it has expired without a deposit (though its status is still asked for), or its provider has reported
 * nothing new for so long that the swap is no longer followed. A later deposit to the channel of an ended swap opens it
 * again. Openings with an unknown outcome are not counted, because no provider would ever report that such a channel
 * has expired; neither are vault swaps, which have no channel.
 */
export class TooManyOpenChannels extends Schema.TaggedError<TooManyOpenChannels>()("TooManyOpenChannels", {
  most: Schema.Int,
}) {
  override get message(): string {
    return `This account has ${this.most} deposit channels open, the maximum. Wait until one expires or its swap ` +
      "ends"
  }
}
