import { Result } from "effect"
import * as P from "micro-packed"
import { decodeSs58 } from "#domain/chains/address/Ss58.ts"
import { chainOf } from "#domain/chains/Asset.ts"
import type { Chain } from "#domain/chains/Chain.ts"
import { addressLength } from "#domain/chains/payload/contractNumbers.ts"
import * as Scale from "#domain/chains/payload/scale.ts"
import type { RequestedSwap } from "../../engine/Command.ts"
import { brokerAccount } from "../../engine/figures.ts"
import { addressBytes, addressText } from "./destination.ts"
import type { Affiliate } from "../../engine/State.ts"

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
