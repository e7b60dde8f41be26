import { assert, channelsOf, describe, it, statusIn, TestClock } from "../support.ts"
import { Context, Effect, Layer } from "effect"
import { Guard } from "#providers/guard/Guard.ts"
import { guardLayer } from "../guard/support.ts"
import { type Asked, providerOver, reasonOf, type Reply, result } from "./fakeChainflip.ts"
import { regular } from "./fixtures/quotes.ts"
import { channelId, waiting } from "./fixtures/swaps.ts"
import { quoteRequest } from "./requests.ts"

const quotePath = "/chainflip/backend/v2/quote"
const swapPath = `/chainflip/backend/v2/swaps/${channelId}`
const channel = { issuedBlock: 14138313, network: "Bitcoin", channelId: 77 } as const

const tooMany: Reply = { status: 429, body: { message: "Too many requests, please try again later" } }

const countOf = (asked: ReadonlyArray<Asked>, path: string) =>
  asked.filter(({ url }) => url.pathname === path).length

/** What the backend answers once, and then. */
const first = (once: Reply, then: Reply) => {
  let answers = 0
  return () => answers++ === 0 ? once : then
}

describe("a limit of the swap backend's that names no time", () => {
  it.effect("shuts quotes for five minutes, and nothing else", () =>
    Effect.flatMap(
      providerOver({ [quotePath]: first(tooMany, { body: [regular] }), [swapPath]: { body: waiting } }),
      ([bare, asked]) =>
        Effect.scoped(Effect.gen(function* () {
          const provider = Context.get(yield* Layer.build(guardLayer()), Guard).wrap(bare)
          assert.strictEqual((yield* reasonOf(provider.quotes(quoteRequest)))._tag, "RateLimited")
          yield* TestClock.adjust("299 seconds")
          assert.strictEqual((yield* reasonOf(provider.quotes(quoteRequest)))._tag, "NotCalled")
          assert.strictEqual(countOf(asked, quotePath), 1)
          assert.isAbove((yield* provider.assets).length, 0)
          yield* channelsOf(provider).status(channel, statusIn("waiting"))
          yield* TestClock.adjust("1 second")
          assert.strictEqual((yield* provider.quotes(quoteRequest)).length, 1)
        })),
    ))

  it.effect("shuts look-ups for ten minutes", () =>
    Effect.flatMap(
      providerOver({ [swapPath]: first(tooMany, { body: waiting }), [quotePath]: { body: [regular] } }),
      ([bare, asked]) =>
        Effect.scoped(Effect.gen(function* () {
          const provider = Context.get(yield* Layer.build(guardLayer()), Guard).wrap(bare)
          const look = channelsOf(provider).status(channel, statusIn("waiting"))
          assert.strictEqual((yield* reasonOf(look))._tag, "RateLimited")
          yield* TestClock.adjust("599 seconds")
          assert.deepInclude(yield* reasonOf(look), { _tag: "NotCalled", retryAfterSeconds: 1 })
          assert.strictEqual(countOf(asked, swapPath), 1)
          assert.strictEqual((yield* provider.quotes(quoteRequest)).length, 1)
          yield* TestClock.adjust("1 second")
          yield* look
        })),
    ))

  it.effect("is as long as it says where it does", function* () {
    const [provider] = yield* providerOver({
      [quotePath]: { ...tooMany, headers: { "retry-after": "7" } },
      cf_account_info: result({}),
    })
    const reason = yield* reasonOf(provider.quotes(quoteRequest))
    assert.deepInclude(reason, { _tag: "RateLimited", retryAfterSeconds: 7 })
    assert.notProperty(reason, "isShut")
  })
})
