import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import { type AssetId, factsOf } from "#domain/chains/Asset.ts"
import { currencies } from "#sandbox/relay/engine/currencies.ts"
import { brokerInProcess, brokerUrl, OwnWorld, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { addressFor } from "./support/addresses.ts"
import { find, type Json, listAt, numberAt, parseJson, textAt } from "./support/Json.ts"
import { network, pass } from "./support/swaps.ts"

/** EXACT=all: as many payments as convince; the suite makes some. */
const many = Deno.env.get("EXACT") === "all" ? 1_000 : 40

const platforms = ["near-intents", "relay"] as const
type Platform = typeof platforms[number]

/** Payments that are enough however the market moves within the tolerance, by the most that is asked for. */
const enough: ReadonlyArray<readonly [kind: string, sent: (opened: Json, fee: bigint) => bigint]> = [
  ["the most", (opened) => mostOf(opened)],
  ["one unit more than the most", (opened) => mostOf(opened) + 1n],
  ["more than the most by the fee of a refund", (opened, fee) => mostOf(opened) + fee],
  ["twice the most", (opened) => 2n * mostOf(opened)],
]

/** Payments that are enough while the market stands still. */
const enoughNow: typeof enough = [
  ...enough,
  ["the least", (opened) => leastOf(opened)],
  ["more than the least by the fee of a refund", (opened, fee) => leastOf(opened) + fee],
]

/** Pairs on chains of every kind, each with an output of about a thousand US dollars, in units of eight digits. */
const pairs: ReadonlyArray<readonly [source: AssetId, destination: AssetId, output: bigint]> = [
  ["btc.btc", "usdc.eth", 100_000_000_000n],
  ["usdc.arb", "btc.btc", 1_500_000n],
  ["eth.eth", "usdc.arb", 100_000_000_000n],
  ["sol.sol", "eth.eth", 40_000_000n],
  ["usdc.sol", "eth.arb", 40_000_000n],
  ["usdt.eth", "sol.sol", 600_000_000n],
]

/** So many units of an asset as no other payment asks for. */
const outputOf = (destination: AssetId, about: bigint, number: number): bigint => {
  const units = about * 10n ** BigInt(factsOf(destination).decimals) / 100_000_000n
  return units + units * BigInt(number) / 2_000n + BigInt(number)
}

const ask = Effect.fnUntraced(
  function* (method: string, path: string, query: Readonly<Record<string, string>>, body?: unknown) {
    const url = new URL(`${path}?${new URLSearchParams(query)}`, yield* brokerUrl)
    return yield* Effect.promise(async () => {
      const response = await reach(url, {
        method,
        headers: { "x-api-key": testKey, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      assert.isBelow(response.status, 300, `${path} ${JSON.stringify(query)}: ${text}`)
      return parseJson(text)
    })
  },
)

const nativeAt = (json: Json, ...path: ReadonlyArray<string>): bigint => BigInt(textAt(json, ...path))
const nativeOrNone = (json: Json, ...path: ReadonlyArray<string>): bigint =>
  find(json, ...path) === undefined ? 0n : nativeAt(json, ...path)

/** What sending back costs: what the quote has told, else the fee of the chain. */
const refundFeeOf = (platform: Platform, source: AssetId, quote: Json): bigint =>
  platform === "near-intents"
    ? nativeAt(quote, "exactOutput", "refundFeeNative")
    : currencies.find(({ asset }) => asset === source)?.gas ?? assert.fail(source)

interface Paid {
  readonly platform: Platform
  readonly asked: bigint
  readonly sent: bigint
  readonly refundFee: bigint
  readonly opened: Json
}

/** Asks for an output, opens by the quote, and sends what `sentFor` says. */
const pay = Effect.fnUntraced(function* (number: number, sentFor: (opened: Json, fee: bigint) => bigint) {
  const platform: Platform = number % 2 === 0 ? "near-intents" : "relay"
  const [sourceAsset, destinationAsset, about] = pairs[Math.floor(number / 2) % pairs.length] ??
    assert.fail("no pair")
  const asked = outputOf(destinationAsset, about, number)
  const pair = { sourceAsset, destinationAsset }
  const offers = yield* ask("GET", "/quotes-native", { ...pair, amountOutNative: `${asked}`, platform })
  const quote = listAt(offers)[0] ?? assert.fail(JSON.stringify(offers))
  const opened = yield* ask("GET", "/swap", {
    ...pair,
    quoteId: textAt(quote, "quoteId"),
    destinationAddress: addressFor(destinationAsset),
    refundAddress: addressFor(sourceAsset),
  })
  assert.isTrue(
    nativeAt(opened, "payment", "amountNative") <= nativeAt(quote, "exactOutput", "sendAtMostNative"),
  )
  const refundFee = refundFeeOf(platform, sourceAsset, quote)
  const sent = sentFor(opened, refundFee)
  yield* ask("POST", "/sandbox/deposits", {}, { address: textAt(opened, "address"), amountNative: `${sent}` })
  return { platform, asked, sent, refundFee, opened }
})

const statusOf = ({ opened }: Paid) =>
  Effect.map(
    ask("GET", "/status-by-id", { swapId: numberAt(opened, "id") }),
    (record) => find(record, "status") ?? null,
  )

const mostOf = (opened: Json): bigint => nativeAt(opened, "exactOutput", "sendAtMostNative")
const leastOf = (opened: Json): bigint => nativeAt(opened, "exactOutput", "sendAtLeastNative")

layer(OwnWorld.alone(brokerInProcess({ PROVIDERS: "near-intents,relay" })), { excludeTestServices: true })(
  `${many} payments for an output that was asked for`,
  (it) => {
    it.effect("all bring it to the unit, and what is over comes back less the fee that was told", function* () {
      const counts = new Map<string, number>()
      const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
      const batches = 20
      for (let batch = 0; batch < batches; batch++) {
        const numbers = Array.from({ length: many / batches }, (_, index) => batch * many / batches + index)
        const isMoving = batch % 2 === 1
        const kinds = isMoving ? enough : enoughNow
        const paid = yield* Effect.forEach(numbers, (number) => {
          const [kind, sentFor] = kinds[Math.floor(number / 2) % kinds.length] ?? assert.fail("no kind")
          return Effect.map(pay(number, sentFor), (paid) => ({ ...paid, kind }))
        })
        // The market moves while they are under way, within what every offer allows.
        if (isMoving) {
          const bps = batch % 4 === 1 ? 40 : -40
          yield* network("movePrice", { asset: "btc.btc", bps })
          yield* network("movePrice", { asset: "eth.eth", bps: -bps })
        }
        yield* pass(2 * 3_600)
        for (const one of paid) {
          const { asked, kind, platform, refundFee, sent } = one
          const status = yield* statusOf(one)
          assert.strictEqual(textAt(status, "state"), "completed", JSON.stringify(status))
          assert.strictEqual(nativeAt(status, "swapEgress", "amountNative"), asked)
          assert.strictEqual(nativeAt(status, "outcome", "receivedNative"), asked)
          const used = nativeAt(status, "swap", "swappedInputAmountNative")
          assert.isTrue(used <= mostOf(one.opened))
          const over = sent - used
          const back = nativeOrNone(status, "refundEgress", "amountNative")
          assert.strictEqual(back, over > refundFee ? over - refundFee : 0n)
          count(
            `${platform}: ${kind}, ${back === 0n ? "nothing came back" : "the rest came back"}`,
          )
        }
      }
      console.log(`${many} of ${many} brought what was asked for, to the unit:`)
      for (const [what, times] of [...counts].toSorted()) console.log(`  ${times}  ${what}`)
      assert.strictEqual([...counts.values()].reduce((sum, times) => sum + times, 0), many)
    })

    it.effect("come back less the fee that was told where they are too little", function* () {
      const paid = yield* Effect.forEach(
        Array.from({ length: many / 10 }, (_, number) => number),
        (number) => pay(number, (opened) => leastOf(opened) - 1n - BigInt(number)),
      )
      yield* pass(60 * 3_600)
      for (const one of paid) {
        const status = yield* statusOf(one)
        assert.strictEqual(textAt(status, "state"), "completed")
        assert.isUndefined(find(status, "swapEgress"))
        assert.strictEqual(nativeAt(status, "refundEgress", "amountNative"), one.sent - one.refundFee)
      }
      console.log(`${paid.length} of ${paid.length} that were too little came back, less the fee`)
    })

    it.effect("are made on every chain that both serve", function* () {
      const offers = yield* Effect.forEach(
        pairs,
        ([sourceAsset, destinationAsset, about]) =>
          ask("GET", "/quotes-native", {
            sourceAsset,
            destinationAsset,
            amountOutNative: `${outputOf(destinationAsset, about, 0)}`,
          }),
      )
      for (const offered of offers) {
        assert.sameMembers(listAt(offered).map((offer) => textAt(offer, "platform")), [...platforms])
      }
    })
  },
)
