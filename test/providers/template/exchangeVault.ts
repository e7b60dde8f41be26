import { unitsOf } from "#domain/quotes/ExactOutput.ts"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { outputAt, type QuoteRequest, type SwapRequest } from "#exports/domain.ts"
import type { Offer } from "#test/support/memoryProvider/offers.ts"
import type { WireRecord } from "#test/support/memoryProvider/MemoryUpstream.ts"
import { digits, type Reply, writeProgress, writeSeconds } from "./exchangeWire.ts"

/** The exchange's vault: calls that say themselves what is to be swapped. */
const vault = "0x5555555555555555555555555555555555555555"

/** What the exchange knows a call by again. */
const memoOf = (calldata: string): string => bytesToHex(sha256(hexToBytes(calldata.slice(2))))

const lifetimeMillis = 600_000

/** The answer of `POST /v1/payloads`: what was asked for stands in the call as it is. */
export const writePayload = (body: string, { minimumDeposit, quote }: Offer, now: number): Reply => {
  const data = `0x${bytesToHex(utf8ToBytes(body))}`
  return {
    status: 200,
    body: {
      to: vault,
      data,
      value: digits(quote.ingress.amount),
      memo: memoOf(data),
      expiresAt: now + lifetimeMillis,
      minimum: digits(minimumDeposit),
      seconds: writeSeconds(quote),
    },
  }
}

/** A call that somebody made, and what it was made from. */
export interface SentCall {
  readonly calldata: string
  readonly request: SwapRequest & QuoteRequest
}

/** What a call was made from. */
export const readCalldata = (calldata: string): string =>
  new TextDecoder().decode(hexToBytes(calldata.slice(2)))

/** The answer of `GET /v1/transactions/{hash}`. */
export const writeVaultSwap = (
  transaction: string,
  record: WireRecord,
  { calldata, request }: SentCall,
): Reply => {
  const progress = writeProgress(record)
  return {
    status: 200,
    body: {
      ...progress,
      deposit: progress.deposit === null ? null : { ...progress.deposit, hash: transaction },
      memo: memoOf(calldata),
      refundTo: request.refundAddress,
      retryBlocks: request.retryDurationBlocks,
      amount: digits(unitsOf(request.amount)),
      minimumOut: digits(
        outputAt(
          request.minimumPrice,
          unitsOf(request.amount),
          request.sourceAsset,
          request.destinationAsset,
        ),
      ),
      commission: { account: "exchange-us", bps: request.commissionBps },
    },
  }
}
