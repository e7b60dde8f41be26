import { storableText } from "#domain/storable.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"

const hexHash = /^(?:0x[0-9a-f]*|[0-9a-f]{64})$/i

/** A reference as stored and compared: hex without case and `0x` (bare with 64 digits), else exact. */
export const normaliseReference = (reference: string): string =>
  hexHash.test(reference) ? reference.toLowerCase().replace(/^0x/, "") : storableText(reference)

/** The longest reference of any chain; an index takes no text of thousands of characters. */
const longestReference = 200

/** The references that a swap is found by, one for each transaction of its deposit, as they are stored. */
export const findableReferences = ({ deposit }: SwapStatus): ReadonlyArray<string> => {
  const { otherTransactionReferences = [], transactionReference } = deposit ?? {}
  const references = [transactionReference, ...otherTransactionReferences]
    .flatMap((reference) => reference === undefined || reference.length > longestReference ? [] : [reference])
  return [...new Set(references.map(normaliseReference))]
}
