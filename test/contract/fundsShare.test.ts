import { assert } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { type Answer, call, get, type Options, withOwnBroker } from "./support/call.ts"
import { find, integerAt, listAt, pick, textAt } from "./support/Json.ts"
import { issue, newAccount } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"
import { network, openSwap, swapParameters } from "./support/swaps.ts"

const pair = { sourceAsset: "eth.eth", destinationAsset: "btc.btc", amount: "1" }
const byChannel = swapParameters({ ...pair, platform: "chainflip" })

/** An account of its own, and how it opens a channel. */
const fresh = Effect.gen(function* () {
  const account = yield* newAccount()
  const { key } = yield* issue(account)
  const open = (query = byChannel) => call("GET", "/swap", { query, key })
  const quotes = (options: Options = {}) => call("GET", "/quotes", { query: pair, key, ...options })
  return { account, key, open, quotes }
})

const statusOf = ({ headers }: Answer): string => headers.get("provider-status") ?? ""
const platforms = (body: Parameters<typeof listAt>[0]) =>
  listAt(body).map((quote) => textAt(quote, "platform"))

withOwnBroker({ PROVIDERS: "chainflip,near-intents", FUNDS_RESERVE: "2", QUOTE_GRACE: "1 minute" })(
  "an account's share of the operator's funds",
  (it) => {
    it.effect("stops one account with a stable code, is told with its offers, and leaves the others theirs", function* () {
      const [greedy, modest] = [yield* fresh, yield* fresh]
      // A channel costs 0.01 FLIP, and its transaction 0.002.
      yield* network("setFlip", { free: `${24n * 10n ** 16n}` })
      assert.strictEqual(statusOf(yield* greedy.quotes()), "chainflip;ok, near-intents;ok")
      const answers = yield* Effect.forEach(
        Array.from({ length: 24 }),
        () => greedy.open(),
        { concurrency: 4 },
      )
      // Those under way at once may be refused for each other: what is left of the share is opened one by one.
      const isTold = Effect.gen(function* () {
        if (statusOf(yield* greedy.quotes()).includes("too_many_channels")) return true
        answers.push(yield* greedy.open())
        return false
      })
      yield* Effect.repeat(isTold, {
        until: (told) => told,
        schedule: Schedule.spaced("300 millis"),
        times: 40,
      })
      const opened = answers.filter(({ status }) => status === 200)
      const refused = answers.filter(({ status }) => status !== 200)
      assert.isAtLeast(opened.length, 8)
      assert.isAtMost(opened.length, 12)
      for (const answer of refused) {
        assertFailure(answer, 503, "too_many_channels")
        assert.notMatch(textAt(answer.body, "detail"), /flip|fund/i)
        assert.isTrue(answer.headers.has("retry-after"))
      }
      const told = yield* greedy.quotes()
      assert.deepStrictEqual([...new Set(platforms(told.body))], ["near-intents"])
      assert.strictEqual(statusOf(told), 'chainflip;code="too_many_channels", near-intents;ok')
      const { body: any } = yield* greedy.quotes({ query: { ...pair, start: "any" } })
      const chainflip = pick(any, (quote) => textAt(quote, "platform") === "chainflip")
      assert.deepStrictEqual<unknown>(find(chainflip, "startPaths"), ["/tx-payload/evm"])
      // Another provider opens for it, and this one for another account.
      const other = yield* openSwap(pair, { key: greedy.key })
      assert.strictEqual(textAt(other, "platform"), "near-intents")
      assert.include(platforms((yield* modest.quotes()).body), "chainflip")
      assert.strictEqual((yield* modest.open()).status, 200)

      const treasury = pick(
        yield* get("/operator/treasury"),
        (one) => textAt(one, "provider") === "chainflip",
      )
      const taker = pick(find(treasury, "funds", "takers") ?? [], () => true)
      assert.strictEqual(textAt(taker, "account"), greedy.account)
      assert.strictEqual(integerAt(taker, "channels"), opened.length)
      const metrics = yield* call("GET", "/metrics")
      const count = /swap_broker_openings_over_share_total\{provider="chainflip"\} (\d+)/.exec(metrics.text)
      assert.isAtLeast(Number(count?.[1] ?? 0), refused.length)
    })
  },
)
