import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Option, Redacted, Ref } from "effect"
import { TestConsole } from "effect/testing"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Bootstrap, type BootstrapOptions } from "#application/accounts/Bootstrap.ts"
import { bootstrap } from "#application/accounts/firstAccount.ts"
import { announce } from "#interfaces/http/lifecycle.ts"
import { Bps } from "#domain/money/Bps.ts"
import { Server } from "#interfaces/http/server/Server.ts"
import { type Environment, live, readFrom } from "#test/infrastructure/config/read.ts"
import { ProviderDefinitions } from "#providers/mod.ts"
import { Registry } from "#providers/Registry.ts"
import { announced } from "#sandbox/announced.ts"
import { observe } from "./observe.ts"
import { placesOf } from "#test/support/simulated.ts"
import { withBazaar } from "#test/support/bazaar.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { accountWith } from "#test/support/account.ts"

const account = accountWith()
const generated = "sbk_a-generated-key"

/** Starts with accounts that bootstrap to this; says what was asked, logged and printed. */
const started = Effect.fnUntraced(function* (env: Environment, outcome: Bootstrap) {
  const asked = yield* Ref.make<ReadonlyArray<BootstrapOptions>>([])
  const accounts = Layer.mock(Accounts, {
    bootstrap: (options) => Effect.as(Ref.update(asked, (all) => [...all, options]), outcome),
  })
  const observation = observe()
  const settings = yield* readFrom(env)
  yield* Layer.build(
    bootstrap(settings.bootstrap).pipe(Layer.provide(accounts), Layer.provide(observation.layer)),
  )
  const printed = (yield* TestConsole.logLines).join("\n")
  return { logged: observation.text(), printed, asked: yield* Ref.get(asked) }
})

const made = Bootstrap.Created({ account, generatedKey: Option.some(Redacted.make(generated)) })
const chosen = Bootstrap.Created({ account, generatedKey: Option.none() })

describe("bootstrap", () => {
  it.effect("prints a generated key once, and never through the logger", function* () {
    const { logged, printed, asked } = yield* started({}, made)
    assert.strictEqual(printed, `API key (shown only now): ${generated}`)
    assert.include(logged, 'Account \\"default\\" was created')
    assert.notInclude(logged, generated)
    assert.deepStrictEqual(asked, [{ key: Option.none(), commissionBps: Bps.make(0), generate: true }])
  })

  it.effect("prints no key that the operator chose", function* () {
    const BOOTSTRAP_API_KEY = "a-key-of-the-operator-0123456789"
    const { logged, printed } = yield* started({ BOOTSTRAP_API_KEY }, chosen)
    assert.isEmpty(printed)
    assert.notInclude(logged, BOOTSTRAP_API_KEY)
  })

  it.effect("makes no key in live mode, and says what to do", function* () {
    const { logged, printed, asked } = yield* started(live, Bootstrap.NoAccount())
    assert.isEmpty(printed)
    assert.include(logged, "set BOOTSTRAP_API_KEY and start again")
    assert.deepStrictEqual(asked.map(({ generate }) => generate), [false])
  })

  it.effect("says nothing where there are accounts", function* () {
    const { logged, printed } = yield* started({}, Bootstrap.HasAccounts({ isKeyIgnored: false }))
    assert.isEmpty(logged + printed)
  })

  it.effect("says that the operator's key has no effect, and does not show it", function* () {
    const BOOTSTRAP_API_KEY = "a-key-of-the-operator-0123456789"
    const ignored = Bootstrap.HasAccounts({ isKeyIgnored: true })
    const { logged, printed } = yield* started({ BOOTSTRAP_API_KEY }, ignored)
    assert.include(logged, "BOOTSTRAP_API_KEY has no effect")
    assert.notInclude(logged + printed, BOOTSTRAP_API_KEY)
  })
})

describe("announce", () => {
  const sandboxUrl = new URL("http://127.0.0.1:9944")
  const notSimulated = "not simulated: bazaar. Real money may move there"
  const simulated = "SANDBOX: the networks are simulated, no money moves"
  const bazaarSettings = { BAZAAR_URL: "https://bazaar.test", BAZAAR_KEY: "hunter2" }
  const starts: ReadonlyArray<readonly [string, Environment, ReadonlyArray<string>, string, string]> = [
    ["in the sandbox", {}, ["chainflip", "relay"], simulated, "eal money"],
    ["in live mode", live, ["chainflip"], "LIVE: real networks, real money", "SANDBOX"],
    [
      "in live mode on a sandbox",
      { ...announced(sandboxUrl), MODE: "live", SANDBOX_URL: sandboxUrl.href },
      ["chainflip", "relay"],
      "LIVE settings: the networks are simulated, no money moves",
      "eal money",
    ],
    [
      "in live mode with some of a sandbox",
      {
        ...placesOf(sandboxUrl),
        ...bazaarSettings,
        MODE: "live",
        SANDBOX_URL: sandboxUrl.href,
      },
      ["chainflip", "bazaar"],
      "LIVE, but simulated: chainflip. No money moves there",
      "SANDBOX",
    ],
    [
      "in the sandbox with a provider that goes elsewhere",
      bazaarSettings,
      ["chainflip", "bazaar"],
      `SANDBOX, but ${notSimulated}`,
      "no money moves",
    ],
    ["in the sandbox with a provider of unknown places", {}, ["bazaar"], notSimulated, "no money moves"],
    [
      "in the sandbox with such a provider that is not enabled",
      bazaarSettings,
      ["chainflip"],
      simulated,
      "eal money",
    ],
  ]
  it.effect.each(starts)(
    "says where the service listens and, %s, what that means",
    ([, env, names, sentence, other]) =>
      Effect.gen(function* () {
        const observation = observe()
        const settings = yield* readFrom(env)
        const server = Layer.succeed(Server, Server.of({ url: new URL("http://127.0.0.1:8080/") }))
        const registry = Layer.mock(Registry, {
          enabled: Effect.succeed(names.map((name) => new ScriptedProvider(name))),
        })
        yield* Layer.build(
          announce(settings).pipe(Layer.provide([server, registry]), Layer.provide(observation.layer)),
        )
        assert.include(observation.text(), sentence)
        assert.notInclude(observation.text(), other)
        assert.include(observation.text(), "http://127.0.0.1:8080/docs")
      }).pipe(Effect.provideService(ProviderDefinitions, withBazaar)),
  )
})
