import { Context, Effect, Layer } from "effect"
import { publicKey } from "#sandbox/near-intents/signature.ts"
import { Sandbox } from "#sandbox/Sandbox.ts"
import { type Environment, startService } from "#test/support/process.ts"
import { markers } from "./markers.ts"
import { tellingUpstream } from "./tellingUpstream.ts"

/** The settings that are secrets, but for those of the database and of upstreams' places. */
export const secretSettings = { BOOTSTRAP_API_KEY: markers.apiKey, NEAR_INTENTS_TOKEN: markers.token }

/** Nothing may keep a request from the upstreams: neither what they answered before, nor that they misbehaved. */
const askedAlways = {
  QUOTE_GRACE: "10 millis",
  QUOTE_RETRIES: "0",
  STATUS_RETRIES: "0",
  QUOTE_CACHE_TTL: "1 millis",
  QUOTE_REFUSAL_TTL: "1 millis",
  CIRCUIT_MINIMUM_CALLS: "10000",
  CIRCUIT_WINDOW: "10000",
  OPEN_FAILURES: "1000",
  CIRCUIT_RETRY_AFTER_MOST: "1 millis",
}

/**
 * The service as a process of its own that logs all it can, with markers for secrets, and its upstreams behind
 * one that can be made to tell what it was sent. `folder` is where the simulated networks keep what they keep.
 */
export const canaryService = Effect.fnUntraced(function* (place: Environment, folder: string) {
  const networks = Sandbox.layer({
    hostname: "127.0.0.1",
    port: 0,
    speed: 0,
    seed: "canary",
    dataDir: folder,
  })
  const { url: sandboxUrl } = Context.get(yield* Layer.build(networks), Sandbox)
  const upstream = yield* tellingUpstream(sandboxUrl, markers.brokerPath)
  const { host, origin } = upstream.url
  const environment = {
    ...place,
    ...secretSettings,
    ...askedAlways,
    LOG_LEVEL: "trace",
    SANDBOX_URL: sandboxUrl.origin,
    CHAINFLIP_BROKER_URL: `http://operator:${
      encodeURIComponent(markers.brokerPassword)
    }@${host}/${markers.brokerPath}/chainflip/broker`,
    NEAR_INTENTS_URL: `${origin}/near-intents`,
    NEAR_INTENTS_KEY: publicKey,
  }
  return { environment, upstream, service: yield* startService(environment) }
})
