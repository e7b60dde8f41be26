import { Effect, Layer, Redacted } from "effect"
import { make } from "../../src/providers/template/provider.ts"
import { FakeExchange } from "../providers/template/FakeExchange.ts"
import { MemoryUpstream } from "../support/memoryProvider/MemoryUpstream.ts"
import { suite } from "./Provider.ts"
import { Subject, Upstream } from "./Subject.ts"
import { template } from "./template/fixtures.ts"

const provider = Layer.effect(
  Subject,
  make({
    url: new URL("https://exchange.test"),
    apiKey: Redacted.make("top-secret"),
    explorerUrl: "https://exchange.test/orders/{channelId}",
  }),
)

const upstream = Layer.effect(
  Upstream,
  Effect.gen(function* () {
    const exchange = yield* FakeExchange
    const { deposit, heal, inventStates, openings } = yield* MemoryUpstream
    return Upstream.of({
      openings,
      deposit: ({ channel }, amount) => deposit(channel.id, amount),
      loseAnswers: exchange.trouble({ _tag: "Cut" }),
      inventStates,
      heal: Effect.andThen(heal, exchange.heal),
    })
  }),
)

suite(
  "of the template, over a fake HTTP client",
  Layer.mergeAll(provider, upstream).pipe(
    Layer.provideMerge(FakeExchange.layer),
    Layer.provideMerge(MemoryUpstream.layer),
  ),
  template,
)
