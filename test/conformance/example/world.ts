import { clientOver, Upstream } from "@swap-broker/core/conformance"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { HttpClient } from "effect/http"
import { makeExchange, type Trouble } from "./exchange.ts"
import { make } from "./provider.ts"

/** The exchange, in the time of the tests and without a socket. */
export class Exchange
  extends Context.Service<Exchange, ReturnType<typeof makeExchange>>()("example/Exchange") {}

/** The operator's key there. */
const key = "a key"

const exchange = Layer.effect(
  Exchange,
  Effect.map(Clock.Clock, (clock) => makeExchange(key, () => clock.currentTimeMillisUnsafe())),
)

const client = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(Exchange, ({ handle }) => clientOver(handle)),
)

/** The exchange behind a client, for the kit. */
export const world = Layer.effect(
  Upstream,
  Effect.map(Exchange, ({ be, openings, rename }) => ({
    openings: Effect.sync(openings),
    inventStates: Effect.sync(() => rename("dreaming")),
    heal: Effect.sync(() => be(undefined)),
  })),
).pipe(Layer.merge(client), Layer.provideMerge(exchange))

/** From now on the exchange answers otherwise. */
export const being = (trouble: Trouble) =>
  Effect.flatMap(Exchange, ({ be }) => Effect.sync(() => be(trouble)))

/** The provider over the exchange. */
export const overExchange = make({ url: new URL("https://example.test"), apiKey: Redacted.make(key) })
