import { Effect, Layer } from "effect"
import { brokerOfTwo } from "#test/contract/support/accounts.ts"
import { laterClock } from "./later.ts"
import { Middleman } from "./Middleman.ts"
import { nodePayloadScenes } from "./nodePayloads.ts"
import { paymentScenes } from "./payments.ts"
import { requestScenes } from "./requests.ts"
import { statusScenes } from "./status.ts"
import { vaultSwap } from "./vaultSwaps.ts"

/** Nothing is kept, nothing is told of failures but their answers, and nobody asks but the test. */
const settings = {
  PROVIDERS: "chainflip,near-intents,relay,thorchain,maya",
  QUOTE_CACHE_TTL: "1 millis",
  QUOTE_REFUSAL_TTL: "1 millis",
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
  OPEN_FAILURES: "1000",
  TRACKER_INTERVAL: "1 hour",
}

/** The service, with somebody between it and its upstreams. */
export const stageWith = (more: Readonly<Record<string, string>>) =>
  Layer.unwrap(
    Effect.map(Middleman, ({ url }) => brokerOfTwo({ ...settings, SANDBOX_URL: url.origin, ...more })),
  ).pipe(Layer.provideMerge(Middleman.layer), Layer.provide(laterClock))

export const stage = stageWith({})

/** The same with v3 of Relay's quotes. */
export const stageOverV3 = stageWith({ RELAY_QUOTE_VERSION: "v3" })

/** Everything that is asked while an upstream's answer is changed. */
export const scenes = Effect.gen(function* () {
  return [
    ...requestScenes,
    ...nodePayloadScenes,
    yield* vaultSwap,
    ...(yield* statusScenes),
    ...(yield* paymentScenes),
  ]
})
