import { Effect } from "effect"
import { otherKey } from "#test/contract/support/accounts.ts"
import { brokerAccounts } from "#test/contract/support/addresses.ts"
import { find, type Json } from "#test/contract/support/Json.ts"
import { payload, payloadParameters, sendPayload } from "#test/contract/support/payloads.ts"
import { pass, type SwapQuery } from "#test/contract/support/swaps.ts"
import { ask } from "./ask.ts"
import { differing } from "./judge.ts"
import { operations } from "./operations.ts"
import type { Scene } from "./Scene.ts"

const changes: SwapQuery = {
  platform: "chainflip",
  sourceAsset: "usdc.eth",
  amountNative: "1000000001",
  minimumPrice: "0.01",
  affiliate1: brokerAccounts[0],
  affiliate1CommissionBps: "5",
}

/** What another account asked for: the same, but to and back to itself. */
const ofAnother: SwapQuery = {
  ...changes,
  destinationAddress: "0x4444444444444444444444444444444444444444",
  refundAddress: "0x5555555555555555555555555555555555555555",
}

/** Lets the upstream see the transaction of a payload; its hash. */
const sent = Effect.fnUntraced(function* (query: SwapQuery, key?: string) {
  const options = key === undefined ? {} : { key }
  const hash = yield* sendPayload(yield* payload("evm", query, options), {}, options)
  yield* pass(60)
  return hash
})

/**
 * A vault swap that nobody has asked after yet, while two accounts ask after its transaction: it is its owner's, on
 * the terms of the payload, or nobody's.
 */
export const vaultSwap = Effect.gen(function* () {
  const asked = payloadParameters("evm", changes)
  const terms: Json = {
    platform: "chainflip",
    status: {
      sourceAsset: `${asked.sourceAsset}`,
      destinationAsset: `${asked.destinationAsset}`,
      destinationAddress: `${asked.destinationAddress}`,
      fillOrKillParams: { refundAddress: `${asked.refundAddress}` },
      deposit: { amountNative: `${asked.amountNative}` },
    },
  }
  const paths = [
    ["platform"],
    ["status", "sourceAsset"],
    ["status", "destinationAsset"],
    ["status", "destinationAddress"],
    ["status", "depositChannel"],
  ]
  const told = [["status", "fillOrKillParams", "refundAddress"], ["status", "deposit", "amountNative"]]
  yield* sent(ofAnother, otherKey)
  let hash: string | undefined
  const scene: Scene = {
    provider: "chainflip",
    operation: operations.swap,
    name: "vault swap",
    everyNth: 19,
    prepare: Effect.gen(function* () {
      hash ??= yield* sent(changes)
    }),
    ask: Effect.fnUntraced(function* () {
      const query = { transactionHash: `${hash}` }
      const strangers = yield* ask("/status-by-transaction-hash", query, otherKey)
      const answer = yield* ask("/status-by-transaction-hash", query)
      if (answer.status === 200) hash = undefined
      const isTold = told.filter((path) => find(answer.body, ...path) !== undefined)
      return {
        answers: [answer, strangers],
        faults: [
          ...(strangers.status === 200 ? [`another account sees ${strangers.text}`] : []),
          ...(answer.status === 200 ? differing(terms, answer.body, [...paths, ...isTold]) : []),
        ],
      }
    }),
  }
  return scene
})
