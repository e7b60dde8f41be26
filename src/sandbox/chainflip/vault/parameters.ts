import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { base58, createBase58check } from "@scure/base"
import { Result } from "effect"
import * as P from "micro-packed"
import { accountBytes } from "#domain/chains/address/accountBytes.ts"
import { decodeSs58, encodeSs58 } from "#domain/chains/address/Ss58.ts"
import { type AssetId, chainOf } from "#domain/chains/Asset.ts"
import { type Chain, chainFacts, type FamilyName } from "#domain/chains/Chain.ts"
import { addressLength, assetOfNumber, chainNumber } from "#domain/chains/payload/contractNumbers.ts"
import * as Scale from "#domain/chains/payload/scale.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { brokerAccount } from "../../engine/figures.ts"
import type { Affiliate } from "../../engine/State.ts"

export type Destination = Pick<RequestedSwap, "destinationAsset" | "destinationAddress">

const base58check = createBase58check(sha256)
const polkadotPrefix = 0

const writers: Readonly<Record<FamilyName, (bytes: Uint8Array) => string>> = {
  bitcoin: (bytes) => new TextDecoder().decode(bytes),
  evm: (bytes) => `0x${bytesToHex(bytes)}`,
  solana: (bytes) => base58.encode(bytes),
  tron: (bytes) => base58check.encode(concatBytes(Uint8Array.of(0x41), bytes)),
  substrate: (bytes) => encodeSs58(polkadotPrefix, bytes),
  // Chainflip pays to no account there.
  xrpl: bytesToHex,
}

export const addressBytes = (chain: Chain, address: string): Uint8Array =>
  Result.getOrThrow(accountBytes(chain, address))

export const addressText = (chain: Chain, bytes: Uint8Array): Result.Result<string, string> => {
  const length = addressLength(chain)
  return length === undefined || bytes.length === length
    ? Result.succeed(writers[chainFacts(chain).family._tag](bytes))
    : Result.fail(`an address of ${chain} has ${length} bytes, not ${bytes.length}`)
}

/** The destination with this asset and the bytes of its address. */
export const destinationOf = (
  destinationAsset: AssetId,
  bytes: Uint8Array,
): Result.Result<Destination, string> =>
  Result.map(addressText(chainOf(destinationAsset), bytes), (destinationAddress) => ({
    destinationAsset,
    destinationAddress,
  }))

/** The destination with the number of its asset, the bytes of its address and the number of its chain. */
export const readDestination = (
  number: number,
  bytes: Uint8Array,
  chain: number,
): Result.Result<Destination, string> => {
  const destinationAsset: AssetId | undefined = assetOfNumber(number)
  if (destinationAsset === undefined) return Result.fail(`there is no asset of the number ${number}`)
  return chain === chainNumber(chainOf(destinationAsset))
    ? destinationOf(destinationAsset, bytes)
    : Result.fail("its destination asset and chain do not belong together")
}

/** Everything in a swap except its assets, amount and message, as all payloads but Bitcoin's encode it. */
type Parameters = Pick<
  RequestedSwap,
  "brokerCommissionBps" | "boostFeeBps" | "affiliates" | "refund" | "dca"
>

const version = 1

const brokerKey: Uint8Array = Result.getOrThrow(decodeSs58(brokerAccount)).publicKey

const coder = (refundAddressLength: number, withMessageData: boolean) =>
  P.struct({
    version: P.U8,
    // Only messages to Solana have further data, and the sandbox makes none.
    messageData: withMessageData ? Scale.bytes : P.bytes(0),
    retryDuration: P.U32LE,
    refundAddress: P.bytes(refundAddressLength),
    minimumPriceX128: P.U256LE,
    // A message to the refund address, which the sandbox refuses.
    refundMessage: Scale.option(P.bytes(0)),
    maximumOraclePriceSlippage: Scale.option(P.U8),
    dca: Scale.option(P.struct({ numberOfChunks: P.U32LE, chunkInterval: P.U32LE })),
    boostFee: P.U8,
    broker: P.struct({ account: P.bytes(brokerKey.length), bps: P.U16LE }),
    affiliates: Scale.list(P.struct({ shortId: P.U8, bps: P.U8 })),
  })

const coderFor = (
  source: Chain,
  { destinationAsset, ccm }: Pick<RequestedSwap, "destinationAsset" | "ccm">,
) => coder(addressLength(source) ?? 0, ccm !== undefined && chainOf(destinationAsset) === "Solana")

/** The parameters of a request, in bytes; its accounts must be registered. */
export const encodeParameters = (request: RequestedSwap, registered: ReadonlyArray<Affiliate>) => {
  const source = chainOf(request.sourceAsset)
  const { refund, dca } = request
  return coderFor(source, request).encode({
    version,
    messageData: new Uint8Array(),
    retryDuration: refund.retryDurationBlocks,
    refundAddress: addressBytes(source, refund.refundAddress),
    minimumPriceX128: refund.minimumPriceX128,
    refundMessage: undefined,
    maximumOraclePriceSlippage: refund.maximumOraclePriceSlippageBps,
    dca: dca === undefined
      ? undefined
      : { numberOfChunks: dca.numberOfChunks, chunkInterval: dca.chunkIntervalBlocks },
    boostFee: request.boostFeeBps,
    broker: { account: brokerKey, bps: request.brokerCommissionBps },
    affiliates: writeAffiliates(request.affiliates, registered),
  })
}

const isOurs = (account: Uint8Array): boolean => account.every((byte, index) => byte === brokerKey[index])

/** The parameters in the bytes of a transaction on `source`, or why they cannot be read. */
export const decodeParameters = (
  source: Chain,
  about: Pick<RequestedSwap, "destinationAsset" | "ccm">,
  bytes: Uint8Array,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<Parameters, string> =>
  Result.gen(function* () {
    const read = yield* Result.try({
      try: () => coderFor(source, about).decode(bytes),
      catch: () => "its parameters cannot be read",
    })
    if (read.version !== version) return yield* Result.fail(`its parameters have version ${read.version}`)
    if (!isOurs(read.broker.account)) return yield* Result.fail("it is another broker's")
    const { dca, maximumOraclePriceSlippage: oracle } = read
    return {
      brokerCommissionBps: read.broker.bps,
      boostFeeBps: read.boostFee,
      affiliates: yield* readAffiliates(read.affiliates, registered),
      refund: {
        retryDurationBlocks: read.retryDuration,
        refundAddress: yield* addressText(source, read.refundAddress),
        minimumPriceX128: read.minimumPriceX128,
        ...(oracle === undefined ? {} : { maximumOraclePriceSlippageBps: oracle }),
      },
      ...(dca === undefined
        ? {}
        : { dca: { numberOfChunks: dca.numberOfChunks, chunkIntervalBlocks: dca.chunkInterval } }),
    }
  })

type Affiliates = RequestedSwap["affiliates"]

/** An affiliate in a payload: a byte for its account with the broker, and a byte for its share. */
interface CodedAffiliate {
  readonly shortId: number
  readonly bps: number
}

/** Affiliates by their short ids; all of them are registered before a payload is made. */
export const writeAffiliates = (affiliates: Affiliates, registered: ReadonlyArray<Affiliate>) =>
  affiliates.map(({ account, commissionBps }) => ({
    shortId: registered.find((affiliate) => affiliate.account === account)?.shortId ?? -1,
    bps: commissionBps,
  }))

export const readAffiliates = (
  coded: ReadonlyArray<CodedAffiliate>,
  registered: ReadonlyArray<Affiliate>,
): Result.Result<Affiliates, string> =>
  Result.all(coded.map(({ bps, shortId }) => {
    const affiliate = registered.find((one) => one.shortId === shortId)
    return affiliate === undefined
      ? Result.fail(`the broker has no affiliate ${shortId}`)
      : Result.succeed({ account: affiliate.account, commissionBps: bps })
  }))
