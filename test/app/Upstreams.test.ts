import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option, Redacted } from "effect"
import { Upstreams } from "../../src/app/Upstreams.ts"
import { brokerAccount } from "../../src/sandbox/engine/constants.ts"
import { publicKey } from "../../src/sandbox/near-intents/signature.ts"
import { type Environment, live, readFrom } from "../config/read.ts"

const upstreams = Effect.fnUntraced(function* (env: Environment) {
  const settings = yield* readFrom(env)
  return yield* Effect.provide(Upstreams, Upstreams.layer(settings))
})

const secretOf = (url: Redacted.Redacted<URL> | undefined): string | undefined =>
  url === undefined ? undefined : Redacted.value(url).href

describe("Upstreams", () => {
  it.effect("are those of a shared sandbox where its URL is set", () =>
    Effect.gen(function* () {
      const { sandboxUrl, providers: { chainflip } } = yield* upstreams({
        SANDBOX_URL: "http://127.0.0.1:9944",
      })
      assert.deepStrictEqual(
        Option.map(sandboxUrl, ({ origin }) => origin),
        Option.some("http://127.0.0.1:9944"),
      )
      assert.strictEqual(chainflip?.backendUrl.href, "http://127.0.0.1:9944/chainflip/backend")
      assert.strictEqual(chainflip?.nodeUrl.href, "http://127.0.0.1:9944/chainflip/node")
      assert.strictEqual(secretOf(chainflip?.brokerUrl), "http://127.0.0.1:9944/chainflip/broker")
      assert.strictEqual(chainflip?.brokerAccount, brokerAccount)
      assert.deepStrictEqual(chainflip?.environmentMaxAge, Duration.zero)
    }))

  it.effect("can be elsewhere one by one", () =>
    Effect.gen(function* () {
      const { providers: { chainflip } } = yield* upstreams({
        SANDBOX_URL: "http://127.0.0.1:9944",
        CHAINFLIP_NODE_URL: "http://node.test:1/rpc",
        CHAINFLIP_EXPLORER_URL: "https://explorer.test/{channelId}",
      })
      assert.strictEqual(chainflip?.nodeUrl.href, "http://node.test:1/rpc")
      assert.strictEqual(chainflip?.backendUrl.host, "127.0.0.1:9944")
      assert.strictEqual(chainflip?.explorerUrl, "https://explorer.test/{channelId}")
    }))

  it.effect("are those of the settings in live mode, and never simulated", () =>
    Effect.gen(function* () {
      const { sandboxUrl, providers: { chainflip } } = yield* upstreams({
        ...live,
        SANDBOX_URL: "http://127.0.0.1:9944",
      })
      assert.isTrue(Option.isNone(sandboxUrl))
      assert.strictEqual(chainflip?.backendUrl.href, "https://backend.test/v2")
      assert.strictEqual(chainflip?.nodeUrl.href, "https://node.test/")
      assert.strictEqual(secretOf(chainflip?.brokerUrl), "https://broker.test/secret")
      assert.strictEqual(chainflip?.brokerAccount, brokerAccount)
      assert.notProperty(chainflip ?? {}, "environmentMaxAge")
    }))

  it.effect("are only those providers in live mode whose places are set", () =>
    Effect.gen(function* () {
      const { providers } = yield* upstreams({ MODE: "live", NEAR_INTENTS_URL: "https://oneclick.test" })
      assert.notProperty(providers, "chainflip")
      assert.strictEqual(providers.nearIntents?.url.href, "https://oneclick.test/")
      assert.notProperty((yield* upstreams(live)).providers, "nearIntents")
    }))

  it.effect("sign their quotes with the sandbox's key where they are simulated", () =>
    Effect.gen(function* () {
      const { providers: { nearIntents } } = yield* upstreams({ SANDBOX_URL: "http://127.0.0.1:9944" })
      assert.strictEqual<string | undefined>(nearIntents?.publicKey, publicKey)
      assert.strictEqual(nearIntents?.url.href, "http://127.0.0.1:9944/near-intents")
    }))

  it.effect("are missing in live mode without settings, which names each of them", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(upstreams({ MODE: "live" }))
      assert.deepStrictEqual(error._tag === "SettingsWrong" ? error.issues : error, [
        "CHAINFLIP_BACKEND_URL is required with MODE=live",
        "CHAINFLIP_NODE_URL is required with MODE=live",
        "CHAINFLIP_BROKER_URL is required with MODE=live",
        "CHAINFLIP_BROKER_ACCOUNT is required with MODE=live",
      ])
    }))

  const needed = [
    "CHAINFLIP_BACKEND_URL",
    "CHAINFLIP_NODE_URL",
    "CHAINFLIP_BROKER_URL",
    "CHAINFLIP_BROKER_ACCOUNT",
  ]

  it.effect.each(needed)("need %s in live mode", (name) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(upstreams({ ...live, [name]: "" }))
      assert.include(error.message, `\n  ${name} is required with MODE=live`)
      assert.notInclude(error.message, "secret")
    }))
})
