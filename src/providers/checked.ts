import { Effect } from "effect"
import { accountText } from "../domain/address/accountText.ts"
import { chainOf } from "../domain/Asset.ts"
import { MalformedBody, ProviderError } from "../domain/ProviderError.ts"
import type { SwapRequest } from "../domain/SwapRequest.ts"
import { quoteFault } from "./quoteFault.ts"
import { type OpenedChannel, plain, type Provider } from "./Provider.ts"

/**
 * What is wrong with a channel that an upstream has opened, whichever that is. Money that is sent to one of the
 * caller's own addresses is not swapped, and to a channel that has expired is lost.
 */
export const channelFault = (
  { destinationAddress, destinationAsset, refundAddress, sourceAsset }: SwapRequest,
  { channel, status }: OpenedChannel,
): string | undefined => {
  const source = chainOf(sourceAsset)
  const deposit = accountText(source, channel.depositAddress)
  if (deposit === accountText(source, refundAddress)) return "The deposit address is the refund address"
  if (deposit === accountText(chainOf(destinationAsset), destinationAddress)) {
    return "The deposit address is the destination address"
  }
  if (channel.id.network !== source) return `The channel is on ${channel.id.network}, not on ${source}`
  if (channel.sourceExpiryBlock <= 0) return "The channel has no block at which it expires"
  const record = status.depositChannel
  return record !== undefined && record.estimatedExpiryTime <= record.createdAt
    ? "The channel has expired already"
    : undefined
}

const malformed = (
  { name }: Provider,
  operation: ProviderError["operation"],
  detail: string,
): ProviderError =>
  new ProviderError({ provider: name, operation, reason: new MalformedBody({ detail, reached: true }) })

/**
 * The provider with its answers compared with what was asked: none is handed on that no honest upstream gives.
 * What only the wire can tell is the provider's own to check.
 */
export const checked = (provider: Provider): Provider => ({
  ...plain(provider),
  quotes: (request) =>
    Effect.flatMap(provider.quotes(request), (quotes) => {
      const fault = quotes.map((quote) => quoteFault(request, quote)).find((fault) => fault !== undefined)
      return fault === undefined ? Effect.succeed(quotes) : Effect.fail(malformed(provider, "quote", fault))
    }),
  open: (request) =>
    Effect.flatMap(provider.open(request), (opened) => {
      const fault = channelFault(request, opened)
      if (fault === undefined) return Effect.succeed(opened)
      return Effect.andThen(
        Effect.logError(`A channel is not handed out. ${fault}`).pipe(
          Effect.annotateLogs({ platform: provider.name }),
        ),
        Effect.fail(malformed(provider, "open", fault)),
      )
    }),
})
