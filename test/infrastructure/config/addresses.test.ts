import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Result } from "effect"
import { checkAddress } from "#domain/chains/Address.ts"
import { variableOf } from "#infrastructure/config/perChain.ts"
import { chains } from "#domain/chains/Chain.ts"
import { announced } from "#sandbox/announced.ts"
import { type Environment, issuesOf, live, readFrom } from "./read.ts"

const settled = (env: Environment) => Effect.map(readFrom(env), ({ addresses }) => addresses)

const mainnet = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
const testnet = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"

describe("the settings of addresses", () => {
  it.effect("accepts the addresses of all networks in the sandbox, and has a refund address on each chain", function* () {
    const { networks, fallbackRefundAddresses } = yield* settled({})
    assert.sameMembers([...networks], ["mainnet", "testnet", "sandbox"])
    for (const chain of chains()) {
      const address = fallbackRefundAddresses[chain] ?? ""
      assert.isTrue(Result.isSuccess(checkAddress(chain, ["sandbox"], address)), `${chain}: ${address}`)
    }
  })

  it.effect("has the operator's refund address in place of the sandbox's", function* () {
    const { fallbackRefundAddresses } = yield* settled({ REFUND_ADDRESS_BITCOIN: testnet })
    assert.strictEqual<string | undefined>(fallbackRefundAddresses.Bitcoin, testnet)
    assert.isDefined(fallbackRefundAddresses.Tron)
  })

  it.effect("has no refund address in live mode but those of the operator", function* () {
    const { networks, fallbackRefundAddresses } = yield* settled({ ...live, REFUND_ADDRESS_BITCOIN: mainnet })
    assert.deepStrictEqual(networks, ["mainnet"])
    assert.deepStrictEqual<unknown>(fallbackRefundAddresses, { Bitcoin: mainnet })
  })

  it.effect("checks refund addresses against the network of live mode", function* () {
    const env = { ...live, REFUND_ADDRESS_BITCOIN: testnet }
    const { issues } = yield* Effect.flip(settled(env))
    assert.deepStrictEqual(issues, [
      "REFUND_ADDRESS_BITCOIN cannot be used on Bitcoin, because it is a testnet address, but this " +
      "broker serves mainnet",
    ])
    const { fallbackRefundAddresses } = yield* settled({ ...env, CHAINFLIP_NETWORK: "testnet" })
    assert.strictEqual<string | undefined>(fallbackRefundAddresses.Bitcoin, testnet)
  })

  it.effect("accepts those of all networks in live mode where all providers are simulated, and nowhere else", function* () {
    const sandboxUrl = new URL("http://127.0.0.1:9944")
    const simulated = { ...announced(sandboxUrl), SANDBOX_URL: sandboxUrl.href, MODE: "live" }
    const { fallbackRefundAddresses, networks } = yield* settled(simulated)
    assert.sameMembers([...networks], ["mainnet", "testnet", "sandbox"])
    assert.match(fallbackRefundAddresses.Bitcoin ?? "", /^bcrt1/)
    const real = { CHAINFLIP_BACKEND_URL: "https://backend.test", PROVIDERS: "chainflip,relay" }
    assert.deepStrictEqual(yield* issuesOf({ ...simulated, ...real }), [
      "CHAINFLIP_NETWORK must not be sandbox beside chainflip: it is for the simulated networks alone",
    ])
    const { networks: ofOthers } = yield* settled({ ...simulated, ...real, PROVIDERS: "relay" })
    assert.include(ofOthers, "sandbox")
  })

  it.effect("names every refund address that is none, in either mode", function* () {
    const names = chains().map((chain) => variableOf("REFUND_ADDRESS", chain))
    for (const mode of [{ MODE: "sandbox" }, live]) {
      const wrong = Object.fromEntries(names.map((name) => [name, "nowhere"]))
      const error = yield* Effect.flip(settled({ ...mode, ...wrong }))
      assert.deepStrictEqual(error.issues.map((sentence) => sentence.split(" ")[0]), names)
    }
  })

  it.effect("has an address to withdraw to on each chain in the sandbox, and in live mode those that are set", function* () {
    const { treasury } = yield* readFrom({})
    assert.sameMembers(Object.keys(treasury.addresses), [...chains()])
    const { treasury: ofLive } = yield* readFrom({ ...live, WITHDRAWAL_ADDRESS_BITCOIN: mainnet })
    assert.deepStrictEqual<unknown>(ofLive.addresses, { Bitcoin: mainnet })
    const { issues } = yield* Effect.flip(readFrom({ ...live, WITHDRAWAL_ADDRESS_BITCOIN: testnet }))
    assert.match(issues.join(), /^WITHDRAWAL_ADDRESS_BITCOIN cannot be used on Bitcoin/)
  })
})
