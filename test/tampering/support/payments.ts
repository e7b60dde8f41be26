import { Effect } from "effect"
import { otherKey } from "#test/contract/support/accounts.ts"
import { find, isList, isObject, type Json, parseJson } from "#test/contract/support/Json.ts"
import { payload, payloadParameters, recordByHash, sendPayload } from "#test/contract/support/payloads.ts"
import type { SwapQuery } from "#test/contract/support/swaps.ts"
import { ask } from "./ask.ts"
import { fetched, passBy } from "./course.ts"
import { differing } from "./judge.ts"
import { writeJson } from "./json.ts"
import { Middleman } from "./Middleman.ts"
import { ofNodes } from "./operations.ts"
import { withOwnPayments } from "./ownPayments.ts"
import type { Scene } from "./Scene.ts"

type Node = keyof typeof ofNodes

const bases = { thorchain: "/thorchain/thorchain", maya: "/maya/mayachain" } as const

const wishOf = (provider: Node): SwapQuery => ({
  platform: provider,
  destinationAsset: "usdc.eth",
  amountNative: "2000000000000000000",
  minimumPrice: "0.01",
  commissionBps: "12",
})

/** Lets the upstream see the transaction of a payload; its hash. */
const sent = Effect.fnUntraced(function* (query: SwapQuery, key?: string) {
  const options = key === undefined ? {} : { key }
  return yield* sendPayload(yield* payload("evm", query, options), {}, options)
})

const statusOf = Effect.fnUntraced(function* (provider: Node, hash: string) {
  const { upstreams } = yield* Middleman
  const path = `${bases[provider]}/tx/status/${hash.replace(/^0x/, "").toUpperCase()}`
  return parseJson(yield* fetched(new URL(path, upstreams)))
})

/** How far a payment is, in one word; none while no node has seen it. */
export const stageIn = (said: Json): string | undefined => {
  if (find(said, "tx") === undefined) return undefined
  const isTrue = (...path: ReadonlyArray<string>) => find(said, "stages", ...path) === true
  if (!isTrue("inbound_finalised", "completed")) return "seen"
  if (isTrue("swap_status", "pending")) return "pending"
  if (find(said, "out_txs") === undefined) return "planned"
  return isTrue("outbound_signed", "completed") ? "done" : "signed"
}

const stepSeconds = 6
const patience = 600

/** How the next payment goes wrong. */
type Trap = "refund" | "partialFill"

/** What another account asked for: the same, but to and back to itself. */
const ofAnother = {
  destinationAddress: "0x4444444444444444444444444444444444444444",
  refundAddress: "0x5555555555555555555555555555555555555555",
}

/** What the upstream says of a payment in each of its stages. */
const stagesOf = Effect.fnUntraced(function* (provider: Node, trap?: Trap, isOther = false) {
  const { upstreams } = yield* Middleman
  if (trap !== undefined) {
    const body = JSON.stringify({ change: "nextPayment", provider, outcome: trap })
    yield* fetched(new URL("/sandbox/network", upstreams), { method: "PATCH", body })
  }
  const wish = wishOf(provider)
  const hash = isOther ? yield* sent({ ...wish, ...ofAnother }, otherKey) : yield* sent(wish)
  const told = new Map<string, Json>()
  for (let steps = 0; steps < patience; steps++) {
    const said = yield* statusOf(provider, hash)
    const stage = stageIn(said)
    if (stage !== undefined) told.set(stage, said)
    if (stage === "done") return told
    yield* passBy(stepSeconds)
  }
  return yield* Effect.die(new Error(`${provider} never said that the payment is done`))
})

/** Makes a payment that the node has just seen; its hash. */
const justSeen = Effect.fnUntraced(function* (provider: Node) {
  const hash = yield* sent(wishOf(provider))
  for (let steps = 0; steps < patience; steps++) {
    if (stageIn(yield* statusOf(provider, hash)) !== undefined) return hash
    yield* passBy(stepSeconds)
  }
  return yield* Effect.die(new Error(`${provider} never saw the payment`))
})

/** What is told of one payment as if it were told of another. */
const aboutAnother = (told: Json) => (truth: Json): Json => {
  const id = find(truth, "tx", "id")
  const tx = find(told, "tx")
  return !isObject(told) || !isObject(tx) || id === undefined
    ? truth
    : withOwnPayments({ ...told, tx: { ...tx, id } }, writeJson(id))
}

const termPaths = [
  ["platform"],
  ["status", "sourceAsset"],
  ["status", "destinationAsset"],
  ["status", "destinationAddress"],
  ["status", "depositChannel"],
  ["status", "fillOrKillParams", "refundAddress"],
]

const expected = (provider: Node): Json => {
  const asked = payloadParameters("evm", wishOf(provider))
  return {
    platform: provider,
    status: {
      sourceAsset: `${asked.sourceAsset}`,
      destinationAsset: `${asked.destinationAsset}`,
      destinationAddress: `${asked.destinationAddress}`,
      fillOrKillParams: { refundAddress: `${asked.refundAddress}` },
    },
  }
}

/** What is wrong with a record of a payment, whose amount the payer chooses: with the terms and the commission as it was asked for. */
const recordFaults = (provider: Node, record: Json): ReadonlyArray<string> => {
  const brokers = find(record, "status", "brokers")
  const isPaid = isList(brokers) && brokers.length === 1 &&
    writeJson(find(record, "status", "brokers", 0, "commissionBps") ?? null) === "12" &&
    find(record, "status", "brokers", 0, "account") === "sandbox"
  return [
    ...differing(expected(provider), record, termPaths),
    ...(isPaid ? [] : [`brokers are ${writeJson(brokers ?? null)}`]),
  ]
}

const path = "/status-by-transaction-hash"

/** A payment that nobody has asked after yet: it is its owner's, on the terms of the payload, or nobody's. */
const unknown = (provider: Node, told: Json, stage: string): Scene => {
  let hash: string | undefined
  return {
    provider,
    operation: ofNodes[provider].payment,
    name: `payment ${stage}, first look`,
    everyNth: 41,
    standIn: aboutAnother(told),
    prepare: Effect.gen(function* () {
      if (hash !== undefined) return
      hash = yield* justSeen(provider)
    }),
    ask: Effect.fnUntraced(function* () {
      const query = { transactionHash: `${hash}` }
      const strangers = yield* ask(path, query, otherKey)
      const answer = yield* ask(path, query)
      if (answer.status === 200) hash = undefined
      return {
        answers: [answer, strangers],
        faults: [
          ...(strangers.status === 200 ? [`another account sees ${strangers.text}`] : []),
          ...(answer.status === 200 ? recordFaults(provider, answer.body) : []),
        ],
      }
    }),
  }
}

/** How often a payment is asked after whose node says what cannot be; then it would be given up. */
const mostAsks = 8

/** A payment that is on record, when the node first tells more of it. */
const followed = (provider: Node, told: Json, stage: string, others: ReadonlyArray<Json>): Scene => {
  const all: Array<string> = []
  let current: { readonly hash: string; readonly record: Json } | undefined
  let asks = 0
  return {
    provider,
    operation: ofNodes[provider].payment,
    name: `payment ${stage}`,
    others,
    everyNth: 29,
    standIn: aboutAnother(told),
    prepare: Effect.gen(function* () {
      if (current !== undefined) return
      const hash = yield* justSeen(provider)
      current = { hash, record: yield* recordByHash(hash) }
      asks = 0
      all.push(hash)
    }),
    ask: Effect.fnUntraced(function* (turn) {
      if (current === undefined) return yield* Effect.die(new Error("No payment was made"))
      const { hash, record } = current
      current = ++asks < mostAsks ? current : undefined
      const query = { transactionHash: hash }
      const answer = yield* Effect.tapDefect(ask(path, query), () => Effect.sync(() => current = undefined))
      const hidden = turn % 8 === 0 ? yield* ask(path, query, otherKey) : undefined
      if (writeJson(answer.body) !== writeJson(record)) current = undefined
      return {
        answers: [answer],
        faults: [
          ...(answer.status === 200 ? recordFaults(provider, answer.body) : []),
          ...(answer.status === 200 || answer.status >= 500 ? [] : [`${answer.status} ${answer.text}`]),
          // Of an answer that cannot be read nobody can say whose payment it is about (503).
          ...(hidden === undefined || hidden.status === 404 || hidden.status === 503
            ? []
            : [`another account sees ${hidden.text}`]),
        ],
      }
    }),
    afterwards: Effect.map(
      Effect.forEach(
        all,
        (hash) => Effect.map(recordByHash(hash), (record) => recordFaults(provider, record)),
      ),
      (faults) => faults.flat(),
    ),
  }
}

/** The status of payments in each of their stages, paid out, sent back and both. */
export const paymentScenes = Effect.gen(function* () {
  const refunded = yield* stagesOf("thorchain", "refund")
  const split = yield* stagesOf("thorchain", "partialFill")
  const others = [...(yield* stagesOf("thorchain", undefined, true)).values()].slice(-1)
  const scenes: Array<Scene> = []
  for (const [stage, told] of yield* stagesOf("thorchain")) {
    scenes.push(followed("thorchain", told, stage, others))
    if (stage === "seen" || stage === "done") scenes.push(unknown("thorchain", told, stage))
  }
  for (const [stage, told] of refunded) {
    if (stage === "planned" || stage === "done") {
      scenes.push(followed("thorchain", told, `refunded, ${stage}`, [...split.values()]))
    }
  }
  for (const [stage, told] of [...split].slice(-1)) {
    scenes.push(followed("thorchain", told, `in part, ${stage}`, others))
  }
  for (const [stage, told] of [...(yield* stagesOf("maya"))].slice(-1)) {
    scenes.push(followed("maya", told, stage, []))
  }
  return scenes
})
