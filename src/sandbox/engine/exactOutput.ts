/** The least input that is enough, up to `most`; undefined where that is not. More of it is never too little. */
export const leastInput = (isEnough: (input: bigint) => boolean, most: bigint): bigint | undefined => {
  if (!isEnough(most)) return undefined
  let [tooLittle, enough] = [0n, most]
  while (enough - tooLittle > 1n) {
    const middle = (tooLittle + enough) / 2n
    if (isEnough(middle)) enough = middle
    else tooLittle = middle
  }
  return enough
}

/** A little less than an output: the part of one that was seen in place of what was asked for. */
export const lessOf = (output: bigint): bigint => output * 999_956n / 1_000_000n
