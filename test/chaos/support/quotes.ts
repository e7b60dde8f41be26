import { assert } from "@effect/vitest"
import { Duration, Effect, Schedule } from "effect"
import { type Answer, call } from "#test/contract/support/call.ts"
import { isList, textAt } from "#test/contract/support/Json.ts"

let asked = 0

/** What to ask quotes for: another amount each time, so that no answer of before can be reused. */
export const anotherQuery = () => ({
  sourceAsset: "btc.btc",
  destinationAsset: "eth.eth",
  amount: `${20_000_000 + asked++}`,
  start: "any",
})

/** Asks for quotes of another amount each time; what is answered has to fit the contract. */
export const askQuotes = Effect.suspend(() => call("GET", "/quotes-native", { query: anotherQuery() }))

/** Whose quotes an answer holds, in the order of the alphabet. */
export const platformsIn = ({ body, status, text }: Answer): ReadonlyArray<string> => {
  assert.strictEqual(status, 200, text)
  assert.isTrue(isList(body), text)
  const platforms = isList(body) ? body.map((quote) => textAt(quote, "platform")) : []
  return [...new Set(platforms)].toSorted()
}

/** Whose quotes are answered now. */
export const quoting = Effect.map(askQuotes, platformsIn)

/** Asks until so many providers quote; how long that took, in milliseconds. */
export const untilQuoting = (providers: number) =>
  Effect.map(
    Effect.timed(
      Effect.repeat(askQuotes, {
        until: (answer) => answer.status === 200 && platformsIn(answer).length === providers,
        schedule: Schedule.spaced(Duration.millis(20)),
        times: 6_000,
      }),
    ),
    ([took]) => Duration.toMillis(took),
  )

/** Asks until both providers quote. */
export const untilBothQuote = untilQuoting(2)
