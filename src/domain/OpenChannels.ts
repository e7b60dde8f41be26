import { Schema } from "effect"

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
