import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Server } from "#interfaces/http/server/Server.ts"
import { OwnWorld } from "#test/support/broker.ts"
import { addressFor } from "./addresses.ts"
import { call, genesis, get, type Options } from "./call.ts"
import { find, integerAt, type Json, numberAt, textAt } from "./Json.ts"

/** Parameters of a request, by name. */
export type SwapQuery = Readonly<Record<string, string>>

/** What `/swap` needs at least; from btc.btc to eth.eth, but for what `changes` say. */
export const swapParameters = (changes: SwapQuery = {}): SwapQuery => {
  const { destinationAsset = "eth.eth", sourceAsset = "btc.btc" } = changes
  return { sourceAsset, destinationAsset, destinationAddress: addressFor(destinationAsset), ...changes }
}

/** Opens a deposit channel: the answer of `/swap`. */
export const openSwap = (changes: SwapQuery = {}, options: Options = {}) =>
  get("/swap", swapParameters(changes), options)

/** The record of a swap by the answer that opened it. */
export const recordOf = (opened: Json, options: Options = {}) =>
  get("/status-by-id", { swapId: numberAt(opened, "id") }, options)

/** The status of a swap. */
export const statusOf = (opened: Json) =>
  Effect.map(recordOf(opened), (record) => {
    const status = find(record, "status")
    if (status === undefined) throw new Error("A record without a status")
    return status
  })

const control = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const answer = yield* call(method, path, body === undefined ? {} : { body })
  assert.isBelow(answer.status, 300, answer.text)
  return answer.body
})

/** Sends native units to the deposit address of a swap; the hash of the transaction. */
export const deposit = (opened: Json, amountNative: string) =>
  Effect.map(
    control("POST", "/sandbox/deposits", { address: textAt(opened, "address"), amountNative }),
    (body) => textAt(body, "transactionHash"),
  )

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** The days around now, by our own clock: the networks' time may be years ahead. */
export const aroundNow = { from: dayOf(Date.now() - 86_400_000), to: dayOf(Date.now() + 86_400_000) }

/** Lets simulated time pass. */
export const pass = (advanceSeconds: number) => control("POST", "/sandbox/time", { advanceSeconds })

/** Changes the simulated network of these tests alone (`PATCH /sandbox/network`). */
export const network = (change: string, members: Readonly<Record<string, unknown>>) =>
  Effect.andThen(OwnWorld, control("PATCH", "/sandbox/network", { change, ...members }))

/** Lets the upstream misbehave until that is cleared. */
export const fault = (rule: Readonly<Record<string, unknown>>) => control("PUT", "/sandbox/faults", rule)

/** Lets the upstream behave again. */
export const clearFaults = control("DELETE", "/sandbox/faults")

/** Does something while the upstream misbehaves. */
export const during = <A, E, R>(rule: Readonly<Record<string, unknown>>, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(fault(rule), () => effect, () => clearFaults)

/** Does several things, one after the other, while the upstream misbehaves. */
export const throughout = <One extends Effect.Effect<unknown, unknown, Server | OwnWorld>>(
  rule: Readonly<Record<string, unknown>>,
  steps: () => Generator<One, void, never>,
) => during(rule, Effect.gen(steps))

/** Seconds between two blocks of Bitcoin, which the sandbox counts from its beginning. */
const bitcoinBlockSeconds = 600

/** Where "shortly before a block" is, in seconds since the one before. */
const shortlyBefore = bitcoinBlockSeconds - 12

const sinceBitcoinBlock = Effect.map(
  get("/sandbox"),
  (sandbox) => ((integerAt(sandbox, "timeMillis") - Date.parse(genesis)) / 1_000) % bitcoinBlockSeconds,
)

/** Lets time pass until shortly before the next block of Bitcoin. */
export const passToBitcoinBlock = Effect.flatMap(
  sinceBitcoinBlock,
  (since) => pass((bitcoinBlockSeconds + shortlyBefore - since) % bitcoinBlockSeconds),
)

/** How many steps are waited for a state at most. */
const patience = 400

/** What a block brings is seen within so many steps that begin shortly before it; then the next one is waited for. */
const settled = 6

/** Whether only a block of Bitcoin can bring a swap on: each is a hundred steps away from the next. */
const awaitsBitcoin = (status: Json): boolean =>
  textAt(status, "sourceAsset") === "btc.btc" && ["waiting", "receiving"].includes(textAt(status, "state"))

/** Lets time pass in steps until a swap is in a state; its status then, and every state on the way. */
export const passUntil = Effect.fnUntraced(function* (opened: Json, state: string, step = 6) {
  const seen: Array<string> = []
  let unchanged = 0
  for (let steps = 0; steps < patience; steps++) {
    const status = yield* statusOf(opened)
    const now = textAt(status, "state")
    if (seen.at(-1) === now) unchanged += 1
    else {
      seen.push(now)
      unchanged = 0
    }
    if (now === state) return { status, seen }
    if (unchanged < settled || !awaitsBitcoin(status)) yield* pass(step)
    else {
      yield* pass(Math.max(step, shortlyBefore - (yield* sinceBitcoinBlock)))
      unchanged = 0
    }
  }
  throw new Error(`The swap was never ${state}, but ${seen.join(", ")}`)
})
