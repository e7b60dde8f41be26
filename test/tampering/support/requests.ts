import { accountText } from "#domain/chains/address/accountBytes.ts"
import { assetIds, chainOf } from "#domain/chains/Asset.ts"
import { Effect } from "effect"
import {
  find,
  isList,
  isObject,
  type Json,
  JsonNumber,
  numberAt,
  textAt,
} from "#test/contract/support/Json.ts"
import { pathOf, type PayloadKind, payloadParameters } from "#test/contract/support/payloads.ts"
import { swapParameters, type SwapQuery } from "#test/contract/support/swaps.ts"
import { ask } from "./ask.ts"
import { differing } from "./judge.ts"
import { ofNodes, type Operation, operations } from "./operations.ts"
import { uncased } from "./json.ts"
import { Middleman } from "./Middleman.ts"
import type { Scene } from "./Scene.ts"
import { wishes } from "./course.ts"

const quoteTerms = ["platform", "ingressAsset", "ingressAmountNative", "egressAsset"]

/** Quotes of one provider, human and native amounts by turns. */
export const quotes = (provider: Scene["provider"], operation: Operation, everyNth = 7): Scene => {
  const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
  const asked: Json = {
    platform: provider,
    ingressAsset: "btc.btc",
    ingressAmountNative: "10000000",
    egressAsset: "eth.eth",
  }
  return {
    provider,
    operation,
    name: "quotes",
    everyNth,
    ask: Effect.fnUntraced(function* (turn) {
      const answer = yield* turn % 2 === 0
        ? ask("/quotes", { ...pair, amount: "0.1", platform: provider, start: "any" })
        : ask("/quotes-native", { ...pair, amount: "10000000", platform: provider, start: "any" })
      const faults = isList(answer.body)
        ? answer.body.flatMap((quote) => differing(asked, quote, quoteTerms.map((name) => [name])))
        : []
      return { answers: [answer], faults }
    }),
  }
}

/** Where each provider says which address it opened. */
const opened = {
  chainflip: { by: operations.depositAddress, at: ["result", "address"] },
  "near-intents": { by: operations.order, at: ["quote", "depositAddress"] },
  relay: { by: operations.relayOpening, at: ["steps", 0, "depositAddress"] },
} as const

/** Opening a deposit channel, and the first look at its record. */
export const openings = (
  provider: keyof typeof opened,
  operation: Operation,
  wish: SwapQuery,
  more: Partial<Scene> = {},
): Scene => {
  const query = swapParameters(wish)
  const { destinationAddress, destinationAsset, refundAddress, sourceAsset } = query
  const asked: Json = {
    platform: provider,
    status: {
      sourceAsset: `${sourceAsset}`,
      destinationAsset: `${destinationAsset}`,
      destinationAddress: `${destinationAddress}`,
      fillOrKillParams: { refundAddress: `${refundAddress}`, minimumPrice: `${wish.minimumPrice}` },
      depositChannel: {
        brokerCommissionBps: new JsonNumber(wish.commissionBps ?? "0"),
        expectedDepositAmountNative: `${wish.amountNative}`,
      },
    },
  }
  const paths = [
    ["status", "depositChannel", "brokerCommissionBps"],
    ...(provider !== "chainflip" ? [["status", "depositChannel", "expectedDepositAmountNative"]] : []),
    ["platform"],
    ["status", "sourceAsset"],
    ["status", "destinationAsset"],
    ["status", "destinationAddress"],
    ["status", "fillOrKillParams", "refundAddress"],
    ["status", "fillOrKillParams", "minimumPrice"],
  ]
  return {
    provider,
    operation,
    name: "opening",
    ...more,
    ask: Effect.fnUntraced(function* () {
      const middleman = yield* Middleman
      const answer = yield* ask("/swap", query)
      if (answer.status !== 200) return { answers: [answer], faults: [] }
      const address = textAt(answer.body, "address")
      const { at, by } = opened[provider]
      const named = find(middleman.last(by) ?? null, ...at)
      // Relay's v3 names an object.
      const told = `${isObject(named) ? find(named, "address") : named}`
      const record = yield* ask("/status-by-id", { swapId: numberAt(answer.body, "id") })
      const shown = find(record.body, "status", "depositChannel", "depositAddress")
      return {
        answers: [answer, record],
        faults: [
          ...(address.toLowerCase() === told.toLowerCase()
            ? []
            : [`${address} is not ${told}, which was opened`]),
          ...(shown === address ? [] : [`the record shows ${JSON.stringify(shown)}, not ${address}`]),
          ...([destinationAddress, refundAddress].includes(address) ? [`${address} is the caller's`] : []),
          ...(record.status === 200 ? differing(asked, record.body, paths) : [record.text]),
        ],
      }
    }),
  }
}

const membersOf = (json: Json): ReadonlyArray<string> => Object.keys(isObject(json) ? json : {})

/** Where the bytes of a payload stand. Their form is the network's; the accounts in them are the caller's. */
const byteMembers = ["calldata", "data", "note", "nulldataPayload"]

/**
 * What changes of itself, or is the network's to say: its program refuses accounts that it does not expect, and
 * Bitcoin's vault has a new address now and then.
 */
const decidedByNode = (kind: PayloadKind): ReadonlyArray<string> => [
  "expiresAt",
  "accounts",
  ...byteMembers,
  ...(kind === "bitcoin" ? ["depositAddress"] : []),
]

/** The value without members of these names, however deep: the steps of a payload repeat what it says. */
const without = (json: Json, names: ReadonlyArray<string>): Json => {
  if (isList(json)) return json.map((item) => without(item, names))
  if (!isObject(json)) return json
  return Object.fromEntries(
    Object.entries(json).filter(([name]) => !names.includes(name)).map((
      [name, value],
    ) => [name, without(value, names)]),
  )
}

const bytesOf = (payload: Json): string => byteMembers.map((name) => find(payload, name) ?? "").join()

/** The accounts that the bytes have to name; from Bitcoin the sender's change address is what a refund goes to. */
const accountsIn = (query: SwapQuery): ReadonlyArray<string> =>
  (["destination", "refund"] as const).flatMap((end) => {
    const asset = assetIds().find((id) => id === query[end === "refund" ? "sourceAsset" : "destinationAsset"])
    const isNamed = asset !== undefined && !(end === "refund" && asset === "btc.btc")
    return isNamed ? [accountText(chainOf(asset), `${query[`${end}Address`]}`)] : []
  })

/** A payload for a transaction; only Bitcoin's deposit addresses change of themselves. */
export const payloads = (kind: PayloadKind, operation: Operation, changes: SwapQuery = {}): Scene => {
  const query = payloadParameters(kind, {
    platform: "chainflip",
    minimumPrice: "0.01",
    ...(kind === "solana" ? { seed: `0x${"12".repeat(32)}` } : {}),
    ...changes,
  })
  const accounts = accountsIn(query)
  let first: Json | undefined
  return {
    provider: "chainflip",
    operation,
    name: `payload, ${query.sourceAsset}`,
    mayName: kind === "bitcoin" || kind === "solana",
    isWhole: true,
    everyNth: 7,
    ask: Effect.fnUntraced(function* () {
      const answer = yield* ask(pathOf(kind), query)
      if (answer.status !== 200) return { answers: [answer], faults: [] }
      const before = first ??= answer.body
      const known = uncased(without(before, decidedByNode(kind)))
      const shown = uncased(without(answer.body, decidedByNode(kind)))
      const isOwn = Object.values(query).includes(`${find(answer.body, "depositAddress")}`)
      return {
        answers: [answer],
        faults: [
          ...differing(known, shown, membersOf(known).map((name) => [name])),
          ...accounts.filter((account) => !bytesOf(answer.body).includes(account)).map((account) =>
            `no byte says ${account}`
          ),
          ...(isOwn ? ["the deposit address is the caller's"] : []),
        ],
      }
    }),
  }
}

/** Quotes and openings of Relay's, which has two versions of them. */
export const relayScenes: ReadonlyArray<Scene> = [
  quotes("relay", operations.relayQuote, 23),
  openings("relay", operations.relayOpening, wishes.relay, { everyNth: 29 }),
  openings("relay", operations.relayQuote, wishes.relay, { name: "opening, price", everyNth: 53 }),
]

/** Each operation that is asked on the way to a quote, a channel or a payload. */
export const requestScenes: ReadonlyArray<Scene> = [
  quotes("chainflip", operations.quote),
  quotes("near-intents", operations.dryQuote),
  ...relayScenes,
  quotes("thorchain", ofNodes.thorchain.quote),
  quotes("maya", ofNodes.maya.quote),
  openings("chainflip", operations.depositAddress, wishes.chainflip, { mayName: true, everyNth: 2 }),
  openings("chainflip", operations.environment, wishes.chainflip, { everyNth: 70 }),
  openings("chainflip", operations.safeMode, wishes.chainflip, { everyNth: 19 }),
  openings("chainflip", operations.networkInfo, wishes.chainflip, { everyNth: 5 }),
  openings("chainflip", operations.swap, wishes.chainflip, { name: "opening, first look", everyNth: 7 }),
  openings("near-intents", operations.order, wishes.nearIntents, { everyNth: 7 }),
  openings("near-intents", operations.order, wishes.nearIntents, {
    name: "opening, signed",
    mayName: true,
    signs: true,
    everyNth: 7,
  }),
  payloads("bitcoin", operations.bitcoin),
  payloads("evm", operations.evm),
  payloads("evm", operations.evm, { sourceAsset: "usdc.eth", amountNative: "1000000001" }),
  payloads("solana", operations.solana),
  payloads("tron", operations.tron),
  payloads("tron", operations.tron, { sourceAsset: "usdt.tron", amountNative: "1000000001" }),
]
