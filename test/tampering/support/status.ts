import { Effect } from "effect"
import { otherKey } from "#test/contract/support/accounts.ts"
import { addressFor } from "#test/contract/support/addresses.ts"
import { find, isObject, type Json, type JsonObject, numberAt, textAt } from "#test/contract/support/Json.ts"
import type { SwapQuery } from "#test/contract/support/swaps.ts"
import { ask } from "./ask.ts"
import { course, open, type Opened, wishes } from "./course.ts"
import { termFaults } from "./judge.ts"
import { writeJson } from "./json.ts"
import { withOwnPayments } from "./ownPayments.ts"
import { operations } from "./operations.ts"
import type { Scene } from "./Scene.ts"

const pathsOf = ({ swap }: Opened) => {
  const channel = {
    issuedBlock: numberAt(swap, "issuedBlock"),
    network: textAt(swap, "network"),
    channelId: numberAt(swap, "channelId"),
  }
  return [
    ["/status-by-id", { swapId: numberAt(swap, "id") }],
    ["/status-by-deposit-channel", channel],
  ] as const
}

const isObjectOf = (json: Json | undefined): JsonObject => isObject(json) ? json : {}

/** What is told of one swap as if it were told of another. */
const aboutAnother = (told: Json) => (truth: Json, asked: string): Json => {
  const { depositChannel, quoteResponse } = isObjectOf(truth)
  const about = {
    ...isObjectOf(told),
    ...(depositChannel === undefined ? {} : { depositChannel }),
    ...(quoteResponse === undefined ? {} : { quoteResponse }),
  }
  return withOwnPayments(about, writeJson(depositChannel ?? quoteResponse ?? asked))
}

/** What Relay tells of one request as if it were told of another. */
const aboutAnotherRequest = (told: Json) => (truth: Json): Json => {
  const [of, own] = [told, truth].map((answer) => isObjectOf(find(answer, "requests", 0)))
  const { id, depositAddress } = own ?? {}
  const address = find(depositAddress ?? null, "address") ?? null
  const request = { ...of, id: id ?? null, depositAddress: { ...isObjectOf(of?.depositAddress), address } }
  return withOwnPayments({ requests: [request] }, writeJson(id ?? null))
}

/** How often a swap is asked after whose upstream says what cannot be; then it would be given up. */
const mostAsks = 8

/**
 * The status of a swap whose deposit the service does not know of yet, when the upstream first tells of it. The same
 * swap is asked after until the service takes what it is told.
 */
const firstTold = (
  scene: Pick<Scene, "provider" | "operation" | "others" | "everyNth" | "meanwhile">,
  wish: SwapQuery,
  name: string,
  told: Json | undefined,
) => {
  const all: Array<Opened> = []
  let current: Opened | undefined
  let asks = 0
  const prepare = Effect.gen(function* () {
    if (current !== undefined) return
    current = yield* open(wish)
    asks = 0
    all.push(current)
  })
  const look = Effect.fnUntraced(function* (turn: number) {
    if (current === undefined) return yield* Effect.die(new Error("No swap was opened"))
    const { record } = current
    const paths = pathsOf(current)
    const [path, query] = paths[turn % 2] ?? paths[0]
    current = ++asks < mostAsks ? current : undefined
    const answer = yield* Effect.tapDefect(ask(path, query), () => Effect.sync(() => current = undefined))
    const hidden = turn % 8 === 0 ? yield* ask(path, query, otherKey) : undefined
    if (writeJson(answer.body) !== writeJson(record)) current = undefined
    return {
      answers: [answer],
      faults: [
        ...(answer.status === 200 ? termFaults(record, answer.body) : []),
        ...(answer.status === 200 || answer.status >= 500 ? [] : [`${answer.status} ${answer.text}`]),
        ...(hidden === undefined || hidden.status === 404 ? [] : [`another account sees ${hidden.text}`]),
      ],
    }
  })
  /** What is wrong with the swaps afterwards, when nobody tampers any more. */
  const afterwards = Effect.map(
    Effect.forEach(all, ({ record, swap }) =>
      Effect.map(
        ask("/status-by-id", { swapId: numberAt(swap, "id") }),
        (answer) => answer.status === 200 ? termFaults(record, answer.body) : [answer.text],
      )),
    (faults) => faults.flat(),
  )
  const standIn = told === undefined
    ? {}
    : { standIn: (scene.operation === operations.relayRequests ? aboutAnotherRequest : aboutAnother)(told) }
  return { ...scene, ...standIn, name, prepare, ask: look, afterwards } satisfies Scene
}

/** States of a swap through a channel and of an order, as the upstreams call them. */
const courses = [
  {
    name: "status",
    wish: wishes.chainflip,
    states: ["WAITING", "RECEIVING", "SWAPPING", "SENDING", "COMPLETED"],
  },
  { name: "status in chunks", wish: wishes.chunks, states: ["SWAPPING", "COMPLETED"] },
  { name: "status of a refund", wish: wishes.refunded, states: ["COMPLETED"] },
] as const

const orders = [
  {
    name: "status",
    wish: wishes.nearIntents,
    states: ["PENDING_DEPOSIT", "KNOWN_DEPOSIT_TX", "PROCESSING", "SUCCESS"],
  },
] as const

const requests = [
  {
    name: "status",
    amount: wishes.relay.amountNative,
    states: ["waiting", "pending", "submitted", "success"],
  },
  { name: "status of a refund", amount: `${BigInt(wishes.relay.amountNative) / 2n}`, states: ["refund"] },
] as const

/** Relay's two views of a request: with a key all of it, without how far it is. */
const relayScenes = {
  requests: { provider: "relay", operation: operations.relayRequests, everyNth: 131 },
  status: {
    provider: "relay",
    operation: operations.relayStatus,
    meanwhile: { operation: operations.relayRequests, says: { requests: [] } },
    everyNth: 23,
  },
} as const

/** The status of channels, orders and requests in each of their states. */
export const statusScenes = Effect.gen(function* () {
  const boosted = yield* course(wishes.boosted, ["COMPLETED"], "10000000")
  const scenes: Array<Scene> = []
  for (const { name, states, wish } of courses) {
    for (const [state, told] of yield* course(wish, states)) {
      const others = [...boosted.values()]
      const scene = { provider: "chainflip" as const, operation: operations.swap, others, everyNth: 17 }
      scenes.push(firstTold(scene, wish, `${name} ${state}`, told))
    }
  }
  for (const { name, states, wish } of orders) {
    const told = yield* course(wish, states)
    const others = [
      ...(yield* course({ ...wish, destinationAsset: "sol.sol", destinationAddress: addressFor("sol.sol") }, [
        "SUCCESS",
      ])).values(),
    ]
    for (const [state, one] of told) {
      const scene = { provider: "near-intents" as const, operation: operations.status, others, everyNth: 16 }
      scenes.push(firstTold(scene, wish, `${name} ${state}`, one))
    }
  }
  for (const view of ["requests", "status"] as const) {
    for (const { name, amount, states } of requests) {
      for (const [state, told] of yield* course(wishes.relay, states, amount, view)) {
        scenes.push(firstTold(relayScenes[view], wishes.relay, `${name} ${state}`, told))
      }
    }
  }
  return scenes
})
