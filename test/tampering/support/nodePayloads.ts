import { Effect } from "effect"
import { find, isList, isObject, type Json } from "#test/contract/support/Json.ts"
import { pathOf, type PayloadKind, payloadParameters } from "#test/contract/support/payloads.ts"
import type { SwapQuery } from "#test/contract/support/swaps.ts"
import { ask } from "./ask.ts"
import { passBy } from "./course.ts"
import { uncased, writeJson } from "./json.ts"
import { later } from "./later.ts"
import { ofNodes, type Operation } from "./operations.ts"
import type { Scene } from "./Scene.ts"

type Node = keyof typeof ofNodes

/** What is the node's to say: no funds move by it. */
const toldByNode = [
  "expiresAt",
  "estimatedDurationSeconds",
  "includedFees",
  "minimumDeposit",
  "minimumDepositNative",
]

/** The hexadecimal digits of the fifth word of a call of the contract: until when it takes the payment. */
const expiryIn = (calldata: string): readonly [start: number, end: number] => {
  const start = "0x".length + 8 + 4 * 64
  return calldata.startsWith("0x44bc937b") ? [start, start + 64] : [0, 0]
}

/** The calldata without its expiry, and the expiry. */
const splitCall = (calldata: string): readonly [rest: string, expiry: bigint] => {
  const [start, end] = expiryIn(calldata)
  const expiry = calldata.slice(start, end)
  return [calldata.slice(0, start) + calldata.slice(end), expiry === "" ? 0n : BigInt(`0x${expiry}`)]
}

/** The payload without what the node decides, and every expiry in its calls. */
const comparable = (json: Json): readonly [Json, ReadonlyArray<bigint>] => {
  const expiries: Array<bigint> = []
  const strip = (json: Json, name = ""): Json => {
    if (name === "calldata" && typeof json === "string") {
      const [rest, expiry] = splitCall(json)
      expiries.push(expiry)
      return rest
    }
    if (isList(json)) return json.map((element) => strip(element))
    if (!isObject(json)) return json
    return Object.fromEntries(
      Object.entries(json).filter(([name]) => !toldByNode.includes(name)).map((
        [name, member],
      ) => [name, strip(member, name)]),
    )
  }
  return [uncased(strip(json)), expiries]
}

/** No quote is good for longer. */
const longestLife = 15 * 60_000

/** Milliseconds. */
const goodFor = (payload: Json): number => Date.parse(`${find(payload, "expiresAt")}`) - later.now()

/** A payload for a payment to a vault: always the same transaction, and none that is good for longer. */
const payloads = (
  provider: Node,
  kind: PayloadKind,
  operation: Operation,
  everyNth: number,
  changes: SwapQuery = {},
): Scene => {
  const query = payloadParameters(kind, {
    platform: provider,
    destinationAsset: kind === "bitcoin" ? "eth.eth" : "btc.btc",
    minimumPrice: "0.0000001",
    commissionBps: "12",
    ...changes,
  })
  let first: Json | undefined
  const look = Effect.fnUntraced(function* () {
    const answer = yield* ask(pathOf(kind), query)
    if (answer.status !== 200) return { answers: [answer], faults: [] }
    const [known, longest] = comparable(first ??= answer.body)
    const [shown, expiries] = comparable(answer.body)
    return {
      answers: [answer],
      faults: [
        ...(writeJson(known) === writeJson(shown) ? [] : [`${writeJson(shown)} is not ${writeJson(known)}`]),
        ...expiries.flatMap((expiry, index) =>
          expiry > (longest[index] ?? 0n) ? [`the contract takes it until ${expiry}`] : []
        ),
        ...(goodFor(answer.body) > longestLife ? [`good until ${find(answer.body, "expiresAt")}`] : []),
      ],
    }
  })
  return {
    provider,
    operation,
    name: `payload, ${query.sourceAsset}`,
    everyNth,
    // The payload is compared as a whole; capitals in an address of Bitcoin say nothing.
    mayName: kind === "bitcoin",
    ask: look,
    afterwards: Effect.gen(function* () {
      // The network makes blocks, whatever was said of them.
      yield* passBy(120)
      const answer = yield* ask(pathOf(kind), query)
      return answer.status === 200 ? [] : [`no payload: ${answer.text}`]
    }),
  }
}

/** Each operation that is asked on the way to a payload of a network that takes payments with a memo. */
export const nodePayloadScenes: ReadonlyArray<Scene> = [
  payloads("thorchain", "evm", ofNodes.thorchain.quote, 5),
  payloads("thorchain", "evm", ofNodes.thorchain.inbound, 17),
  payloads("thorchain", "evm", ofNodes.thorchain.lastBlock, 5),
  payloads("thorchain", "evm", ofNodes.thorchain.pools, 31),
  payloads("thorchain", "evm", ofNodes.thorchain.quote, 5, {
    sourceAsset: "usdc.eth",
    amountNative: "1000000001",
  }),
  payloads("thorchain", "evm", ofNodes.thorchain.inbound, 19, {
    sourceAsset: "usdc.eth",
    amountNative: "1000000001",
  }),
  payloads("thorchain", "bitcoin", ofNodes.thorchain.quote, 11),
  payloads("maya", "evm", ofNodes.maya.quote, 7, { sourceAsset: "eth.arb" }),
  payloads("maya", "evm", ofNodes.maya.inbound, 17, { sourceAsset: "eth.arb" }),
  payloads("maya", "evm", ofNodes.maya.lastBlock, 7, { sourceAsset: "eth.arb" }),
]
