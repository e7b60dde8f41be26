import { Schema } from "effect"

/** How a swap is spread over time (DCA). */
export const DcaParameters = Schema.Struct({
  /** At least 2: a single chunk is a regular swap (decision 6). */
  numberOfChunks: Schema.Int,
  /** State-chain blocks between chunks. */
  chunkIntervalBlocks: Schema.Int,
})
export type DcaParameters = typeof DcaParameters.Type
