import { isList, isObject, type Json } from "#test/contract/support/Json.ts"

/** The members in which upstreams name the transactions of their payments. */
const payments: ReadonlyArray<string> = ["destinationChainTxHashes", "outTxs", "txHashes", "out_txs"]

/** Sixteen hexadecimal digits that differ from text to text. */
const digitsOf = (text: string): string => {
  let hash = 0xcbf29ce484222325n
  for (const unit of new TextEncoder().encode(text)) {
    hash = ((hash ^ BigInt(unit)) * 0x100000001b3n) & (2n ** 64n - 1n)
  }
  return hash.toString(16).padStart(16, "0")
}

const renamed = (json: Json, digits: string): Json => {
  if (isList(json)) return json.map((one) => renamed(one, digits))
  if (isObject(json)) {
    return Object.fromEntries(Object.entries(json).map(([name, one]) => [name, renamed(one, digits)]))
  }
  // The operator's share has a hash of zeros.
  return typeof json !== "string" ? json : json.replace(
    /(?<![0-9a-f])(?!0{64})([0-9a-f]{48})[0-9a-f]{16}(?![0-9a-f])/gi,
    (_, start) => `${start}${start === start.toUpperCase() ? digits.toUpperCase() : digits}`,
  )
}

/** What is told of a swap, with transactions of its own: one payment is not the end of two swaps. */
export const withOwnPayments = (told: Json, swap: string): Json => {
  if (isList(told)) return told.map((one) => withOwnPayments(one, swap))
  if (!isObject(told)) return told
  return Object.fromEntries(
    Object.entries(told).map(([name, one]) => [
      name,
      payments.includes(name) ? renamed(one, digitsOf(swap)) : withOwnPayments(one, swap),
    ]),
  )
}
