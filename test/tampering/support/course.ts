import { Effect } from "effect"
import { otherKey } from "#test/contract/support/accounts.ts"
import { addressFor, brokerAccounts } from "#test/contract/support/addresses.ts"
import { find, type Json, numberAt, parseJson, textAt } from "#test/contract/support/Json.ts"
import { deposit, openSwap, recordOf, type SwapQuery } from "#test/contract/support/swaps.ts"
import { Middleman } from "./Middleman.ts"
import { operations } from "./operations.ts"

/** A swap that was opened while nobody tampered: what `/swap` answered, and its record then. */
export interface Opened {
  readonly swap: Json
  readonly record: Json
  /** Of a swap at Relay. */
  readonly requestId?: string
}

const nativeAmount = "2000000000000000000"

const fromEther = { sourceAsset: "eth.eth", refundAddress: addressFor("eth.eth"), minimumPrice: "0.01" }
const toArbitrum = { ...fromEther, destinationAsset: "usdc.arb" }

/** Ways to swap, each with terms of every kind. */
export const wishes = {
  chainflip: {
    platform: "chainflip",
    ...toArbitrum,
    commissionBps: "12",
    affiliate1: brokerAccounts[0],
    affiliate1CommissionBps: "5",
  },
  chunks: { platform: "chainflip", ...toArbitrum, numberOfChunks: "3", chunkIntervalBlocks: "5" },
  refunded: {
    platform: "chainflip",
    ...toArbitrum,
    minimumPrice: "900000",
    retryDurationInBlocks: "0",
  },
  boosted: { platform: "chainflip", sourceAsset: "btc.btc", destinationAsset: "eth.eth", boostFee: "30" },
  relay: {
    platform: "relay",
    ...fromEther,
    destinationAsset: "usdc.eth",
    commissionBps: "12",
    amountNative: nativeAmount,
  },
  nearIntents: { platform: "near-intents", ...toArbitrum, amountNative: nativeAmount },
} satisfies Readonly<Record<string, SwapQuery>>

/** Asks an upstream past the service. */
export const fetched = (url: URL, init: RequestInit = {}) =>
  Effect.promise((signal) => fetch(url, { signal, ...init }).then((answer) => answer.text()))

/** Any key will do for the simulated Relay. */
const anyKey = { headers: { "x-api-key": "tampering" } }

/** What Relay calls the request of a swap: its record shows the address only. */
const requestOf = (order: Json | undefined): string => textAt(order ?? null, "steps", 0, "requestId")

/** Which of its two answers Relay gives about a request. */
export type RelayView = "requests" | "status"

const pathIn = ({ record, requestId, swap }: Opened, view: RelayView): string => {
  const platform = textAt(record, "platform")
  if (platform === "chainflip") {
    const channel = `${numberAt(swap, "issuedBlock")}-${textAt(swap, "network")}-${
      numberAt(swap, "channelId")
    }`
    return `/chainflip/backend/v2/swaps/${channel}`
  }
  if (platform === "near-intents") return `/near-intents/v0/status?depositAddress=${textAt(swap, "address")}`
  return view === "requests"
    ? `/relay/requests/v3?id=${requestId}`
    : `/relay/intents/status/v3?requestId=${requestId}`
}

/** The upstream's own word for how a swap stands, asked past the service. */
const standing = Effect.fnUntraced(function* (opened: Opened, view: RelayView) {
  const { upstreams } = yield* Middleman
  return parseJson(yield* fetched(new URL(pathIn(opened, view), upstreams), anyKey))
})

const stateOf = (standing: Json): Json | undefined =>
  find(standing, "state") ?? find(standing, "status") ?? find(standing, "requests", 0, "status")

/** Opens a channel while nobody tampers. */
export const open = Effect.fnUntraced(function* (wish: SwapQuery, key?: string) {
  const options = key === undefined ? {} : { key }
  const swap = yield* openSwap(wish, options)
  const order = (yield* Middleman).last(operations.relayOpening)
  const opened: Opened = {
    swap,
    record: yield* recordOf(swap, options),
    ...(wish.platform === "relay" ? { requestId: requestOf(order) } : {}),
  }
  return opened
})

const stepSeconds = 6
const longStepSeconds = 120
const patience = 600

/** States that a swap stays in. */
const endStates: ReadonlyArray<string> = ["COMPLETED", "SUCCESS", "success", "refund"]

/** Lets time pass for the upstreams, past the service. */
export const passBy = Effect.fnUntraced(function* (advanceSeconds: number) {
  const { upstreams } = yield* Middleman
  const body = JSON.stringify({ advanceSeconds })
  yield* fetched(new URL("/sandbox/time", upstreams), { method: "POST", body })
})

/** Lets time pass until the upstream says that a swap is in a state. */
const passTo = Effect.fnUntraced(function* (opened: Opened, state: string, view: RelayView) {
  for (let steps = 0; steps < patience; steps++) {
    if (stateOf(yield* standing(opened, view)) === state) return
    yield* passBy(endStates.includes(state) ? longStepSeconds : stepSeconds)
  }
  return yield* Effect.die(new Error(`The upstream never said ${state}`))
})

/** States before there is a deposit. */
const startStates: ReadonlyArray<string> = ["WAITING", "PENDING_DEPOSIT", "waiting"]

/** What the upstream says of a swap in each of several states, one after the other. */
export const course = Effect.fnUntraced(
  function* (
    wish: SwapQuery,
    states: ReadonlyArray<string>,
    amount = nativeAmount,
    view: RelayView = "requests",
  ) {
    const opened = yield* open(wish, otherKey)
    const told = new Map<string, Json>()
    let hasDeposit = false
    for (const state of states) {
      if (!hasDeposit && !startStates.includes(state)) {
        yield* deposit(opened.swap, amount)
        hasDeposit = true
      }
      yield* passTo(opened, state, view)
      told.set(state, yield* standing(opened, view))
    }
    return told
  },
)
