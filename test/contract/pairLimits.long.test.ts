import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type Pair, pairsOf, served } from "#test/replayed/support/journeys.ts"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { addresses, addressFor } from "./support/addresses.ts"
import { nativeAt, typicalAmount } from "./support/assets.ts"
import { withOwnBroker } from "./support/call.ts"
import { find, type Json, listAt, numberAt, parseJson, textAt } from "./support/Json.ts"

/** LIMITS=all: 2,000 openings at, below and above limits; the suite makes some. One in `oneIn` at a minimum is paid. */
const wanted = Deno.env.get("LIMITS") === "all" ? 2_000 : 240
const oneIn = 8

const providers = ["chainflip", "near-intents", "relay", "thorchain", "maya"] as const

/** Every pair in an order in which assets alternate, as the first thousand openings take a part of them. */
const pairs = pairsOf(providers).flatMap((_, index, all) => all[index * 101 % all.length] ?? [])

/** A way to begin a swap of a pair at a provider. */
interface Way extends Pair {
  readonly platform: string
  readonly path: string
}

/** Answers are not held against the document, which takes longer than all openings. */
const ask = Effect.fnUntraced(
  function* (path: string, query: Readonly<Record<string, string>>, body?: unknown) {
    const url = new URL(`${path}?${new URLSearchParams(query)}`, yield* brokerUrl)
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const headers = { "x-api-key": testKey, "content-type": "application/json" }
    return yield* Effect.promise(async () => {
      const response = await reach(url, { ...sent, headers })
      const text = await response.text()
      return { status: response.status, text, body: parseJson(text) }
    })
  },
)
type Answer = Effect.Success<ReturnType<typeof ask>>

const begin = ({ destination, path, platform, source }: Way, amount: bigint) =>
  ask(path, {
    sourceAsset: source,
    destinationAsset: destination,
    platform,
    amountNative: `${amount}`,
    destinationAddress: addressFor(destination),
    refundAddress: addressFor(source),
    ...(path === "/tx-payload/solana" ? { sourceAddress: addresses.sol } : {}),
  })

const amountAt = (limits: Json, name: string): bigint | undefined =>
  find(limits, name) === undefined ? undefined : nativeAt(limits, name)

/** Pays what was begun; how its record is read. */
const pay = Effect.fnUntraced(function* ({ path }: Way, { body }: Answer, amount: bigint) {
  if (path !== "/swap") {
    const sent = yield* ask("/sandbox/vault-swaps", {}, { payload: body })
    assert.strictEqual(sent.status, 202, sent.text)
    return ask("/status-by-transaction-hash", { transactionHash: textAt(sent.body, "transactionHash") })
  }
  const deposit = { address: textAt(body, "address"), amountNative: `${amount}` }
  const sent = yield* ask("/sandbox/deposits", {}, deposit)
  assert.isBelow(sent.status, 300, sent.text)
  return ask("/status-by-id", { swapId: numberAt(body, "id") })
})

withOwnBroker({ PROVIDERS: providers.join() })(
  `${wanted} openings beside /limits`,
  (it) => {
    it.effect("begin at each minimum, end with a payout, and are refused beyond it", function* () {
      const counts = new Map<string, number>()
      const surprises: Array<string> = []
      const paid: Array<{ readonly name: string; readonly record: ReturnType<typeof ask> }> = []
      let openings = 0

      const expectOf = (way: Way, kind: string, answer: Answer, ...allowed: ReadonlyArray<string>) => {
        openings += 1
        const refused = find(answer.body, "errors", "minimalAmountNative", 0)
        const outcome = answer.status === 200 ? "opened" : `refused ${refused ?? ""}`.trim()
        const name = `${way.platform} ${kind}: ${outcome === "opened" ? "opened" : "refused"}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
        const isExpected = allowed.includes(outcome) || allowed.includes("refused") && answer.status === 400
        if (!isExpected) {
          surprises.push(`${way.platform} ${way.source} → ${way.destination} ${kind}: ${answer.text}`)
        }
        return answer.status === 200
      }

      const tryWay = Effect.fnUntraced(function* (way: Way, limits: Json) {
        const minimum = amountAt(limits, "minimumAmountNative")
        const maximum = amountAt(limits, "maximumAmountNative")
        if (minimum === undefined) {
          const amount = BigInt(typicalAmount(way.source))
          expectOf(way, "without a stated minimum", yield* begin(way, amount), "opened")
          return
        }
        const at = yield* begin(way, minimum)
        if (expectOf(way, "at the minimum", at, "opened") && openings % oneIn < 2) {
          const name = `${way.platform} ${way.source} → ${way.destination} ${way.path} ${minimum}`
          paid.push({ name, record: yield* pay(way, at, minimum) })
        }
        if (minimum > 1n) {
          // Where the price decides what can be paid out, a hundredth more is told than is taken.
          const isByPrice = way.platform === "thorchain" || way.platform === "maya"
          const allowed = isByPrice ? ["refused", "opened"] : [`refused ${minimum}`]
          expectOf(way, "one unit below", yield* begin(way, minimum - 1n), ...allowed)
        }
        if (maximum === undefined) return
        expectOf(way, "at the maximum", yield* begin(way, maximum), "opened")
        expectOf(way, "one unit above", yield* begin(way, maximum + 1n), "refused")
      })

      for (const pair of pairs) {
        if (openings >= wanted) break
        const { destination: destinationAsset, source: sourceAsset } = pair
        const body = (yield* ask("/limits", { sourceAsset, destinationAsset, start: "any" })).body
        const told = listAt(body, "limits").map((limits) => textAt(limits, "platform"))
        const due = providers.filter((provider) =>
          served[provider].sources.includes(pair.source) &&
          served[provider].destinations.includes(pair.destination)
        )
        assert.includeMembers(told, due, `${sourceAsset} to ${destinationAsset}`)
        for (const limits of listAt(body, "limits")) {
          for (const path of listAt(limits, "startPaths")) {
            yield* tryWay({ ...pair, platform: textAt(limits, "platform"), path: `${path}` }, limits)
          }
        }
      }
      yield* ask("/sandbox/time", {}, { advanceSeconds: 6 * 3_600 })
      for (const { name, record } of paid) {
        const status = find((yield* record).body, "status") ?? null
        if (textAt(status, "state") !== "completed" || find(status, "swapEgress") === undefined) {
          surprises.push(`${name} was paid: ${JSON.stringify(status).slice(0, 600)}`)
        }
      }
      for (const [kind, count] of counts) console.log(`${kind}: ${count}`)
      console.log(`${openings} openings, ${paid.length} paid, ${surprises.length} surprises`)
      assert.deepStrictEqual(surprises.slice(0, 5), [])
      assert.isAtLeast(openings, wanted)
    }, 1_200_000)
  },
)
