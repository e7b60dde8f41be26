import { assert, describe, it } from "./support.ts"
import { Effect } from "effect"
import type { ProviderError } from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import { Guard } from "#providers/guard/Guard.ts"
import type { Provider } from "#providers/Provider.ts"
import { maya } from "#providers/thorchain/networks.ts"
import { Exchange, overExchange, world } from "#test/conformance/example/world.ts"
import * as Chainflip from "./chainflip/fakeChainflip.ts"
import { regular } from "./chainflip/fixtures/quotes.ts"
import { quoteRequest as ofChainflip } from "./chainflip/requests.ts"
import type { Answer, Provided, Reply } from "./fakeUpstream.ts"
import { guardLayer } from "./guard/support.ts"
import * as OneClick from "./near-intents/fakeOneClick.ts"
import { quoteRequest as ofOneClick } from "./near-intents/requests.ts"
import * as Relay from "./relay/fakeRelay.ts"
import * as Node from "./thorchain/fakeNode.ts"
import * as bodies from "./thorchain/bodies.ts"

/** Refusals in words that nobody knows, half of them without a `message`. */
const words: ReadonlyArray<Reply> = [
  { status: 400, body: { message: "the moon is full" } },
  { status: 404, body: { error: { message: "no such lane" } } },
  { status: 409, body: { type: "about:blank", title: "Not today", status: 409, detail: "the moon is full" } },
  { status: 422, body: { code: 12, message: "invalid thing", details: [] } },
  { status: 400, body: { errorCode: "NEVER_HEARD_OF" } },
  { status: 422, body: { errors: [{ detail: "the moon is full" }] } },
]

/** A provider whose upstream answers quotes like this, or as on an ordinary day. */
type Over = (quote?: Answer) => Effect.Effect<Provided>

const { amount, commissionBps, destinationAsset, sourceAsset } = bodies.request
const ofNodes = { sourceAsset, destinationAsset, amount, commissionBps }

const mayaBlocks = { body: [{ chain: "BTC", mayachain: 9_000_000 }] }

const providers: ReadonlyArray<readonly [name: string, over: Over, request: QuoteRequest]> = [
  [
    "chainflip",
    (quote = { body: [regular] }) => Chainflip.providerOver({ "/chainflip/backend/v2/quote": quote }),
    ofChainflip,
  ],
  ["near-intents", (dry) => OneClick.providerOver(dry === undefined ? {} : { dry }), ofOneClick],
  ["relay", (price) => Relay.providerOver(price === undefined ? {} : { price }), Relay.swapRequest],
  ["thorchain", (quote) => Node.providerOver(quote === undefined ? {} : { quote }), ofNodes],
  [
    "maya",
    (quote) =>
      Node.providerOver(
        quote === undefined ? { lastBlock: mayaBlocks } : { quote, lastBlock: mayaBlocks },
        { family: maya },
      ),
    ofNodes,
  ],
]

const tagOf = (asking: Effect.Effect<unknown, ProviderError>) =>
  Effect.map(
    Effect.result(asking),
    (result) => result._tag === "Failure" ? result.failure.reason._tag : "quoted",
  )

/** Quotes of a pair that is refused and of another one, in turn; of each what came of it. */
const inTurn = Effect.fnUntraced(function* (refused: Provider, honest: Provider, request: QuoteRequest) {
  const guard = yield* Guard
  const [bad, good] = [guard.wrap(refused), guard.wrap(honest)]
  const told = { refused: new Array<string>(), honest: new Array<string>() }
  for (let round = 0; round < 15; round++) {
    told.refused.push(yield* tagOf(bad.quotes(request)))
    told.honest.push(yield* tagOf(good.quotes(request)))
  }
  return told
})

const quotesOf = (quoted: ReadonlyArray<string>) => quoted.filter((tag) => tag === "quoted").length

describe("15 refusals of one pair in unknown words (decision 61)", () => {
  it.effect.each(providers)("leave %s to all others", function* ([, over, request]) {
    let next = 0
    const [refused] = yield* over(() => words[next++ % words.length] ?? { body: "" })
    const [honest] = yield* over()
    // The refusals alone come first, so that nothing between them keeps the circuit closed.
    const told = yield* Effect.gen(function* () {
      const bad = (yield* Guard).wrap(refused)
      for (let round = 0; round < 15; round++) {
        assert.strictEqual(yield* tagOf(bad.quotes(request)), "UpstreamFailed")
      }
      return yield* inTurn(refused, honest, request)
    }).pipe(Effect.provide(guardLayer()))
    assert.strictEqual(quotesOf(told.honest), 15)
    assert.deepStrictEqual([...new Set(told.refused)], ["UpstreamFailed"])
  })

  const own: ReadonlyArray<Reply> = [
    { status: 500, body: { message: "unknown error" } },
    { status: 401, body: { message: "no key" } },
    { status: 403, body: { message: "not you" } },
    { status: 410, body: { message: "this endpoint is retired" } },
    { status: 400, body: "<html>no</html>" },
  ]
  for (const reply of own) {
    it.effect.each(providers)(
      `%s rests after failures of its own: ${reply.status} ${JSON.stringify(reply.body)}`,
      function* ([, over, request]) {
        const [failing] = yield* over(reply)
        const [honest] = yield* over()
        const told = yield* Effect.gen(function* () {
          const bad = (yield* Guard).wrap(failing)
          for (let round = 0; round < 15; round++) yield* tagOf(bad.quotes(request))
          return yield* tagOf((yield* Guard).wrap(honest).quotes(request))
        }).pipe(Effect.provide(guardLayer()))
        assert.strictEqual(told, "NotCalled")
      },
    )
  }
})

describe("The provider that new ones begin with", () => {
  it.effect("takes a refusal in unknown words for what it is", function* () {
    yield* Effect.gen(function* () {
      const { be } = yield* Exchange
      const provider = (yield* Guard).wrap(yield* overExchange)
      const request = { ...ofOneClick }
      for (let round = 0; round < 15; round++) {
        const { body, status = 400 } = words[round % words.length] ?? { body: "" }
        be({ status, body })
        assert.strictEqual(yield* tagOf(provider.quotes(request)), "UpstreamFailed")
      }
      be(undefined)
      assert.notStrictEqual(yield* tagOf(provider.quotes(request)), "NotCalled")
      for (let round = 0; round < 30; round++) {
        be({ status: 500, body: { code: "novel", message: "oops" } })
        yield* tagOf(provider.quotes(request))
      }
      assert.strictEqual(yield* tagOf(provider.quotes(request)), "NotCalled")
    }).pipe(Effect.provide([world, guardLayer()]))
  })
})
