import { assert, collectLogs, describe, it, recordedOf, TestClock } from "../support.ts"
import { Effect, Fiber, Option, Result } from "effect"
import { foundIn } from "#infrastructure/config/read.ts"
import { Address } from "#domain/chains/Address.ts"
import type { ProviderErrorReason } from "#domain/ProviderError.ts"
import type { QuoteRequest } from "#domain/quotes/Quote.ts"
import type { VaultSwapRequest } from "#domain/swaps/VaultSwap.ts"
import { type Family, maya, thorchain } from "#providers/thorchain/networks.ts"
import { mayaSettings, type Options, thorchainSettings } from "#providers/thorchain/settings.ts"
import { readVaults } from "#providers/thorchain/vaults.ts"
import { tellingRefusals } from "#providers/refusals.ts"
import { AsksAnew, CurrentWitness } from "#providers/upstream/witness.ts"
import { announced } from "#sandbox/announced.ts"
import { vaultSwapsOf } from "#test/conformance/verbs/kit.ts"
import {
  evmRequest,
  inbound,
  inboundAddresses,
  lastBlock,
  quote,
  request,
  routers,
  vaults,
} from "./bodies.ts"
import { plain, providerOver, reasonOf, type Reply, type Script } from "./fakeNode.ts"

const other = {
  bitcoin: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
  router: "0x6666666666666666666666666666666666666666",
}

const settings = { thorchain: thorchainSettings, maya: mayaSettings }

const routersOf = (
  network: "thorchain" | "maya",
  texts: Readonly<Record<string, string>> = { [`${network.toUpperCase()}_URL`]: "http://one.test/" },
  announcing: Readonly<Record<string, string>> = {},
) => Result.map(settings[network].read(foundIn(texts, announcing)), ({ routers }) => routers)

const named = (address: string, more: Readonly<Record<string, unknown>> = {}): Reply => ({
  body: [inbound("BTC", address, more), ...inboundAddresses.slice(1)],
})

/** A quote that names no end, as tests here go on for hours. */
const quoteOf = (address: string): Reply => {
  const { expiry: _, ...endless } = quote
  return { body: { ...endless, inbound_address: address } }
}

/** Pays from Ethereum, where a row is changed. */
const fromEthereum = (more: Readonly<Record<string, unknown>>, quoted = {}): Script => ({
  inbound: {
    body: inboundAddresses.map((row) => row.chain === "ETH" ? { ...row, ...more } : row),
  },
  quote: {
    body: {
      ...quote,
      fees: { ...quote.fees, asset: "BTC.BTC" },
      expected_amount_out: "3000000",
      inbound_address: vaults.evm,
      router: vaults.router,
      ...quoted,
    },
  },
})

const token: VaultSwapRequest = { ...evmRequest, sourceAsset: "usdc.eth" }

const looking = (
  { amount, commissionBps, destinationAsset, sourceAsset }: VaultSwapRequest,
): QuoteRequest => ({ amount, commissionBps, destinationAsset, sourceAsset })

/** A network that makes a block whenever it is asked. */
const moving = (): Script => {
  let height = 21_000_000
  return { lastBlock: () => ({ body: lastBlock(height++) }) }
}

const encode = (asked: VaultSwapRequest, script: Script, differing: Partial<Options> = {}) =>
  Effect.flatMap(providerOver(script, differing), ([provider]) => vaultSwapsOf(provider).encode(asked))

const refusal = (asked: VaultSwapRequest, script: Script, differing: Partial<Options> = {}) =>
  reasonOf(encode(asked, script, differing))

const isHalted = (reason: ProviderErrorReason, chain: string): void =>
  assert.deepInclude<unknown>(plain(reason), {
    _tag: "AssetDisabled",
    detail: `Swaps from ${
      chain === "Bitcoin" ? "btc.btc" : "usdc.eth"
    } are halted: it is not sure yet where payments on ${chain} go`,
  })

describe("contracts that are known beforehand", () => {
  it("are those of recorded answers, where the settings name no others", () => {
    const lists: ReadonlyArray<readonly [Family, "thorchain" | "maya", string]> = [
      [thorchain, "thorchain", "inbound-addresses-2026-10"],
      [thorchain, "thorchain", "inbound-addresses-halted-2026"],
      [maya, "maya", "maya-inbound-addresses-2026"],
      [maya, "maya", "maya-inbound-addresses-halted-arb"],
    ]
    const told = lists.flatMap(([family, network, name]) => {
      const known = Result.getOrThrow(routersOf(network))
      return [...Result.getOrThrow(readVaults(family, known, recordedOf("thorchain")(name).body)).byChain]
        .map(([chain, { fault, router }]) => [network, chain, router !== undefined, fault] as const)
    })
    assert.deepStrictEqual(told.filter(([, , , fault]) => fault !== undefined), [])
    const routed = told.filter(([, , hasRouter]) => hasRouter).map(([network, chain]) =>
      `${network} ${chain}`
    )
    assert.deepStrictEqual([...new Set(routed)].toSorted(), [
      "maya Arbitrum",
      "maya Ethereum",
      "thorchain Bsc",
      "thorchain Ethereum",
    ])
  })

  it("are those that the operator names in place of them, and beside the sandbox the sandbox's own", () => {
    const known = (...args: Parameters<typeof routersOf>) =>
      Result.map(routersOf(...args), ({ known }) => known.map(({ address, chain }) => `${chain}:${address}`))
    const text = `Ethereum:${other.router},Ethereum:${vaults.router}`
    const place = { THORCHAIN_URL: "http://one.test/" }
    assert.deepStrictEqual(
      known("thorchain", { ...place, THORCHAIN_ROUTERS: text }),
      Result.succeed(text.split(",")),
    )
    const simulated = announced(new URL("http://sandbox.test/"))
    assert.deepStrictEqual(
      known("thorchain", { MODE: "sandbox" }, simulated),
      Result.succeed((simulated["THORCHAIN_ROUTERS"] ?? "").split(",")),
    )
    const elsewhere = known("thorchain", { MODE: "sandbox", ...place }, simulated)
    assert.deepStrictEqual(elsewhere, known("thorchain"), "the sandbox's are of the sandbox alone")
  })

  it.effect("and no other: nothing is quoted or paid from a chain where a node names one, which is told of once an hour", function* () {
    const [provider] = yield* providerOver(fromEthereum({ router: other.router }, { router: other.router }))
    const ask = (asked: VaultSwapRequest) =>
      vaultSwapsOf(provider).encode(asked).pipe(
        tellingRefusals({ provider: provider.name, operation: "encode" }),
        reasonOf,
      )
    const { lines, value } = yield* collectLogs(Effect.all([ask(token), ask(token)]))
    for (const reason of value) isHalted(reason, "Ethereum")
    assert.deepStrictEqual(lines, [
      "An answer of thorchain to encode is refused. [1].router: expected a contract on Ethereum that " +
      `THORCHAIN_ROUTERS names, got ${other.router}; add Ethereum:${other.router} there if the network has ` +
      "moved to it",
    ])
    const quoted = yield* reasonOf(provider.quotes(looking(token)))
    isHalted(quoted, "Ethereum")
    const assets = yield* provider.assets
    const ingress = assets.filter(({ ingress }) => ingress).map(({ asset }) => asset)
    assert.notInclude(ingress, "usdc.eth")
    assert.notInclude(ingress, "eth.eth")
    assert.include(ingress, "btc.btc")
    assert.isTrue(assets.find(({ asset }) => asset === "usdc.eth")?.egress)
    const doubts: Array<string> = []
    yield* provider.assets.pipe(
      Effect.provideService(AsksAnew, true),
      Effect.provideService(CurrentWitness, {
        answered: () => {},
        read: () => {},
        doubted: (detail) => doubts.push(detail),
      }),
    )
    assert.deepStrictEqual(doubts.map((doubt) => doubt.slice(0, 11)), ["[1].router:"], "the witness is told")
    yield* TestClock.adjust("1 hour")
    assert.lengthOf((yield* collectLogs(ask(token))).lines, 1)
  })

  it.effect("count once the operator has named them, and let go of the rest", function* () {
    const moved = fromEthereum({ router: other.router }, { router: other.router })
    const known = Result.getOrThrow(routersOf("thorchain", {
      THORCHAIN_URL: "http://one.test/",
      THORCHAIN_ROUTERS: `Ethereum:${other.router}`,
    }))
    const { payload } = yield* encode(token, moved, { routers: known })
    assert.deepInclude<unknown>({ ...payload }, { to: other.router, spender: other.router })
    isHalted(yield* refusal(token, fromEthereum({}), { routers: known }), "Ethereum")
  })

  it.effect("are told in no words of a node's own", function* () {
    const { lines } = yield* collectLogs(
      Effect.flatMap(
        providerOver(fromEthereum({ router: "0x1; rm -rf /" })),
        ([provider]) =>
          vaultSwapsOf(provider).encode(token).pipe(
            tellingRefusals({ provider: provider.name, operation: "encode" }),
            reasonOf,
          ),
      ),
    )
    assert.match(lines.join("\n"), /names, got no address of it$/)
  })
})

describe("a vault", () => {
  it.effect.each(
    [
      ["a token's contract", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"],
      ["another token's contract, spelled otherwise", "0xdac17f958d2ee523a2206206994597c13d831ec7"],
      ["the network's own contract", vaults.router],
      ["the account of nobody", `0x${"0".repeat(40)}`],
    ] as const,
  )("is never %s", function* ([, address]) {
    isHalted(yield* refusal(token, fromEthereum({ address }, { inbound_address: address })), "Ethereum")
  })

  it.effect("is never an address of the caller's own", function* () {
    const sender = Address.make("0x7777777777777777777777777777777777777777")
    const asked: VaultSwapRequest = {
      ...token,
      destinationAsset: "bnb.bsc",
      destinationAddress: Address.make("0x8888888888888888888888888888888888888888"),
      sender: { _tag: "evm", address: sender },
    }
    for (const address of [sender, asked.destinationAddress, asked.refundAddress.toLowerCase()]) {
      const script = fromEthereum({ address }, {
        inbound_address: address,
        fees: { ...quote.fees, asset: "BSC.BNB" },
      })
      assert.deepInclude<unknown>(plain(yield* refusal(asked, script)), {
        _tag: "MalformedBody",
        detail: "inbound_address: expected a vault, got an address of the request",
      })
    }
  })

  it.effect("that is another than a second before is paid with a warning, and so is each other within an hour", function* () {
    let address = vaults.bitcoin
    const [provider] = yield* providerOver({
      ...moving(),
      inbound: () => named(address),
      quote: () => quoteOf(address),
    })
    const { encode } = vaultSwapsOf(provider)
    const paid = Effect.gen(function* () {
      const { lines, value: { payload } } = yield* collectLogs(encode(request))
      assert.strictEqual(payload._tag === "bitcoin" ? payload.depositAddress : "", address)
      return lines.filter((line) => `${line}`.includes("another vault"))
    })
    assert.deepStrictEqual(yield* paid, [])
    address = other.bitcoin
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* paid, [
      `thorchain names another vault on Bitcoin than before: ${other.bitcoin} in place of ` +
      `${vaults.bitcoin}, 2 within an hour. Vaults change every few days: if you know of no change, compare it ` +
      "with another node's",
    ])
    assert.deepStrictEqual(yield* paid, [])
    yield* TestClock.adjust("2 hours")
    address = vaults.bitcoin
    assert.lengthOf(yield* paid, 1)
  })
})

describe("a second node", () => {
  const secondUrl = Option.some(new URL("http://second.test/"))

  /** Two nodes: each says what is set at the time; undefined is away. */
  const twoNodes = () => {
    const says: { first: Reply | undefined; second: Reply | undefined; quote: string } = {
      first: named(vaults.bitcoin),
      second: named(vaults.bitcoin),
      quote: vaults.bitcoin,
    }
    const away: Reply = { status: 503, body: { error: "away" } }
    const script: Script = {
      ...moving(),
      inbound: ({ url }) => (url.host === "second.test" ? says.second : says.first) ?? away,
      quote: () => quoteOf(says.quote),
    }
    return { says, script }
  }

  it.effect("has to name the same vault, in whichever spelling", function* () {
    const { says, script } = twoNodes()
    says.second = named(vaults.bitcoin.toUpperCase())
    const [provider, asked] = yield* providerOver(script, { secondUrl })
    const { payload } = yield* vaultSwapsOf(provider).encode(request)
    assert.deepInclude<unknown>({ ...payload }, { depositAddress: vaults.bitcoin })
    assert.isTrue(asked.some(({ url }) => url.host === "second.test"))
  })

  it.effect("and the same contract, and says as well as the first that a chain is at rest", function* () {
    const fromEvm = fromEthereum({})
    const second = (more: Readonly<Record<string, unknown>>): Script => ({
      ...fromEvm,
      inbound: ({ url }) => ({
        body: inboundAddresses.map((row) =>
          row.chain === "ETH" && url.host === "second.test" ? { ...row, ...more } : row
        ),
      }),
    })
    const known = {
      ...routers,
      known: [...routers.known, { chain: "Ethereum", address: Address.make(other.router) }],
    } as const
    const reason = yield* Effect.gen(function* () {
      const [provider] = yield* providerOver(second({ router: other.router }), { secondUrl, routers: known })
      const asked = yield* Effect.forkChild(reasonOf(vaultSwapsOf(provider).encode(token)))
      yield* TestClock.adjust("12 seconds")
      return yield* Fiber.join(asked)
    })
    isHalted(reason, "Ethereum")
    const halted = yield* refusal(token, second({ halted: true }), { secondUrl })
    assert.strictEqual(halted._tag, "AssetDisabled")
  })

  it.effect("that is some blocks behind is asked again, and then the payload is made of what both name", function* () {
    const { says, script } = twoNodes()
    says.first = named(other.bitcoin)
    says.quote = other.bitcoin
    const [provider] = yield* providerOver(script, { secondUrl })
    const encoding = yield* Effect.forkChild(vaultSwapsOf(provider).encode(request))
    yield* TestClock.adjust("5 seconds")
    assert.isUndefined(encoding.pollUnsafe())
    says.second = named(other.bitcoin)
    yield* TestClock.adjust("1 second")
    const { payload } = yield* Fiber.join(encoding)
    assert.deepInclude<unknown>({ ...payload }, { depositAddress: other.bitcoin })
  })

  it.effect("that goes on naming another leaves nothing to pay to, with one line", function* () {
    const { says, script } = twoNodes()
    says.first = named(other.bitcoin)
    says.quote = other.bitcoin
    const [provider] = yield* providerOver(script, { secondUrl })
    const asking = yield* Effect.forkChild(collectLogs(
      vaultSwapsOf(provider).encode(request).pipe(
        tellingRefusals({ provider: provider.name, operation: "encode" }),
        reasonOf,
      ),
    ))
    yield* TestClock.adjust("12 seconds")
    const { lines, value } = yield* Fiber.join(asking)
    isHalted(value, "Bitcoin")
    assert.deepStrictEqual(lines.filter((line) => `${line}`.includes("is refused")), [
      "An answer of thorchain to encode is refused. address: expected one vault on Bitcoin of both nodes, got " +
      `${other.bitcoin} and ${vaults.bitcoin} of the other`,
    ])
  })

  it.effect("that is away leaves what both named within an hour, and nothing else", function* () {
    const { says, script } = twoNodes()
    const [provider] = yield* providerOver(script, { secondUrl })
    const { encode } = vaultSwapsOf(provider)
    yield* encode(request)
    says.second = undefined
    yield* TestClock.adjust("59 minutes")
    const { payload } = yield* encode(request)
    assert.deepInclude<unknown>({ ...payload }, { depositAddress: vaults.bitcoin })
    says.first = named(other.bitcoin)
    says.quote = other.bitcoin
    assert.strictEqual((yield* reasonOf(encode(request)))._tag, "Unreachable")
    assert.isNotEmpty(yield* provider.quotes(looking(request)), "both agreed a while ago")
    says.first = named(vaults.bitcoin)
    says.quote = vaults.bitcoin
    yield* TestClock.adjust("1 minute")
    assert.strictEqual((yield* reasonOf(encode(request)))._tag, "Unreachable", "an hour is over")
    assert.strictEqual(
      (yield* reasonOf(provider.quotes(looking(request))))._tag,
      "Unreachable",
      "nothing is shown that could not be had",
    )
    says.second = named(vaults.bitcoin)
    yield* encode(request)
    says.first = undefined
    yield* encode(request)
  })
})
