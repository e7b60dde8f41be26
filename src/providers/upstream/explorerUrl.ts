import type { Address } from "../../domain/Address.ts"
import type { ChannelId } from "../../domain/Channel.ts"

/**
 * A link to a channel: the operator's template with `{issuedBlock}`, `{network}`, `{channelId}` and
 * `{depositAddress}` filled in (decision 26).
 */
export const toExplorerUrl = (
  template: string,
  { issuedBlock, network, channelId }: ChannelId,
  depositAddress: Address,
): string =>
  template
    .replaceAll("{issuedBlock}", `${issuedBlock}`)
    .replaceAll("{network}", network)
    .replaceAll("{channelId}", `${channelId}`)
    .replaceAll("{depositAddress}", depositAddress)
