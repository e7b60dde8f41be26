import { Context, Effect, Layer } from "effect"
import type { Provider } from "./journeys.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { brokerInProcess } from "#test/support/broker.ts"
import { laterClock } from "#test/tampering/support/later.ts"
import { type Chainflip, chainflipAccount, makeChainflip } from "./chainflip.ts"
import { replay } from "./upstream.ts"

/** The networks that see a transaction: no chain carries it to them. */
export class Networks extends Context.Service<Networks, {
  /** The providers whose networks these are. */
  readonly providers: ReadonlyArray<Provider>
  readonly chainflip: Chainflip
  readonly sandboxUrl: URL
}>()("swap-broker/test/replayed/Networks") {}

const patient = {
  // The networks count requests: the service may not ask by itself.
  WIRE_WITNESS_INTERVAL: "0",
  STATUS_MAX_AGE: "0",
  TRACKER_INTERVAL: "1 hour",
  QUOTE_CACHE_TTL: "1 millis",
}

const chainflip = makeChainflip()

/** The simulated networks that are made of recorded answers. */
const ofSandbox = ["near-intents", "relay", "thorchain", "maya"] as const

/** A service for the providers whose simulated networks answer with what was recorded of the real ones. */
export const simulated = Layer.unwrap(Effect.map(Sandbox, ({ url }) =>
  Layer.merge(
    Layer.succeed(Networks, { providers: ofSandbox, chainflip, sandboxUrl: url }),
    brokerInProcess({ ...patient, SANDBOX_URL: url.origin, PROVIDERS: ofSandbox.join() }),
  ))).pipe(
    Layer.provide(
      Layer.unwrap(Effect.map(currentMillis, (genesis) =>
        Sandbox.layer({
          hostname: "127.0.0.1",
          port: 0,
          speed: 1,
          seed: "replayed",
          genesis,
          dataDir: "memory",
        }))),
    ),
    Layer.provide(laterClock),
  )

/** A service in live mode for Chainflip, which answers with what was recorded on its real network. */
export const replayed = Layer.unwrap(Effect.gen(function* () {
  const backend = yield* replay(chainflip.backend)
  const rpc = yield* replay(chainflip.rpc)
  return Layer.merge(
    Layer.succeed(Networks, { providers: ["chainflip"], chainflip, sandboxUrl: backend }),
    brokerInProcess({
      ...patient,
      MODE: "live",
      PROVIDERS: "chainflip",
      CHAINFLIP_BACKEND_URL: backend.href,
      CHAINFLIP_NODE_URL: rpc.href,
      CHAINFLIP_BROKER_URL: rpc.href,
      CHAINFLIP_BROKER_ACCOUNT: chainflipAccount,
    }),
  )
})).pipe(Layer.provide(laterClock))
