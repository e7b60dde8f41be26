import { Effect } from "effect"
import { addressFor } from "#test/contract/support/addresses.ts"
import { find, integerAt, isList, type Json, numberAt, textAt } from "#test/contract/support/Json.ts"
import { payload, recordByHash, sendPayload } from "#test/contract/support/payloads.ts"
import { deposit, openSwap, type SwapQuery } from "#test/contract/support/swaps.ts"
import { ask } from "./ask.ts"
import { fetched, passBy } from "./course.ts"
import { changed, type Path } from "./json.ts"
import { later } from "./later.ts"
import { Middleman } from "./Middleman.ts"
import { ofNodes, type Operation, operations } from "./operations.ts"

/** A false end, made of the true one. */
export type Lie = (truth: Json) => Json

/** Every false form that upstreams were believed with; the last two only wait. */
export const forms = [
  "5 units for 1.5 ETH",
  "1 wei of 1.5 ETH back",
  "nothing paid in",
  "the deposit's own transaction",
  "another address",
  "<script>",
  "no transaction yet",
] as const
export type Form = (typeof forms)[number]

/** Forms that an honest upstream may tell for a while. */
export const waiting: ReadonlyArray<Form> = ["<script>", "no transaction yet"]

export const amount = 1_500_000_000_000_000_000n
const thief = "0x9999999999999999999999999999999999999999"
const script = "<script>alert(1)</script>"

const set = (...edits: ReadonlyArray<readonly [path: Path, value: Json | undefined]>): Lie => (truth) =>
  edits.reduce((json, [path, value]) => changed(json, path, value), truth)

const hashOfDeposit = (truth: Json, ...path: ReadonlyArray<string | number>): string => textAt(truth, ...path)

/** The leg of a payment that pays the user: the operator's share has a hash of zeros. */
const legOf = (truth: Json): number => {
  const legs = find(truth, "out_txs")
  return isList(legs) ? legs.findIndex((leg) => !/^0*$/.test(textAt(leg, "id"))) : -1
}

const leg = (member: Path, value: (truth: Json) => Json): Lie => (truth) =>
  changed(truth, ["out_txs", legOf(truth), ...member], value(truth))

const ofNode: Readonly<Record<Form, Lie>> = {
  "5 units for 1.5 ETH": leg(["coins", 0, "amount"], () => "5"),
  "1 wei of 1.5 ETH back": (truth) => {
    const index = legOf(truth)
    const id = textAt(truth, "tx", "id")
    return set(
      [["out_txs", index, "memo"], `REFUND:${id}`],
      [["out_txs", index, "chain"], "ETH"],
      [["out_txs", index, "to_address"], find(truth, "tx", "from_address")],
      [["out_txs", index, "coins", 0], { asset: "ETH.ETH", amount: "1" }],
    )(truth)
  },
  "nothing paid in": set([["tx", "coins", 0, "amount"], "0"]),
  "the deposit's own transaction": leg(["id"], (truth) => textAt(truth, "tx", "id")),
  "another address": leg(["to_address"], () => "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8"),
  "<script>": leg(["id"], () => script),
  "no transaction yet": set([["out_txs"], undefined]),
}

const relayData = ["requests", 0, "data"] as const
const outputOfRelay = [...relayData, "route", "actual", "destination", "outputCurrency", "amount"]

/** The forms of each provider's own wire. */
export const lies = {
  chainflip: {
    "5 units for 1.5 ETH": set([["swapEgress", "amount"], "5"]),
    "1 wei of 1.5 ETH back": (truth) =>
      set(
        [["refundEgress"], changed(find(truth, "swapEgress") ?? null, ["amount"], "1")],
        [["swapEgress"], undefined],
      )(truth),
    "nothing paid in": set([["deposit", "amount"], "0"]),
    "the deposit's own transaction": (truth) =>
      changed(truth, ["swapEgress", "txRef"], hashOfDeposit(truth, "deposit", "txRef")),
    "another address": set([["destAddress"], thief]),
    "<script>": set([["swapEgress", "txRef"], script]),
    "no transaction yet": set([["swapEgress", "txRef"], undefined]),
  },
  "near-intents": {
    "5 units for 1.5 ETH": set([["swapDetails", "amountOut"], "5"], [
      ["swapDetails", "amountOutFormatted"],
      "0.000005",
    ]),
    "1 wei of 1.5 ETH back": set(
      [["status"], "REFUNDED"],
      [["swapDetails", "refundedAmount"], "1"],
      [["swapDetails", "refundedAmountFormatted"], "0.000000000000000001"],
      [["swapDetails", "destinationChainTxHashes"], []],
    ),
    "nothing paid in": set([["swapDetails", "depositedAmount"], "0"], [
      ["swapDetails", "depositedAmountFormatted"],
      "0",
    ]),
    "the deposit's own transaction": (truth) =>
      changed(
        truth,
        ["swapDetails", "destinationChainTxHashes", 0, "hash"],
        hashOfDeposit(truth, "swapDetails", "originChainTxHashes", 0, "hash"),
      ),
    "another address": set([["quoteResponse", "quoteRequest", "recipient"], thief]),
    "<script>": set([["swapDetails", "destinationChainTxHashes", 0, "hash"], script]),
    "no transaction yet": set([["swapDetails", "destinationChainTxHashes"], []]),
  },
  relay: {
    "5 units for 1.5 ETH": set([outputOfRelay, "5"]),
    "1 wei of 1.5 ETH back": (truth) =>
      set(
        [["requests", 0, "status"], "refund"],
        [
          [...relayData, "refundCurrencyData"],
          changed(
            find(truth, ...relayData, "route", "actual", "origin", "outputCurrency") ?? null,
            ["amount"],
            "1",
          ),
        ],
      )(truth),
    "nothing paid in": set(
      [[...relayData, "route", "actual", "origin", "inputCurrency", "amount"], "0"],
      [[...relayData, "route", "actual", "origin", "outputCurrency", "amount"], "0"],
      [["requests", 0, "protocol", "deposit", "origin", "amount"], "0"],
    ),
    "the deposit's own transaction": (truth) =>
      changed(
        truth,
        [...relayData, "outTxs", 0, "txHash"],
        hashOfDeposit(truth, ...relayData, "inTxs", 0, "txHash"),
      ),
    "another address": set([["requests", 0, "recipient"], thief]),
    "<script>": set([[...relayData, "outTxs", 0, "txHash"], script]),
    "no transaction yet": set([[...relayData, "outTxs"], []]),
  },
  thorchain: ofNode,
  maya: ofNode,
} satisfies Readonly<Record<string, Readonly<Record<Form, Lie>>>>
export type Upstream = keyof typeof lies
export const upstreams = [
  "chainflip",
  "near-intents",
  "relay",
  "thorchain",
  "maya",
] as const satisfies ReadonlyArray<
  Upstream
>

/** The answer that tells how a swap at each of them ended. */
export const told: Readonly<Record<Upstream, Operation>> = {
  chainflip: operations.swap,
  "near-intents": operations.status,
  relay: operations.relayRequests,
  thorchain: ofNodes.thorchain.payment,
  maya: ofNodes.maya.payment,
}

/** Changes the networks, or how they tell of them, past the service. */
export const control = Effect.fnUntraced(function* (
  method: string,
  path: string,
  members: Readonly<Record<string, unknown>>,
) {
  const { upstreams } = yield* Middleman
  yield* fetched(new URL(path, upstreams), { method, body: JSON.stringify(members) })
})

/** How a swap is made to end. */
export interface Course {
  readonly wish?: SwapQuery
  /** How the next order, request or payment goes wrong. */
  readonly trap?: string
  /** What is paid in of what was ordered, in percent. */
  readonly percent?: bigint
}

const traps: Readonly<Record<Upstream, string>> = {
  chainflip: "none",
  "near-intents": "nextOrder",
  relay: "nextRequest",
  thorchain: "nextPayment",
  maya: "nextPayment",
}

/** Makes a swap of 1.5 ETH with a price limit below the market's, and pays into it; the id of its record. */
export const made = Effect.fnUntraced(function* (provider: Upstream, course: Course = {}) {
  const isNode = provider === "thorchain" || provider === "maya"
  const destinationAsset = isNode ? "btc.btc" : "usdc.arb"
  const wish: SwapQuery = {
    platform: provider,
    sourceAsset: "eth.eth",
    destinationAsset,
    destinationAddress: addressFor(destinationAsset),
    refundAddress: addressFor("eth.eth"),
    amountNative: `${amount}`,
    minimumPrice: isNode ? "0.02" : "1500",
    commissionBps: "12",
    ...course.wish,
  }
  if (course.trap !== undefined) {
    const change = { change: traps[provider], outcome: course.trap, ...(isNode ? { provider } : {}) }
    yield* control("PATCH", "/sandbox/network", change)
  }
  if (isNode) {
    const hash = yield* sendPayload(yield* payload("evm", wish))
    yield* passBy(60)
    // Each network is asked of the other's payments, too, and an account may ask so often of what is unknown there.
    later.pass(61_000)
    return integerAt(yield* recordByHash(hash), "id")
  }
  const { amountNative: _, ...rest } = wish
  const opened = yield* openSwap(provider === "chainflip" ? rest : wish)
  yield* deposit(opened, `${amount * (course.percent ?? 100n) / 100n}`)
  return Number(numberAt(opened, "id"))
})

/** What the service tells of a swap now that its upstream was asked again. */
export const lookedAt = Effect.fnUntraced(function* (id: number) {
  later.pass(61_000)
  const { body } = yield* ask("/status-by-id", { swapId: `${id}` })
  return {
    state: textAt(body, "status", "state"),
    isDisputed: find(body, "guidance", "phase") === "provider_contradicts",
    body,
  }
})
