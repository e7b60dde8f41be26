import { assert, describe, it } from "#test/support/it.ts"
import { ConfigProvider, Duration, Effect, Option, Redacted } from "effect"
import { ProviderName } from "#domain/ProviderName.ts"
import { productionKey } from "#providers/near-intents/signature.ts"
import { builtIn, ProviderDefinitions } from "#providers/mod.ts"
import { readEnabledProviders } from "#settings.ts"
import { announced } from "#sandbox/announced.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { publicKey } from "#sandbox/near-intents/signature.ts"
import { type Environment, live, readFrom, valueFrom } from "./read.ts"
import { chainflipSettings } from "#providers/chainflip/settings.ts"
import { settingsOfSimulated, simulatedNames } from "#test/support/simulated.ts"
import { bazaar, withBazaar } from "#test/support/bazaar.ts"
import { nearIntentsSettings } from "#providers/near-intents/settings.ts"

const sandboxUrl = new URL("http://127.0.0.1:9944")

const configured = Effect.fnUntraced(function* (env: Environment) {
  const { providersAt } = yield* readFrom(env)
  return yield* providersAt(Option.some(sandboxUrl))
})

const namesIn = (env: Environment) =>
  Effect.map(configured(env), (all) => all.map(({ name }): string => name))

describe("the settings of providers", () => {
  it.effect("lead to the sandbox in sandbox mode", function* () {
    const chainflip = yield* valueFrom(chainflipSettings, {})
    assert.strictEqual(chainflip.backendUrl.href, "http://127.0.0.1:9944/chainflip/backend")
    assert.strictEqual(chainflip.nodeUrl.href, "http://127.0.0.1:9944/chainflip/node")
    assert.strictEqual(Redacted.value(chainflip.brokerUrl).href, "http://127.0.0.1:9944/chainflip/broker")
    assert.strictEqual(chainflip.brokerAccount, brokerAccount)
    assert.deepStrictEqual(chainflip.environmentMaxAge, Duration.zero)
    const nearIntents = yield* valueFrom(nearIntentsSettings, {})
    assert.strictEqual(nearIntents.url.href, "http://127.0.0.1:9944/near-intents")
    assert.strictEqual<string>(nearIntents.publicKey, publicKey)
    assert.isTrue(nearIntents.simulatedTime)
    assert.deepStrictEqual(nearIntents.feeAccount, Option.some("sandbox-operator.near"))
    assert.deepStrictEqual(yield* namesIn({}), simulatedNames)
  })

  it.effect("hold what upstreams allow in live mode, beside the sandbox only where that is set", function* () {
    const limitsIn = (env: Environment) =>
      Effect.map(
        configured(env),
        (all) =>
          Object.fromEntries(all.map(({ limits, name }) => [name, limits.map(({ perMinute }) => perMinute)])),
      )
    const elsewhere = { ...live, RELAY_URL: "https://relay.test", THORCHAIN_URL: "https://thor.test" }
    assert.deepStrictEqual(yield* limitsIn(elsewhere), { chainflip: [100], relay: [50], thorchain: [60] })
    const agreed = { RELAY_QUOTES_PER_MINUTE: "600", THORCHAIN_REQUESTS_PER_MINUTE: "0" }
    assert.deepStrictEqual(
      yield* limitsIn({ ...elsewhere, ...agreed }),
      { chainflip: [100], relay: [600], thorchain: [] },
    )
    assert.deepStrictEqual(Object.values(yield* limitsIn({})).flat(), [])
    const { maya, relay } = yield* limitsIn({ RELAY_QUOTES_PER_MINUTE: "50" })
    assert.deepStrictEqual({ maya, relay }, { maya: [], relay: [50] })
    const wrong = yield* Effect.flip(limitsIn({ ...elsewhere, RELAY_QUOTES_PER_MINUTE: "many" }))
    assert.match(JSON.stringify(wrong), /RELAY_QUOTES_PER_MINUTE must be a number from 0 to 1000000/)
  })

  it.effect("lead elsewhere one by one", function* () {
    const { backendUrl, nodeUrl, explorerUrl } = yield* valueFrom(chainflipSettings, {
      CHAINFLIP_NODE_URL: "http://node.test:1/rpc",
      CHAINFLIP_EXPLORER_URL: "https://explorer.test/{channelId}",
    })
    assert.strictEqual(nodeUrl.href, "http://node.test:1/rpc")
    assert.strictEqual(backendUrl.host, "127.0.0.1:9944")
    assert.strictEqual(explorerUrl, "https://explorer.test/{channelId}")
  })

  it.effect("lead to real upstreams in live mode, and never to the sandbox", function* () {
    const chainflip = yield* valueFrom(chainflipSettings, live)
    assert.strictEqual(chainflip.backendUrl.href, "https://backend.test/v2")
    assert.strictEqual(chainflip.nodeUrl.href, "https://node.test/")
    assert.strictEqual(Redacted.value(chainflip.brokerUrl).href, "https://broker.test/secret")
    assert.strictEqual(chainflip.brokerAccount, brokerAccount)
    assert.deepStrictEqual(chainflip.environmentMaxAge, Duration.minutes(1))
    const { feeAccount, publicKey, simulatedTime } = yield* valueFrom(nearIntentsSettings, {
      ...live,
      NEAR_INTENTS_URL: "https://oneclick.test",
    })
    assert.strictEqual(publicKey, productionKey)
    assert.isFalse(simulatedTime)
    assert.deepStrictEqual(feeAccount, Option.none())
  })

  it.effect("have the sandbox's time with its key, in live mode too", function* () {
    const { simulatedTime } = yield* valueFrom(nearIntentsSettings, {
      ...live,
      NEAR_INTENTS_URL: "http://127.0.0.1:9944/near-intents",
      NEAR_INTENTS_KEY: publicKey,
    })
    assert.isTrue(simulatedTime)
  })

  const elsewhere = [
    ["a place that is not the sandbox", { NEAR_INTENTS_URL: "https://oneclick.test" }],
    ["another place on the sandbox's port", { NEAR_INTENTS_URL: "http://127.0.0.1:9944/near-intents/v2" }],
  ] as const
  it.effect.each(elsewhere)(
    "do not take the sandbox's key for that of %s",
    function* ([, env]) {
      const unset = yield* valueFrom(nearIntentsSettings, env)
      assert.strictEqual(unset.publicKey, productionKey)
      assert.isFalse(unset.simulatedTime)
      const set = yield* valueFrom(nearIntentsSettings, { ...env, NEAR_INTENTS_KEY: publicKey })
      assert.strictEqual<string>(set.publicKey, publicKey)
      assert.isTrue(set.simulatedTime)
    },
  )

  it.effect("have the sandbox's key where its own place is set, or another provider's", function* () {
    for (
      const env of [
        { NEAR_INTENTS_URL: "http://127.0.0.1:9944/near-intents" },
        { CHAINFLIP_BACKEND_URL: "https://backend.test" },
      ]
    ) {
      const nearIntents = yield* valueFrom(nearIntentsSettings, env)
      assert.strictEqual<string>(nearIntents.publicKey, publicKey)
      assert.isTrue(nearIntents.simulatedTime)
    }
  })

  it.effect("make only those providers in live mode whose places are set", function* () {
    const nearIntents = { MODE: "live", NEAR_INTENTS_URL: "https://oneclick.test" }
    assert.deepStrictEqual(yield* namesIn(nearIntents), ["near-intents"])
    assert.deepStrictEqual(yield* namesIn(live), ["chainflip"])
    const [provider] = yield* configured(nearIntents)
    assert.deepStrictEqual(provider?.places, [
      { setting: "NEAR_INTENTS_URL", url: new URL("https://oneclick.test"), isSimulated: false },
    ])
  })

  it.effect("are told of what is wrong with a provider that is not there", function* () {
    const error = yield* Effect.flip(readFrom({ ...live, NEAR_INTENTS_KEY: "hunter2" }))
    assert.deepStrictEqual(error.issues, [
      "NEAR_INTENTS_KEY must be ed25519: and a public key in base58",
    ])
  })

  const needed = [
    "CHAINFLIP_BACKEND_URL",
    "CHAINFLIP_NODE_URL",
    "CHAINFLIP_BROKER_URL",
    "CHAINFLIP_BROKER_ACCOUNT",
  ]

  it.effect("are missing in live mode without any, which names each of them", function* () {
    const error = yield* Effect.flip(readFrom({ MODE: "live" }))
    assert.strictEqual(error.issues.length, 1)
    assert.match(`${error.issues}`, /^No provider is set: set any of /)
    for (const name of [...needed, "NEAR_INTENTS_URL", "RELAY_URL", "THORCHAIN_URL", "MAYA_URL"]) {
      assert.include(`${error.issues}`, name)
    }
  })

  it.effect.each(needed)("need %s where others of its provider are set", function* (name) {
    const error = yield* Effect.flip(readFrom({ ...live, [name]: "" }))
    const [other] = needed.filter((one) => one !== name)
    assert.deepStrictEqual(error.issues, [`${name} is required where ${other} is set`])
    assert.notInclude(error.message, "secret")
  })

  it.effect("say in sandbox mode, too, why one is required", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readFrom({ BAZAAR_URL: "https://hunter2@bazaar.test" }))
      assert.deepStrictEqual(error.issues, ["BAZAAR_KEY is required where BAZAAR_URL is set"])
    }).pipe(Effect.provideService(ProviderDefinitions, withBazaar)))

  it.effect("say in sandbox mode that a build without simulated providers needs one", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(readFrom({}))
      assert.deepStrictEqual(error.issues, ["No provider is set: set any of BAZAAR_URL (with BAZAAR_KEY)"])
    }).pipe(Effect.provideService(ProviderDefinitions, [bazaar])))

  const all = simulatedNames
  const bazaarSettings = { BAZAAR_URL: "https://bazaar.test", BAZAAR_KEY: "hunter2" }
  const defaults: ReadonlyArray<readonly [string, Environment, ReadonlyArray<string>]> = [
    ["those of the sandbox", {}, all],
    ["another that has its settings, after those of the sandbox", bazaarSettings, [...all, "bazaar"]],
    ["in live mode those with their settings only", live, ["chainflip"]],
    ["in live mode those of both kinds", { ...bazaarSettings, ...live }, ["chainflip", "bazaar"]],
    ["what PROVIDERS names, there or not", { ...live, PROVIDERS: "maya,chainflip" }, ["maya", "chainflip"]],
    ["what PROVIDERS names, where more is set", { ...bazaarSettings, PROVIDERS: "relay" }, ["relay"]],
  ]
  it.effect.each(defaults)("enable %s", ([, env, names]) =>
    Effect.gen(function* () {
      const { enabledProviders } = yield* readFrom(env)
      assert.deepStrictEqual<ReadonlyArray<string>>(enabledProviders, names)
    }).pipe(Effect.provideService(ProviderDefinitions, withBazaar)))

  const commands: ReadonlyArray<readonly [string, Environment, ReadonlyArray<string>]> = [
    ["that has no settings", {}, all],
    ["that is given a live database and nothing else", { MODE: "live" }, builtIn.map(({ name }) => name)],
    ["of a live service, whatever else is wrong", { ...live, PORT: "no" }, ["chainflip"]],
    ["that names providers", { ...live, PROVIDERS: "relay" }, ["relay"]],
  ]
  it.effect.each(commands)("enable the same for a command %s", function* ([, env, names]) {
    const enabled = yield* readEnabledProviders.pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env }))),
    )
    assert.deepStrictEqual<ReadonlyArray<string>>(enabled, names)
  })

  const simulations: ReadonlyArray<readonly [string, Environment, ReadonlyArray<string>]> = [
    ["all that it announces", {}, all],
    ["all but a provider that it does not have", bazaarSettings, all],
    [
      "all but one that goes elsewhere",
      { RELAY_URL: "https://relay.test" },
      all.filter((name) => name !== "relay"),
    ],
    [
      "one whose URL is set to that of the sandbox in use",
      { SANDBOX_URL: sandboxUrl.origin, RELAY_URL: `${sandboxUrl.origin}/relay` },
      all,
    ],
    [
      "all but one of whose places one is elsewhere",
      { CHAINFLIP_NODE_URL: "https://node.test" },
      all.filter((name) => name !== "chainflip"),
    ],
  ]
  it.effect.each(simulations)(
    "say of the sandbox that it simulates %s",
    ([, env, names]) =>
      Effect.gen(function* () {
        const { isSimulated } = yield* readFrom(env)
        const found = withBazaar.map(({ name }) => ProviderName.make(name)).filter(isSimulated)
        assert.deepStrictEqual<ReadonlyArray<string>>(found.toSorted(), names.toSorted())
      }).pipe(Effect.provideService(ProviderDefinitions, withBazaar)),
  )

  it("are all that the sandbox stands in for", () => {
    const required = settingsOfSimulated.map(({ name }) => name)
    assert.isNotEmpty(required)
    assert.containsAllKeys(announced(sandboxUrl), required)
  })
})
