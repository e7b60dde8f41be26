import { Effect, Layer, Redacted } from "effect"
import { make } from "#test/outside/template/provider.ts"
import { FakeExchange } from "#test/providers/template/FakeExchange.ts"
import { MemoryUpstream } from "#test/support/memoryProvider/MemoryUpstream.ts"
import { suite } from "./Provider.ts"
import { Upstream } from "./Upstream.ts"
import { template } from "./template/fixtures.ts"

const provider = make({
  url: new URL("https://exchange.test"),
  apiKey: Redacted.make("top-secret"),
  explorerUrl: "https://exchange.test/orders/{channelId}",
})

const upstream = Layer.effect(
  Upstream,
  Effect.gen(function* () {
    const exchange = yield* FakeExchange
    const { heal, inventStates, openings } = yield* MemoryUpstream
    return Upstream.of({
      openings,
      inventStates,
      heal: Effect.andThen(heal, exchange.heal),
    })
  }),
)

suite(
  "of the template, over a fake HTTP client",
  provider,
  upstream.pipe(Layer.provideMerge(FakeExchange.layer), Layer.provideMerge(MemoryUpstream.layer)),
  template,
)
