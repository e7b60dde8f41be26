import { isInEitherCase } from "#domain/chains/address/accountBytes.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts } from "#domain/chains/Chain.ts"
import type { DcaParameters } from "#domain/swaps/SwapRequest.ts"
import { optionalMembers } from "#infrastructure/platform/optionalMembers.ts"
import { assetInMemo, type Family, memoNames } from "./networks.ts"

/** Who shares in a swap, and how much, in basis points. */
interface Share {
  readonly affiliate: string
  readonly bps: number
}

/** What a memo asks the network for (thorchain/wire.md 3). */
export interface MemoTerms {
  readonly destinationAsset: AssetId
  readonly destination: string
  /** Absent: what is not swapped goes back to whoever sent it. */
  readonly refundAddress?: string
  /** The least output, in the network's units; 0 takes any. */
  readonly limit: bigint
  readonly dca?: DcaParameters
  readonly share?: Share
}

/** What has room for a memo, in bytes: a null-data output, and the network itself. */
export const mostMemoBytes = (source: Chain): number =>
  chainFacts(source).family._tag === "bitcoin" ? 80 : 250

const bytesIn = (text: string): number => new TextEncoder().encode(text).length

const limitText = ({ dca, limit }: MemoTerms): string =>
  dca === undefined ? `${limit}` : `${limit}/${dca.chunkIntervalBlocks}/${dca.numberOfChunks}`

/** An address as nodes know it: small letters where case says nothing, no Bitcoin Cash prefix (its colon ends it). */
export const inMemo = (chain: Chain, address: string): string =>
  chainFacts(chain).family._tag === "bitcoin" && isInEitherCase(chain, address)
    ? address.toLowerCase().slice(address.indexOf(":") + 1)
    : address

const memoText = (name: string, terms: MemoTerms): string => {
  const { destination, destinationAsset, refundAddress, share } = terms
  const to = inMemo(chainOf(destinationAsset), destination)
  return [
    "=",
    name,
    refundAddress === undefined ? to : `${to}/${refundAddress}`,
    limitText(terms),
    ...(share === undefined ? [] : [share.affiliate, `${share.bps}`]),
  ].join(":")
}

/** A memo, or how many bytes the shortest has where there is no room for it. */
export type WrittenMemo = { readonly memo: string } | { readonly tooLong: number }

/** The clearest memo that has room. The refund address goes before a long asset name; nothing else is left out. */
export const writeMemo = (family: Family, source: Chain, terms: MemoTerms): WrittenMemo => {
  const { refundAddress, ...withoutRefund } = terms
  const names = memoNames(family, terms.destinationAsset)
  const withRefund = {
    ...withoutRefund,
    ...optionalMembers(refundAddress, (address) => ({ refundAddress: inMemo(source, address) })),
  }
  const all = [withRefund, withoutRefund].flatMap((terms) => names.map((name) => memoText(name, terms)))
  const memo = all.find((text) => bytesIn(text) <= mostMemoBytes(source))
  return memo === undefined ? { tooLong: Math.min(...all.map(bytesIn)) } : { memo }
}

/** Others leave the number of chunks to the network, with a 0. */
const leastChunks = 2

const form =
  /^=:([^:]+):([^:/]+)(?:\/([^:/]+))?:([0-9]{1,39})(?:\/([0-9]{1,5})\/([0-9]{1,5}))?(?::([^:/]+):([0-9]{1,4}))?$/

/** What a memo of ours asks for. A memo that we would have written differently is another program's. */
export const readMemo = (family: Family, memo: string): MemoTerms | undefined => {
  const [, name = "", destination = "", refundAddress, limit = "", interval, quantity, affiliate, bps] =
    form.exec(memo) ?? []
  const destinationAsset = assetInMemo(family, name)
  if (destinationAsset === undefined) return undefined
  const terms: MemoTerms = {
    destinationAsset,
    destination,
    ...optionalMembers(refundAddress, (refundAddress) => ({ refundAddress })),
    limit: BigInt(limit),
    ...(interval === undefined || quantity === undefined
      ? {}
      : { dca: { numberOfChunks: Number(quantity), chunkIntervalBlocks: Number(interval) } }),
    ...(affiliate === undefined || bps === undefined ? {} : { share: { affiliate, bps: Number(bps) } }),
  }
  const isSpread = terms.dca === undefined || terms.dca.numberOfChunks >= leastChunks
  return isSpread && memoText(name, terms) === memo ? terms : undefined
}
