import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressFor } from "./addresses.ts"
import { call } from "./call.ts"
import { at, find, type Json, JsonNumber, listAt, objectAt, textAt } from "./Json.ts"

/** Amounts of 18 decimals, whose last digits no double has. */
const amounts = Array.from(
  { length: 40 },
  (_, index) => `${1_999_999_999_999_999_999n + 7_777_777_777_777_777n * BigInt(index)}`,
)

const pair = { sourceAsset: "eth.eth", destinationAsset: "btc.btc" }
const addresses = { destinationAddress: addressFor("btc.btc"), refundAddress: addressFor("eth.eth") }

/** The parameters as a client has them whose parser reads every number as a double. */
const asDoubles = (json: Json): object =>
  Object(
    JSON.parse(JSON.stringify(json, (_, value) => value instanceof JsonNumber ? Number(value.text) : value)),
  )

/** Opens the quotes of so many amounts as such a client does; how many opened for their amount, by provider. */
export const openedExactly = Effect.fnUntraced(function* (count: number) {
  const equal = new Map<string, number>()
  for (const amount of amounts.slice(0, count)) {
    const answer = yield* call("GET", "/quotes-native", {
      query: { ...pair, ...addresses, amount, start: "any" },
    })
    assert.strictEqual(answer.status, 200, answer.text)
    const seen = new Set<string>()
    for (const quote of listAt(answer.body)) {
      const platform = textAt(quote, "platform")
      if (seen.has(platform)) continue
      seen.add(platform)
      const [path] = listAt(quote, "startPaths")
      // A channel that takes any amount is opened for that of the quote by its id.
      const body = {
        ...asDoubles(objectAt(quote, "swapParameters")),
        ...addresses,
        ...(platform === "chainflip" ? { quoteId: textAt(quote, "quoteId") } : {}),
      }
      const opened = yield* call("POST", `${path}`, { body })
      assert.strictEqual(opened.status, 200, opened.text)
      const told = find(opened.body, "payment", "amountNative") ?? find(opened.body, "value")
      assert.strictEqual(told, textAt(quote, "ingressAmountNative"), `${platform} ${opened.text}`)
      assert.isUndefined(find(at(quote, "swapParameters"), "amount"))
      equal.set(platform, (equal.get(platform) ?? 0) + 1)
    }
  }
  return Object.fromEntries(equal)
})

/** So many of each of the five providers. */
export const ofEach = (count: number) =>
  Object.fromEntries(["chainflip", "near-intents", "relay", "thorchain", "maya"].map((name) => [name, count]))

/** The settings of a service with all of them. */
export const ofFive = {
  PROVIDERS: "chainflip,near-intents,relay,thorchain,maya",
  QUOTE_GRACE: "1 minute",
  OPEN_CHANNELS_MOST: "1000",
}
