import type { coins } from "./yearOfSwaps.ts"

export type Coin = keyof typeof coins

/** Swaps in states that nobody wants, and some that everybody does: what their pages are looked at with. */
export interface Story {
  readonly account: string
  readonly pair: readonly [from: Coin, to: Coin]
  readonly amount: number
  /** The states of the swap, each with the minutes ago at which it began. */
  readonly steps: ReadonlyArray<readonly [minutesAgo: number, kind: Kind]>
  readonly stalled?: number
  /** When the provider told of an end that contradicts the record. */
  readonly disputed?: number
}

export type Kind =
  | "waiting"
  | "expired"
  | "receiving"
  | "swapping"
  | "dca"
  | "sending"
  | "completed"
  | "refunding"
  | "refundedForPrice"
  | "partlyRefunded"
  | "tooSmall"

export const stories = {
  receiving: {
    account: "harbor-pay",
    pair: ["btc.btc", "usdc.eth"],
    amount: 0.042,
    steps: [[14, "waiting"], [6, "receiving"]],
  },
  completed: {
    account: "harbor-pay",
    pair: ["btc.btc", "eth.eth"],
    amount: 0.25,
    steps: [[190, "waiting"], [176, "receiving"], [158, "swapping"], [157, "sending"], [155, "completed"]],
  },
  refundedForPrice: {
    account: "harbor-pay",
    pair: ["eth.eth", "btc.btc"],
    amount: 3.4,
    steps: [[140, "waiting"], [131, "receiving"], [128, "swapping"], [112, "refunding"], [
      109,
      "refundedForPrice",
    ]],
  },
  partlyRefunded: {
    account: "kite-bot",
    pair: ["sol.sol", "usdc.eth"],
    amount: 120,
    steps: [[220, "waiting"], [214, "receiving"], [213, "dca"], [172, "partlyRefunded"]],
  },
  failed: {
    account: "harbor-pay",
    pair: ["btc.btc", "usdc.eth"],
    amount: 0.0004,
    steps: [[95, "waiting"], [84, "receiving"], [66, "tooSmall"]],
  },
  expired: {
    account: "harbor-pay",
    pair: ["btc.btc", "eth.eth"],
    amount: 0.08,
    steps: [[1_500, "waiting"], [60, "expired"]],
  },
  depositStalled: {
    account: "northpass",
    pair: ["btc.btc", "eth.eth"],
    amount: 0.61,
    steps: [[160, "waiting"], [148, "receiving"]],
    stalled: 48,
  },
  swapStalled: {
    account: "kite-bot",
    pair: ["eth.eth", "btc.btc"],
    amount: 5.2,
    steps: [[66, "waiting"], [61, "receiving"], [58, "swapping"]],
    stalled: 38,
  },
  payoutStalled: {
    account: "acme-wallet",
    pair: ["btc.btc", "usdc.eth"],
    amount: 0.25,
    steps: [[70, "waiting"], [64, "receiving"], [27, "swapping"], [26, "sending"]],
    stalled: 6,
  },
  refundStalled: {
    account: "harbor-pay",
    pair: ["sol.sol", "usdc.eth"],
    amount: 42,
    steps: [[130, "waiting"], [127, "receiving"], [126, "swapping"], [96, "refunding"]],
    stalled: 56,
  },
  disputed: {
    account: "acme-wallet",
    pair: ["btc.btc", "eth.eth"],
    amount: 0.5,
    steps: [[88, "waiting"], [80, "receiving"], [41, "swapping"]],
    disputed: 12,
  },
} as const satisfies Readonly<Record<string, Story>>

export type ShownSwap = keyof typeof stories
