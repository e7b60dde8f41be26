import { Schema } from "effect"

/** What a Chainflip network said of swaps, to be said again of any number of them. */
export const SwapBodies = Schema.Struct({
  /** Before the number of a channel, as in `14000000-Ethereum-`. */
  channelPrefix: Schema.String,
  /** Bodies of `GET /v2/swaps/:id` by state; each names a channel with that prefix. */
  waiting: Schema.String,
  receiving: Schema.String,
  swapping: Schema.String,
})
export type SwapBodies = typeof SwapBodies.Type

/** Which channels are asked about: the first ones wait, those after them move. */
export const Crowd = Schema.Struct({
  firstChannel: Schema.Int,
  waiting: Schema.Int,
  moving: Schema.Int,
})
export type Crowd = typeof Crowd.Type

/** What the network noticed of being asked since it was last told to count from nothing. */
export const Asked = Schema.Struct({
  seconds: Schema.Finite,
  lookups: Schema.Int,
  /** Swaps that were asked about at least once since the network began. */
  swaps: Schema.Int,
  /** Milliseconds after it was due that a swap was asked about again, or has not been until now. */
  lag: Schema.Struct({ p50: Schema.Finite, p99: Schema.Finite, max: Schema.Finite }),
})
export type Asked = typeof Asked.Type
