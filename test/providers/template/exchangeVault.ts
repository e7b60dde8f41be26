import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { outputAt } from "../../../src/domain/Price.ts"
import type { QuoteRequest } from "../../../src/domain/Quote.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import type { WireRecord } from "../../support/memoryProvider/MemoryUpstream.ts"
import { digits, type Reply, writeProgress } from "./exchangeWire.ts"

/** The exchange's vault: calls that say themselves what is to be swapped. */
const vault = "0x5555555555555555555555555555555555555555"

/** The answer of `POST /v1/payloads`: what was asked for stands in the call as it is. */
export const writePayload = (body: string, amount: bigint): Reply => ({
  status: 200,
  body: { to: vault, data: `0x${bytesToHex(utf8ToBytes(body))}`, value: digits(amount) },
})

/** What a call was made from. */
export const readCalldata = (calldata: string): string =>
  new TextDecoder().decode(hexToBytes(calldata.slice(2)))

/** The answer of `GET /v1/transactions/{hash}`. */
export const writeVaultSwap = (
  transaction: string,
  record: WireRecord,
  request: SwapRequest & QuoteRequest,
): Reply => {
  const progress = writeProgress(record)
  return {
    status: 200,
    body: {
      ...progress,
      deposit: progress.deposit === null ? null : { ...progress.deposit, hash: transaction },
      refundTo: request.refundAddress,
      retryBlocks: request.retryDurationBlocks,
      amount: digits(request.amount),
      minimumOut: digits(
        outputAt(request.minimumPrice, request.amount, request.sourceAsset, request.destinationAsset),
      ),
      commission: { account: "exchange-us", bps: request.commissionBps },
    },
  }
}
