import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses, addressFor } from "./addresses.ts"
import { call, get, type Options, type Query } from "./call.ts"
import { type Json, textAt } from "./Json.ts"
import type { SwapQuery } from "./swaps.ts"

/** The last part of `/tx-payload/…`. */
export const payloadKinds = ["bitcoin", "evm", "solana", "tron"] as const
export type PayloadKind = (typeof payloadKinds)[number]

export const pathOf = (kind: PayloadKind): string => `/tx-payload/${kind}`

/** What each kind starts from where a test does not say, and how much that it would swap. */
const starts: Readonly<Record<PayloadKind, SwapQuery>> = {
  bitcoin: { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amountNative: "10000000" },
  evm: { sourceAsset: "eth.eth", destinationAsset: "usdc.arb", amountNative: "1000000000000000001" },
  solana: { sourceAsset: "sol.sol", destinationAsset: "usdc.arb", amountNative: "10000000001" },
  tron: { sourceAsset: "trx.tron", destinationAsset: "usdc.arb", amountNative: "1000000001" },
}

/** What a payload needs at least, but for what `changes` say. */
export const payloadParameters = (kind: PayloadKind, changes: SwapQuery = {}): SwapQuery => {
  const { amount } = changes
  const { amountNative = "", ...pair } = starts[kind]
  const { destinationAsset = "", sourceAsset = "" } = { ...pair, ...changes }
  return {
    ...pair,
    ...(amount === undefined ? { amountNative } : {}),
    refundAddress: addressFor(sourceAsset),
    destinationAddress: addressFor(destinationAsset),
    ...(kind === "solana" ? { sourceAddress: addresses.sol } : {}),
    ...changes,
  }
}

/** Where the parameters can stand; all ways mean the same (decision 4). */
export const payloadWays = {
  GET: (kind: PayloadKind, query: Query) => call("GET", pathOf(kind), { query }),
  "POST with a query": (kind: PayloadKind, query: Query) => call("POST", pathOf(kind), { query }),
  "POST with a body": (kind: PayloadKind, query: Query) =>
    call("POST", pathOf(kind), { body: Object.fromEntries(Object.entries(query)) }),
}

/** A payload: the answer of `/tx-payload/…`. */
export const payload = (kind: PayloadKind, changes: SwapQuery = {}, options: Options = {}) =>
  get(pathOf(kind), payloadParameters(kind, changes), options)

/** Sends the transaction that a payload asks for; its hash. */
export const sendPayload = (
  sent: Json,
  more: Readonly<Record<string, unknown>> = {},
  options: Options = {},
) =>
  Effect.map(
    call("POST", "/sandbox/vault-swaps", { ...options, body: { payload: sent, ...more } }),
    ({ body, status, text }) => {
      assert.strictEqual(status, 202, text)
      return textAt(body, "transactionHash")
    },
  )

/** The record of a swap by its transaction. */
export const recordByHash = (transactionHash: string, options: Options = {}) =>
  get("/status-by-transaction-hash", { transactionHash }, options)
