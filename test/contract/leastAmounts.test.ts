import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressFor } from "./support/addresses.ts"
import { assets, nativeAt, typicalAmount } from "./support/assets.ts"
import { type Answer, call, get, withOwnBroker } from "./support/call.ts"
import { find, type Json, listAt, pick, textAt } from "./support/Json.ts"

/** PAIRS=all: every pair of the sandbox; the suite asks for a few. */
const isWhole = Deno.env.get("PAIRS") === "all"

const ids = Object.keys(assets)

const pairs = isWhole
  ? ids.flatMap((sourceAsset) =>
    ids.filter((other) => other !== sourceAsset).map((destinationAsset) => ({
      sourceAsset,
      destinationAsset,
    }))
  )
  : [
    { sourceAsset: "btc.btc", destinationAsset: "eth.eth" },
    { sourceAsset: "eth.eth", destinationAsset: "btc.btc" },
    { sourceAsset: "usdc.eth", destinationAsset: "btc.btc" },
    { sourceAsset: "eth.arb", destinationAsset: "usdc.eth" },
  ]
type Pair = typeof pairs[number]

const ways = [
  { platform: "chainflip", path: "/swap" },
  { platform: "near-intents", path: "/swap" },
  { platform: "relay", path: "/swap" },
  { platform: "thorchain", path: "/tx-payload" },
  { platform: "maya", path: "/tx-payload" },
] as const
type Way = typeof ways[number]

/** The kinds of payload of the chains that THORChain and Maya take payments from in these pairs. */
const kinds: Readonly<Record<string, string>> = { btc: "bitcoin", eth: "evm", arb: "evm", bsc: "evm" }

/** The minimum that a refusal tells. */
const told = ({ body }: Answer): bigint | undefined =>
  find(body, "errors", "minimalAmountNative") === undefined
    ? undefined
    : nativeAt(body, "errors", "minimalAmountNative", 0)

const quoted = ({ platform }: Way, pair: Pair, amount: bigint) =>
  call("GET", "/quotes-native", { query: { ...pair, amount: `${amount}`, platform, start: "any" } })

/** The minimum that the provider tells, of the largest amount that it finds too little; nothing where it tells none. */
const minimumOf = Effect.fnUntraced(function* (way: Way, pair: Pair) {
  for (let amount = BigInt(typicalAmount(pair.sourceAsset)); amount > 0n; amount /= 2n) {
    const answer = yield* quoted(way, pair, amount)
    if (answer.status !== 200) return told(answer)
  }
  return undefined
})

const begin = ({ path, platform }: Way, pair: Pair, amount: bigint) => {
  const kind = kinds[pair.sourceAsset.split(".")[1] ?? ""]
  return call("GET", path === "/swap" ? path : `${path}/${kind}`, {
    query: {
      ...pair,
      platform,
      amountNative: `${amount}`,
      destinationAddress: addressFor(pair.destinationAsset),
      refundAddress: addressFor(pair.sourceAsset),
    },
  })
}

/** The list of assets once a provider has said what it takes: on a busy machine the first list may not wait for that. */
const listedWith = Effect.fnUntraced(function* (platform: string) {
  for (;;) {
    const listed = listAt(yield* get("/assets"), "assets")
    if (listAt(pick(listed, (asset) => textAt(asset, "id") === "btc.btc"), "platforms").includes(platform)) {
      return listed
    }
  }
})

const minimalAmount = (listed: Json, id: string): bigint =>
  nativeAt(pick(listed, (asset) => textAt(asset, "id") === id), "minimalAmountNative")

withOwnBroker({
  PROVIDERS: "chainflip,near-intents,relay,thorchain,maya",
  RATE_LIMIT: "100000",
  RATE_LIMIT_SWAP: "100000",
  CIRCUIT_MINIMUM_CALLS: "10000",
  QUOTE_CACHE_TTL: "1 millis",
})("the least amount of each provider", (it) => {
  for (const way of ways) {
    it.effect(
      `is one figure in refusals of quotes and beginnings, and begins at ${way.platform}`,
      function* () {
        const listed = yield* listedWith("chainflip")
        let found = 0
        for (const pair of pairs) {
          const name = `${pair.sourceAsset} to ${pair.destinationAsset}`
          const minimum = yield* minimumOf(way, pair)
          if (minimum === undefined) continue
          found += 1
          const below = yield* begin(way, pair, minimum - 1n)
          assert.strictEqual(below.status, 400, `${name}: ${below.text}`)
          assert.strictEqual(told(below), minimum, `${name}: ${below.text}`)
          const begun = yield* begin(way, pair, minimum)
          assert.strictEqual(begun.status, 200, `${name} at ${minimum}: ${begun.text}`)
          assert.isTrue(nativeAt(begun.body, "minimumDepositNative") <= minimum, name)
          if (way.platform !== "chainflip") continue
          assert.strictEqual(nativeAt(begun.body, "minimumDepositNative"), minimum, name)
          // The only one with a channel that states a minimum for every pair.
          assert.strictEqual(minimalAmount(listed, pair.sourceAsset), minimum, name)
        }
        // Relay tells none.
        assert.strictEqual(found > 0, way.platform !== "relay")
      },
      600_000,
    )
  }

  it.effect("is the lowest of all in a refusal of all", function* () {
    const pair = { sourceAsset: "btc.btc", destinationAsset: "eth.eth" }
    const own = yield* Effect.forEach(ways, (way) => minimumOf(way, pair))
    const channels = own.slice(0, 3).filter((minimum) => minimum !== undefined)
    const lowest = channels.reduce((least, minimum) => minimum < least ? minimum : least)
    const refused = yield* call("GET", "/quotes-native", { query: { ...pair, amount: "1500" } })
    assert.strictEqual(told(refused), lowest, refused.text)
    const open = (amount: bigint) =>
      call("GET", "/swap", {
        query: {
          ...pair,
          amountNative: `${amount}`,
          destinationAddress: addressFor(pair.destinationAsset),
          refundAddress: addressFor(pair.sourceAsset),
        },
      })
    // Relay states none, and takes less than the others.
    const below = yield* open(1_500n)
    assert.strictEqual(told(below), lowest, below.text)
    assert.strictEqual((yield* open(lowest)).status, 200)
  }, 600_000)
})
