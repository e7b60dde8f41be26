import { assert, describe, it } from "#test/support/it.ts"
import { Effect } from "effect"
import { ProviderDefinitions } from "#providers/mod.ts"
import {
  advance,
  defaultOptions,
  openChannel,
  start,
  startSandbox,
  temporaryFolder,
} from "#test/sandbox/support.ts"
import { settingLines } from "#sandbox/standalone.ts"
import { simulatedNames } from "#test/support/simulated.ts"
import { bystander, callOf } from "./support/Bystander.ts"
import { misfits, rehearsed, rehearseWith } from "./support/rehearsed.ts"
import { spied } from "./support/spied.ts"

/** What each provider is asked for at least. */
const operationsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  chainflip: ["assets", "quote", "encode", "status", "node", "treasury"],
  "near-intents": ["assets", "quote", "status"],
  relay: ["assets", "quote", "status", "treasury"],
  thorchain: ["assets", "quote", "encode", "status"],
  maya: ["assets", "quote", "encode", "status"],
}

/** What requests say that open, order or repair something, on any of the upstreams' wires. */
const opening =
  /request_swap_deposit_address|"dry":false|useDepositAddress|withdraw|register_affiliate|reindex|submit/

describe("rehearse", () => {
  it.live("finds that every provider fits the sandbox on a socket", function* () {
    const { url } = yield* startSandbox()
    const { code, coverage, differences, errors, fits, steps } = yield* rehearsed({ SANDBOX_URL: url.origin })
    assert.strictEqual(code, 0, errors)
    assert.deepStrictEqual(misfits(differences), [])
    assert.isTrue(fits)
    assert.include(
      differences.map(({ found, provider }) => `${provider}: ${found}`),
      "relay: POST /quote/v3, the next version, responds as expected",
    )
    for (const provider of simulatedNames) {
      const own = steps.filter((step) => step.provider === provider)
      assert.includeMembers(own.map(({ operation }) => operation), [...operationsOf[provider] ?? ["?"]])
      for (const { answered, asked, failed, operation, refused } of own) {
        assert.isAbove(answered, 0, `${provider} ${operation}`)
        assert.strictEqual(failed, 0, `${provider} ${operation}`)
        assert.strictEqual(asked, answered + refused, `${provider} ${operation}`)
      }
    }
    for (const { pairsAsked, pairsListed, provider } of coverage) {
      assert.isBelow(pairsAsked, pairsListed, `${provider}: some pairs stand for all`)
    }
  })

  it.live("finds so in live mode, too, with the settings that the sandbox prints", function* () {
    const { url } = yield* startSandbox()
    const printed = settingLines(url).map((line) => /^([A-Z_]+)=(.*)$/.exec(line)?.slice(1) ?? [line])
    const settings = Object.fromEntries(printed)
    const { code, differences, errors, steps } = yield* rehearsed({ ...settings, MODE: "live" })
    assert.strictEqual(code, 0, errors)
    assert.deepStrictEqual(misfits(differences), [])
    assert.sameMembers([...new Set(steps.map(({ provider }) => provider))], [...simulatedNames])
  })

  it.live("opens nothing: not at the port, not on the wire, not in the upstreams", function* () {
    const dataDir = yield* temporaryFolder
    const client = yield* start({ ...defaultOptions, dataDir })
    const between = yield* bystander(client.url)
    const called = new Set<string>()
    const definitions = spied(({ operation }) => (answer) => {
      called.add(operation)
      return answer
    })
    const { code, errors } = yield* Effect.provideService(
      rehearsed({ SANDBOX_URL: between.url.origin }),
      ProviderDefinitions,
      definitions,
    )
    assert.strictEqual(code, 0, errors)
    assert.isAbove(between.exchanges.length, 100)
    for (const { body, path } of between.exchanges) assert.notMatch(`${path} ${body}`, opening)
    const exact = between.exchanges.filter(({ body }) => /EXACT_OUTPUT/.test(body)).map(({ path }) => path)
    assert.deepStrictEqual(
      exact.toSorted(),
      ["/near-intents/v0/quote", "/relay/quote/v2"],
      "an output is asked for once of each",
    )
    assert.includeMembers([...called], ["assets", "quote", "encode", "status", "node", "treasury"])
    const calls = new Set(between.exchanges.map(callOf))
    assert.includeMembers([...calls], ["chain_getBlockHash", "state_getStorage"], "blocks were searched")
    assert.notInclude([...called], "open")
    assert.notInclude([...called], "withdraw")
    const log = Effect.promise(() => Deno.readTextFile(`${dataDir}/sandbox.ndjson`))
    assert.notInclude(yield* log, "CommandAccepted")
    yield* openChannel(client)
    assert.include(yield* log, "CommandAccepted", "an opening would be in the log")
  })

  it.live("asks for as many pairs as it is told to, of one provider", function* () {
    const { url } = yield* startSandbox()
    const env = { SANDBOX_URL: url.origin }
    const few = yield* rehearsed(env, "--provider", "maya", "--pairs", "2")
    assert.deepStrictEqual(few.coverage, [{ provider: "maya", pairsListed: 42, pairsAsked: 2 }])
    const shown = yield* rehearseWith(env, "--provider", "maya", "--pairs", "1")
    assert.include(shown.errors, "Requesting up to 1 quote of each provider. This takes 0 s or more")
    const all = yield* rehearsed(env, "--provider", "maya", "--all")
    assert.strictEqual(all.errors, "")
    assert.deepStrictEqual(all.coverage, [{ provider: "maya", pairsListed: 42, pairsAsked: 42 }])
    assert.strictEqual(all.code, 0, all.errors)
  })

  it.live("looks a channel up that the operator names, and says where the upstream does not know it", function* () {
    const client = yield* startSandbox()
    const { id } = yield* openChannel(client)
    yield* advance(client, 60)
    const env = { SANDBOX_URL: client.url.origin }
    const ask = (...args: ReadonlyArray<string>) =>
      rehearsed(env, "--provider", "chainflip", "--pairs", "1", ...args)
    const known = yield* ask("--channel", id)
    assert.deepStrictEqual(misfits(known.differences), [])
    assert.strictEqual(known.code, 0, known.errors)
    assert.include(known.differences.map(({ path }) => path), "deposit", "the record was read")
    const unknown = yield* ask("--channel", "7-Bitcoin-7", "--transaction", `0x${"77".repeat(32)}`)
    assert.strictEqual(unknown.code, 1)
    assert.deepStrictEqual(unknown.differences.filter(({ fits }) => !fits).map(({ about }) => about), [
      "the channel given",
    ])
  })

  it.live("says what it needs where there is nothing to rehearse with", function* () {
    const inside = yield* rehearseWith({})
    assert.strictEqual(inside.code, 2)
    assert.include(inside.errors, "SANDBOX_URL")
    const stranger = yield* rehearseWith({ SANDBOX_URL: "http://127.0.0.1:9" }, "--provider", "bazaar")
    assert.strictEqual(stranger.code, 2)
    assert.include(stranger.errors, "chainflip, near-intents")
    const whose = yield* rehearseWith({ SANDBOX_URL: "http://127.0.0.1:9" }, "--channel", "7-Bitcoin-7")
    assert.strictEqual(whose.code, 2)
    assert.include(whose.errors, "--provider")
    const noSwap = yield* rehearseWith({}, "--provider", "maya", "--record", "swap.json")
    assert.strictEqual(noSwap.code, 2)
    assert.include(noSwap.errors, "--record needs")
    const wrong = yield* rehearseWith({ PORT: "no" })
    assert.strictEqual(wrong.code, 2)
    assert.include(wrong.errors, "PORT")
  })

  it.live("names every upstream that is away, and shows no secret", function* () {
    const { code, differences, output } = yield* rehearsed({
      MODE: "live",
      CHAINFLIP_BACKEND_URL: "http://127.0.0.1:9/secret-of-the-backend",
      CHAINFLIP_NODE_URL: "http://127.0.0.1:9/secret-of-the-node",
      CHAINFLIP_BROKER_URL: "http://user:secret-of-the-broker@127.0.0.1:9",
      CHAINFLIP_BROKER_ACCOUNT: "cFMTNSQQVfBo2HqtekvhLPfZY764kuJDVFG1EvnnDGYxc3LRW",
      NEAR_INTENTS_URL: "http://127.0.0.1:9",
      NEAR_INTENTS_TOKEN: "secret-of-the-partner",
    })
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(
      new Set(differences.map(({ provider }) => provider)),
      new Set(["chainflip", "near-intents"]),
    )
    assert.notInclude(output, "secret-of")
  })
})
