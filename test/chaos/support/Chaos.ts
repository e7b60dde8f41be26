import { layer } from "#test/support/it.ts"
import { Context, Effect, Layer } from "effect"
import { publicKey } from "#sandbox/near-intents/signature.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { broker } from "#test/support/broker.ts"
import { stretchedSettings } from "#test/support/slowness.ts"
import { type Gate, gate } from "./Gate.ts"

/** Gates before the two simulated providers. */
export class Gates extends Context.Service<Gates, {
  readonly chainflip: Gate
  readonly nearIntents: Gate
}>()("swap-broker/test/chaos/Gates") {}

/**
 * The two that have gates. Everything that takes seconds in operation takes a fraction of one
 * here, on a quiet machine.
 */
export const settings = {
  PROVIDERS: "chainflip,near-intents",
  QUOTE_TIMEOUT: "400 millis",
  QUOTE_GRACE: "150 millis",
  QUOTE_RETRIES: "0",
  QUOTE_CACHE_TTL: "1 millis",
  QUOTE_REFUSAL_TTL: "1 millis",
  OPEN_TIMEOUT: "1 second",
  CIRCUIT_OPEN_TIME: "300 millis",
  CIRCUIT_OPEN_TIME_MOST: "300 millis",
  CIRCUIT_RETRY_AFTER_MOST: "300 millis",
  TRACKER_INTERVAL: "1 hour",
}

/** The simulated upstreams; their time stands still. */
export const sandbox = Sandbox.layer({
  hostname: "127.0.0.1",
  port: 0,
  speed: 0,
  seed: "chaos",
  dataDir: "memory",
})

const gates = Layer.effect(
  Gates,
  Effect.gen(function* () {
    const { url } = yield* Sandbox
    return Gates.of({ chainflip: yield* gate(url), nearIntents: yield* gate(url) })
  }),
)

const brokerBehind = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrap(Effect.gen(function* () {
    const { url } = yield* Sandbox
    const { chainflip, nearIntents } = yield* Gates
    return broker(stretchedSettings({
      ...settings,
      SANDBOX_URL: url.origin,
      CHAINFLIP_BACKEND_URL: `${chainflip.url.origin}/chainflip/backend`,
      CHAINFLIP_NODE_URL: `${chainflip.url.origin}/chainflip/node`,
      CHAINFLIP_BROKER_URL: `${chainflip.url.origin}/chainflip/broker`,
      NEAR_INTENTS_URL: `${nearIntents.url.origin}/near-intents`,
      NEAR_INTENTS_KEY: publicKey,
      ...environment,
    }))
  }))

/** A broker over sockets whose two upstreams stand behind gates, for the tests of a file. */
export const withGates = (environment: Readonly<Record<string, string>> = {}) =>
  layer(
    brokerBehind(environment).pipe(Layer.provideMerge(gates), Layer.provide(sandbox)),
    { excludeTestServices: true },
  )
