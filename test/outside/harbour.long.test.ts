import { Context, Effect, Layer } from "effect"
import { serve } from "#infrastructure/platform/serve.ts"
import { eventually } from "#test/durability/eventually.ts"
import { assert, describe, it, layer } from "#test/support/it.ts"
import { preparedFolder } from "#test/support/prepared/database.ts"
import {
  kitProcess,
  type RunningService,
  runOutside,
  startOutside,
  startService,
} from "#test/support/process.ts"
import { makeExchange } from "./harbour/exchange.ts"
import { folderOf, json } from "./support.ts"

const key = "the-key-of-the-operator-at-harbour"

/** The exchange on a socket, and a service that is started with its provider in a folder of its own. */
const startHarbour = Effect.gen(function* () {
  const exchange = makeExchange(key)
  const { href } = yield* serve({ hostname: "127.0.0.1", port: 0, handler: exchange.handle })
  const upstream = { HARBOUR_URL: href, HARBOUR_KEY: key }
  const folder = yield* folderOf("harbour")
  const environment = { ...upstream, DATA_DIR: yield* preparedFolder, BOOTSTRAP_COMMISSION_BPS: "50" }
  return {
    environment,
    exchange,
    folder,
    upstream,
    service: yield* startOutside(`${folder}/main.ts`, environment),
  }
})

/** The service that most tests share: it takes seconds to start. */
class Harbour extends Context.Service<Harbour, Effect.Success<typeof startHarbour>>()(
  "swap-broker/test/outside/Harbour",
) {}

const ask = ({ apiKey, url }: RunningService, path: string, sent?: Parameters<typeof json>[2]) =>
  Effect.map(json(new URL(path, url), apiKey, sent), ({ body, status }) => {
    assert.oneOf(status, [200, 201], JSON.stringify(body))
    return body
  })

const text = ({ apiKey, url }: RunningService, path: string, accept = "*/*") =>
  Effect.promise(async () => {
    const response = await fetch(new URL(path, url), { headers: { "x-api-key": apiKey, accept } })
    return await response.text()
  })

/** What an agent is told of the assets, by a call of the stateless protocol. */
const toolAnswer = (service: RunningService, name: string, args: object) =>
  ask(service, "/mcp", {
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${service.apiKey}`,
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
  })

/** The row of a list that has this value in a member. */
const rowWith = (list: ReadonlyArray<Readonly<Record<string, unknown>>>, member: string, value: string) =>
  list.find((row) => row[member] === value) ?? assert.fail(`No ${member} is ${value}`)

const today = () => new Date().toISOString().slice(0, 10)

const vtc = "vtc1qqurswpc8qurswpc8qurswpc8qurswpc84c4rqr"
const evm = "0x2222222222222222222222222222222222222222"

/** A swap from quote to end: the amounts are worth the same, at a dollar for one xDAI and 5 cents for one VTC. */
const journeys = [
  {
    pair: { sourceAsset: "xdai.gno", destinationAsset: "vtc.vtc" },
    network: "Gnosis",
    parties: { destinationAddress: vtc, refundAddress: evm },
    amount: "20",
    native: 20n * 10n ** 18n,
    arrives: 398,
    commission: 2,
    link: /^ethereum:0x[0-9a-f]{40}@100\?value=20000000000000000000$/,
    says: "Send only XDAI, only on Gnosis Chain",
  },
  {
    pair: { sourceAsset: "usdc.gno", destinationAsset: "xdai.gno" },
    network: "Gnosis",
    parties: { destinationAddress: evm, refundAddress: "0x3333333333333333333333333333333333333333" },
    amount: "20",
    native: 20_000_000n,
    arrives: 19.9,
    commission: 0.1,
    link:
      /^ethereum:0xDDAfbb505ad214D7b80b1f830fcCc89B60fb7A83@100\/transfer\?address=0x[0-9a-f]{40}&uint256=20000000$/i,
    says: "Send only USDC",
  },
  {
    pair: { sourceAsset: "vtc.vtc", destinationAsset: "usdc.gno" },
    network: "Vertcoin",
    parties: { destinationAddress: evm, refundAddress: vtc },
    amount: "400",
    native: 40_000_000_000n,
    arrives: 19.9,
    commission: 0.1,
    link: /^vertcoin:vtc1q[0-9a-z]{38}\?amount=400$/,
    says: "Send only VTC, only on Vertcoin",
  },
] as const

layer(Layer.effect(Harbour, startHarbour), { excludeTestServices: true })(
  "a service with a provider from outside and the chains that it serves",
  (it) => {
    it.effect("brings chains and assets into a service, its lists, its agents and its commands", function* () {
      const { folder, service, upstream } = yield* Harbour
      const { assets } = yield* ask(service, "/assets")
      assert.deepInclude(rowWith(assets, "id", "usdc.gno"), {
        enabled: true,
        network: "Gnosis",
        decimals: 6,
        usdPriceNative: "1000000",
        platforms: ["harbour"],
        startPaths: ["/swap"],
      })
      const { networks } = yield* ask(service, "/networks")
      assert.deepInclude(rowWith(networks, "id", "vtc"), { name: "Vertcoin" })
      assert.include(JSON.stringify(yield* toolAnswer(service, "list_assets", {})), "vtc.vtc")
      assert.include(yield* text(service, "/logos/xdai.gno.svg"), ">XDAI<")
      assert.include(yield* text(service, "/docs/settings"), "HARBOUR_URL")

      const catalogue = yield* runOutside(`${folder}/cli.ts`, upstream, ["catalogue"])
      assert.strictEqual((yield* catalogue.ended).code, 0, catalogue.output())
      assert.match(catalogue.output(), /usdc\.gno +Gnosis Chain +6 +0xDDAfbb505ad\w+ +harbour +harbour/)
      assert.match(catalogue.output(), /harbour +Left out eth\.eth: the exchange says 9 decimals/)
    })

    it.effect("is refused addresses of another chain", function* () {
      const { service: { apiKey, url } } = yield* Harbour
      const swap = new URL("/swap?sourceAsset=xdai.gno&destinationAsset=vtc.vtc&amount=20", url)
      swap.searchParams.set("refundAddress", evm)
      swap.searchParams.set("destinationAddress", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG")
      const { body, status } = yield* json(swap, apiKey)
      assert.strictEqual(status, 400)
      assert.include(body.detail, "it may as well be an address of Bitcoin")
    })

    it.effect("swaps from quote to payout, is paid by its page, found by its hash, and counted", function* () {
      const { exchange, service } = yield* Harbour
      for (const [index, { amount, native, pair, parties, ...expected }] of journeys.entries()) {
        const swap = index + 1
        const asked = new URLSearchParams({ ...pair, amount })
        const [quote] = yield* ask(service, `/quotes?${asked}`)
        assert.strictEqual(quote.egressAmount, expected.arrives)

        const opened = yield* ask(service, `/swap?${new URLSearchParams({ ...pair, ...parties, amount })}`)
        assert.deepInclude(opened, { id: swap, network: expected.network, platform: "harbour" })
        assert.match(opened.payment.uri, expected.link)
        assert.include(JSON.stringify(opened.payment.warnings), expected.says)
        assert.include(yield* text(service, `/swap/${swap}/qr`), "<svg")
        const link = yield* ask(service, `/swap/${swap}/pay-link`, { body: {} })
        const page = yield* text(service, link.url)
        const { address } = opened
        assert.include(page, address)
        assert.include(page, expected.says)

        const deposit = exchange.deposit(address, native)
        const payout = exchange.payOut(address)
        const status = yield* eventually(
          ask(service, `/status-by-id?swapId=${swap}`),
          (seen) => seen.status.state === "completed",
        )
        assert.strictEqual(status.status.swapEgress.amount, expected.arrives)
        assert.strictEqual(status.status.swapEgress.transactionReference, payout)
        const found = yield* ask(service, `/status-by-transaction-hash?transactionHash=${deposit}`)
        assert.strictEqual(found.id, swap)

        const { totals } = yield* ask(service, `/commission?from=${today()}&to=${today()}`)
        assert.deepInclude(rowWith(totals, "asset", pair.destinationAsset), {
          amount: expected.commission,
          swaps: 1,
        })
      }
      const csv = yield* text(service, "/swaps", "text/csv")
      assert.match(csv, /\n3,harbour,completed,,vtc\.vtc,usdc\.gno,/)
      const treasury = JSON.stringify(
        rowWith(yield* ask(service, "/operator/treasury"), "provider", "harbour"),
      )
      for (const asset of ["vtc.vtc", "xdai.gno", "usdc.gno"]) assert.include(treasury, asset)
    })

    it.effect("is rehearsed with a swap that the operator names by its number alone", function* () {
      const { exchange, folder, service, upstream } = yield* Harbour
      const [{ amount, native, pair, parties }] = journeys
      const { address } = yield* ask(service, `/swap?${new URLSearchParams({ ...pair, ...parties, amount })}`)
      exchange.deposit(address, native)
      const assets = ["--source-asset", pair.sourceAsset, "--destination-asset", pair.destinationAsset]
      const rehearse = (channel: string) =>
        Effect.gen(function* () {
          const asked = [
            "rehearse",
            "--provider",
            "harbour",
            "--channel",
            channel,
            "--per-second",
            "1000",
            ...assets,
          ]
          const rehearsal = yield* runOutside(`${folder}/cli.ts`, upstream, asked)
          yield* rehearsal.ended
          return rehearsal.output()
        })
      assert.notInclude(yield* rehearse("1"), "the channel given")
      assert.include(yield* rehearse("4711"), "the channel given")
    })
  },
)

describe("a folder outside with a provider and the chains that it serves", () => {
  it.live("is asked by the kit with one command there", function* () {
    const kit = yield* kitProcess(yield* folderOf("harbour"))
    const { code } = yield* kit.ended
    assert.strictEqual(code, 0, kit.output())
    assert.match(kit.output(), /81 passed/)
  })

  // A service of its own, as it ends.
  it.live("keeps a service from starting without the provider whose assets its swaps have", function* () {
    const { environment, folder, service } = yield* startHarbour
    const [{ amount, pair, parties }] = journeys
    yield* ask(service, `/swap?${new URLSearchParams({ ...pair, ...parties, amount })}`)
    yield* service.kill("SIGTERM")
    yield* service.ended
    const { output } = yield* Effect.flip(startService({ DATA_DIR: environment.DATA_DIR }))
    assert.include(output, "vtc.vtc (1 swap, 1 of them under way; 0 other records)")
    assert.include(output, "xdai.gno (1 swap, 1 of them under way; 0 other records)")
    assert.include(output, "start with the provider that brought them")
    const again = yield* startOutside(`${folder}/main.ts`, environment)
    const { status } = yield* ask(again, "/status-by-id?swapId=1")
    assert.strictEqual(status.state, "waiting")
  })
})
