import { Effect } from "effect"
import { otherKey } from "../../contract/support/accounts.ts"
import { addressFor, brokerAccounts } from "../../contract/support/addresses.ts"
import { find, type Json, numberAt, parseJson, textAt } from "../../contract/support/Json.ts"
import { deposit, openSwap, recordOf, type SwapQuery } from "../../contract/support/swaps.ts"
import { Relay } from "./Relay.ts"

/** A swap that was opened while nobody tampered: what `/swap` answered, and its record then. */
export interface Opened {
  readonly swap: Json
  readonly record: Json
}

const nativeAmount = "2000000000000000000"

/** Ways to swap, each with terms of every kind. */
export const wishes = {
  chainflip: {
    platform: "chainflip",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.arb",
    refundAddress: addressFor("eth.eth"),
    minimumPrice: "0.01",
    commissionBps: "12",
    affiliate1: brokerAccounts[0],
    affiliate1CommissionBps: "5",
  },
  chunks: {
    platform: "chainflip",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.arb",
    refundAddress: addressFor("eth.eth"),
    minimumPrice: "0.01",
    numberOfChunks: "3",
    chunkIntervalBlocks: "5",
  },
  refunded: {
    platform: "chainflip",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.arb",
    refundAddress: addressFor("eth.eth"),
    minimumPrice: "900000",
    retryDurationInBlocks: "0",
  },
  boosted: { platform: "chainflip", sourceAsset: "btc.btc", destinationAsset: "eth.eth", boostFee: "30" },
  nearIntents: {
    platform: "near-intents",
    sourceAsset: "eth.eth",
    destinationAsset: "usdc.arb",
    refundAddress: addressFor("eth.eth"),
    minimumPrice: "0.01",
    amountNative: nativeAmount,
  },
} satisfies Readonly<Record<string, SwapQuery>>

const fetched = (url: URL, init: RequestInit = {}) =>
  Effect.promise((signal) => fetch(url, { signal, ...init }).then((answer) => answer.text()))

/** The upstream's own word for how a swap stands, asked past the service. */
const standing = Effect.fnUntraced(function* ({ swap, record }: Opened) {
  const { upstreams } = yield* Relay
  const path = textAt(record, "platform") === "chainflip"
    ? `/chainflip/backend/v2/swaps/${numberAt(swap, "issuedBlock")}-${textAt(swap, "network")}-${
      numberAt(swap, "channelId")
    }`
    : `/near-intents/v0/status?depositAddress=${textAt(swap, "address")}`
  return parseJson(yield* fetched(new URL(path, upstreams)))
})

const stateOf = (standing: Json): Json | undefined => find(standing, "state") ?? find(standing, "status")

/** Opens a channel while nobody tampers. */
export const open = Effect.fnUntraced(function* (wish: SwapQuery, key?: string) {
  const options = key === undefined ? {} : { key }
  const swap = yield* openSwap(wish, options)
  return { swap, record: yield* recordOf(swap, options) }
})

const stepSeconds = 6
const longStepSeconds = 120
const patience = 600

/** States that a swap stays in. */
const endStates: ReadonlyArray<string> = ["COMPLETED", "SUCCESS"]

/** Lets time pass for the upstreams, past the service. */
const passBy = Effect.fnUntraced(function* (advanceSeconds: number) {
  const { upstreams } = yield* Relay
  const body = JSON.stringify({ advanceSeconds })
  yield* fetched(new URL("/sandbox/time", upstreams), { method: "POST", body })
})

/** Lets time pass until the upstream says that a swap is in a state. */
const passTo = Effect.fnUntraced(function* (opened: Opened, state: string) {
  for (let steps = 0; steps < patience; steps++) {
    if (stateOf(yield* standing(opened)) === state) return
    yield* passBy(endStates.includes(state) ? longStepSeconds : stepSeconds)
  }
  return yield* Effect.die(new Error(`The upstream never said ${state}`))
})

/** States before there is a deposit. */
const startStates: ReadonlyArray<string> = ["WAITING", "PENDING_DEPOSIT"]

/** What the upstream says of a swap in each of several states, one after the other. */
export const course = Effect.fnUntraced(
  function* (wish: SwapQuery, states: ReadonlyArray<string>, amount = nativeAmount) {
    const opened = yield* open(wish, otherKey)
    const told = new Map<string, Json>()
    let hasDeposit = false
    for (const state of states) {
      if (!hasDeposit && !startStates.includes(state)) {
        yield* deposit(opened.swap, amount)
        hasDeposit = true
      }
      yield* passTo(opened, state)
      told.set(state, yield* standing(opened))
    }
    return told
  },
)
