import { assert } from "@effect/vitest"
import { ed25519 } from "@noble/curves/ed25519.js"
import { base58 } from "@scure/base"
import { Effect, Option, Predicate } from "effect"
import { type AssetId, chainOf, factsOf } from "#domain/chains/Asset.ts"
import { findToken, tokens } from "#sandbox/near-intents/engine/tokens.ts"
import { publicKey, signedMessage } from "#sandbox/near-intents/signature.ts"
import { addresses } from "../engine/support.ts"
import { advance, type Answer, at, change, type Client, textAt } from "../support.ts"

/** 1Click's id of an asset. */
export const idOf = (asset: AssetId): string => {
  const token = tokens.find((one) => one.asset === asset)
  if (token === undefined) throw new Error(`${asset} is not in the catalogue`)
  return token.assetId
}

/** The account of 1Click's own fee. */
export const ownAccount = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"

/** An address on an asset's chain, for its 1Click id; any text for an id that is unknown. */
const addressFor = (assetId: string): string => {
  const token = findToken(assetId)
  return token === undefined ? "nobody.near" : addresses(chainOf(token.asset))
}

/** The deadline counts from the real now; under the test's clock that is the epoch. */
export const deadlineIn = (seconds: number): string => new Date(seconds * 1_000).toISOString()

export const hour = 3_600

/** A request from 0.1 BTC to ETH that is open for a day, but for what the changes say. */
export const requestOf = (changes: Readonly<Record<string, unknown>> = {}) => {
  const originAsset = `${changes.originAsset ?? idOf("btc.btc")}`
  const destinationAsset = `${changes.destinationAsset ?? idOf("eth.eth")}`
  return {
    dry: true,
    swapType: "FLEX_INPUT",
    slippageTolerance: 100,
    originAsset,
    depositType: "ORIGIN_CHAIN",
    destinationAsset,
    amount: "10000000",
    refundTo: addressFor(originAsset),
    refundType: "ORIGIN_CHAIN",
    recipient: addressFor(destinationAsset),
    recipientType: "DESTINATION_CHAIN",
    deadline: deadlineIn(24 * hour),
    ...changes,
  }
}

/** `POST /v0/quote`. */
export const quote = (client: Client, changes: Readonly<Record<string, unknown>> = {}) =>
  client.send("POST", "/near-intents/v0/quote", requestOf(changes))

/** The whole answer to a request that makes an order. */
export const openOrder = Effect.fnUntraced(function* (
  client: Client,
  changes: Readonly<Record<string, unknown>> = {},
) {
  const { json, status, text } = yield* quote(client, { dry: false, ...changes })
  assert.strictEqual(status, 201, text)
  return { address: textAt(json, "quote", "depositAddress"), json }
})

/** An order, as later calls name it. */
export interface OpenedOrder {
  readonly address: string
}

/** `GET /v0/status`. */
export const statusOf = (client: Client, { address }: OpenedOrder): Effect.Effect<Answer> =>
  client.get(`/near-intents/v0/status?depositAddress=${address}`)

/** The body of `GET /v0/status`, or the test fails. */
export const bodyOf = Effect.fnUntraced(function* (client: Client, order: OpenedOrder) {
  const { json, status, text } = yield* statusOf(client, order)
  assert.strictEqual(status, 200, text)
  return json
})

/** Sends smallest units to an order; gives the transaction. */
export const deposit = Effect.fnUntraced(
  function* (client: Client, { address }: OpenedOrder, amountNative: string) {
    const { json, status, text } = yield* client.send("POST", "/sandbox/deposits", { address, amountNative })
    assert.strictEqual(status, 202, text)
    return textAt(json, "transactionHash")
  },
)

/** Lets the next order go wrong. */
export const plan = (client: Client, outcome: string) => change(client, "nextOrder", { outcome })

export const movePrice = (client: Client, asset: AssetId, bps: number) =>
  change(client, "movePrice", { asset, bps })

/** Each status that the order goes through from now on and the body in it, looked at every few seconds. */
export const statusesOf = Effect.fnUntraced(function* (
  client: Client,
  order: OpenedOrder,
  last: string,
  stepSeconds = 10,
) {
  const seen = new Map<string, unknown>()
  for (let step = 0; step < 1_000; step++) {
    const json = yield* bodyOf(client, order)
    seen.set(textAt(json, "status"), json)
    if (textAt(json, "status") === last) return seen
    yield* advance(client, stepSeconds)
  }
  throw new Error(`The order never was ${last}; it was ${[...seen.keys()].join(", ")}`)
})

/** The digits at a path as a number of smallest units. */
export const digitsAt = (json: unknown, ...path: ReadonlyArray<string | number>): bigint =>
  BigInt(textAt(json, ...path))

/** A record, or the test fails. */
export const recordAt = (json: unknown, ...path: ReadonlyArray<string | number>) =>
  Option.getOrThrow(Option.liftPredicate(at(json, ...path), Predicate.isObject))

/** Whole units as digits of the smallest. */
export const whole = (asset: AssetId, units: bigint): string =>
  `${units * 10n ** BigInt(factsOf(asset).decimals)}`

/** An order of a thousand USDC on Arbitrum for bitcoins. */
export const usdcToBtc = {
  originAsset: idOf("usdc.arb"),
  destinationAsset: idOf("btc.btc"),
  amount: whole("usdc.arb", 1_000n),
}

/** Whether a quote is signed with the sandbox's key. */
export const verifies = (answer: unknown): boolean =>
  ed25519.verify(
    base58.decode(textAt(answer, "signature").replace("ed25519:", "")),
    signedMessage({
      timestamp: textAt(answer, "timestamp"),
      quoteRequest: { ...recordAt(answer, "quoteRequest") },
      quote: { ...recordAt(answer, "quote") },
    }),
    base58.decode(publicKey.replace("ed25519:", "")),
  )
