import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { assetIds } from "#domain/chains/Asset.ts"
import { eventually } from "#test/durability/eventually.ts"
import { brokerUrl } from "#test/support/broker.ts"
import { call, get, type Options, withOwnBroker } from "./support/call.ts"
import { at, find, type Json, JsonNumber, listAt, numberAt, objectAt, textAt } from "./support/Json.ts"
import { assertFailure } from "./support/problem.ts"

const anybody: Options = { key: null }

const list = Effect.map(get("/assets", {}, anybody), (body) => listAt(body, "assets"))

const assetIn = (assets: ReadonlyArray<Json>, id: string): Json =>
  assets.find((asset) => find(asset, "id") === id) ?? assert.fail(`${id} is not listed`)

/** The list, once every asset that can be swapped has its price: it does not wait for them. */
const priced = eventually(
  list,
  (assets) => assets.every((one) => find(one, "enabled") === false || find(one, "usdPrice") !== undefined),
)

const asset = (id: string) => Effect.map(list, (assets) => assetIn(assets, id))

/** That an asset is listed like this; an answer that waits no longer for a slow provider may be behind. */
const becomes = (id: string, expected: Readonly<Record<string, Json>>) =>
  eventually(
    asset(id),
    (listed) =>
      Object.entries(expected).every(([name, value]) =>
        JSON.stringify(find(listed, name)) === JSON.stringify(value)
      ),
  )

/** Changes an asset on the simulated network. */
const setAsset = (asset: string, what: Readonly<Record<string, unknown>>) =>
  Effect.map(
    call("PATCH", "/sandbox/network", { body: { change: "setAsset", asset, ...what } }),
    ({ status, text }) => {
      assert.strictEqual(status, 200, text)
    },
  )

/** The operator's kill switch. */
const throwSwitch = (enabled: boolean, platform: string, what: Readonly<Record<string, unknown>>) =>
  Effect.map(
    call("POST", `/providers/${platform}/switch`, { body: { ...what, enabled, reason: "for the test" } }),
    ({ status, text }) => {
      assert.strictEqual(status, 200, text)
    },
  )

/** Every answer shows the present. */
const fresh = { ASSETS_MAX_AGE: "0 seconds" }

withOwnBroker(fresh)("GET /assets with one provider (decision 27)", (it) => {
  it.effect("lists what the provider has named, each with a price and what is fixed about it", function* () {
    const assets = yield* priced
    // Chainflip's are the first of the table; a row that nobody here can price stops some wallets.
    assert.deepStrictEqual(assets.map((one) => textAt(one, "id")), assetIds().slice(0, 21))
    for (const one of assets) assert.match(textAt(one, "usdPriceNative"), /^[1-9]/, textAt(one, "id"))
    const bitcoin = assetIn(assets, "btc.btc")
    assert.deepStrictEqual(Object.keys(objectAt(bitcoin)), [
      "id",
      "enabled",
      "direction",
      "ticker",
      "name",
      "network",
      "decimals",
      "minimalAmount",
      "minimalAmountNative",
      "usdPrice",
      "usdPriceNative",
      "usdPriceAt",
      "usdPriceAtDate",
      "assetLogo",
      "networkLogo",
      "platforms",
      "startPaths",
    ])
    assert.deepInclude(bitcoin, { ticker: "BTC", name: "Bitcoin", network: "Bitcoin" })
    assert.strictEqual(numberAt(bitcoin, "decimals"), "8")
    assert.deepInclude(assetIn(assets, "usdc.arb"), {
      ticker: "USDC",
      name: "USD Coin",
      network: "Arbitrum",
      contractAddress: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
    })
  })

  it.effect("derives a price from a quote, in two forms that are the same", function* () {
    const assets = yield* priced
    const dollars = (id: string) => Number(numberAt(assetIn(assets, id), "usdPrice"))
    assert.closeTo(dollars("eth.eth"), 1904, 60)
    assert.strictEqual(dollars("usdc.eth"), 1)
    assert.closeTo(dollars("usdt.eth"), 1, 0.05)
    for (const one of assets.filter((one) => find(one, "usdPrice") !== undefined)) {
      assert.strictEqual(
        BigInt(Math.round(Number(numberAt(one, "usdPrice")) * 1e6)),
        BigInt(textAt(one, "usdPriceNative")),
      )
    }
  })

  it.effect("has pictures of its own, under the host that the caller names", function* () {
    const { origin } = yield* brokerUrl
    for (const one of yield* list) {
      const [, suffix = ""] = textAt(one, "id").split(".")
      assert.strictEqual(textAt(one, "assetLogo"), `${origin}/logos/${textAt(one, "id")}.svg`)
      assert.strictEqual(textAt(one, "networkLogo"), `${origin}/logos/${suffix}.svg`)
    }
    const logo = yield* call("GET", "/logos/usdc.arb.svg", anybody)
    assert.strictEqual(logo.status, 200)
    assert.strictEqual(logo.headers.get("content-type"), "image/svg+xml")
    assert.strictEqual(logo.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(logo.headers.get("cache-control"), "public, max-age=3600")
    assert.match(
      logo.text,
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .* aria-label="USDC"><circle .*<path .*<\/svg>$/,
    )
    const known = { key: null, headers: { "if-none-match": logo.headers.get("etag") ?? "" } }
    assert.strictEqual((yield* call("GET", "/logos/usdc.arb.svg", known)).status, 304)
    for (const name of ["usdc.arb", "nothing.svg", "%3Cscript%3E.svg", "__proto__.svg"]) {
      assertFailure(yield* call("GET", `/logos/${name}`, anybody), 404)
    }
  })

  it.effect("tells the minimum that a quote tells", function* () {
    const bitcoin = yield* becomes("btc.btc", { enabled: true, direction: "both", platforms: ["chainflip"] })
    assert.strictEqual(numberAt(bitcoin, "minimalAmount"), "0.0004")
    assert.strictEqual(textAt(bitcoin, "minimalAmountNative"), "40000")
    const { body } = yield* call("GET", "/quotes-native", {
      query: { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "39999" },
    })
    assert.deepStrictEqual(at(body, "errors", "minimalAmountNative"), ["40000"])
    yield* setAsset("btc.btc", { minimumDeposit: "50001" })
    const raised = yield* becomes("btc.btc", { minimalAmountNative: "50001" })
    assert.strictEqual(numberAt(raised, "minimalAmount"), "0.00050001")
    yield* setAsset("btc.btc", { minimumDeposit: "40000" })
  })

  it.effect("follows what the network switches off, by direction", function* () {
    yield* setAsset("eth.arb", { depositEnabled: false })
    yield* becomes("eth.arb", { enabled: true, direction: "egress" })
    yield* setAsset("eth.arb", { depositEnabled: true, egressEnabled: false })
    yield* becomes("eth.arb", { enabled: true, direction: "ingress" })
    yield* setAsset("eth.arb", { depositEnabled: false, egressEnabled: false })
    yield* becomes("eth.arb", { enabled: false, direction: "both", platforms: [] })
    const { body, status } = yield* call("GET", "/swap", {
      query: {
        sourceAsset: "eth.arb",
        destinationAsset: "usdc.eth",
        destinationAddress: "0x2222222222222222222222222222222222222222",
      },
    })
    assert.strictEqual(status, 503)
    assert.strictEqual(textAt(body, "code"), "asset_disabled")
    yield* setAsset("eth.arb", { depositEnabled: true, egressEnabled: true })
    yield* becomes("eth.arb", { enabled: true, direction: "both" })
  })

  it.effect("follows what the operator switches off: an asset, an operation, the provider", function* () {
    for (
      const [what, isOtherServed] of [
        [{ asset: "sol.sol" }, true],
        [{ asset: "sol.sol", operation: "open" }, true],
        [{ operation: "quote" }, false],
        [{}, false],
      ] as const
    ) {
      yield* throwSwitch(false, "chainflip", what)
      const assets = yield* list
      assert.deepInclude(assetIn(assets, "sol.sol"), { enabled: false, platforms: [] }, JSON.stringify(what))
      assert.strictEqual(find(assetIn(assets, "btc.btc"), "enabled"), isOtherServed, JSON.stringify(what))
      yield* throwSwitch(true, "chainflip", what)
      yield* becomes("sol.sol", { enabled: true })
    }
  })

  it.effect("goes on with what it last heard of a provider that fails", function* () {
    yield* becomes("btc.btc", { enabled: true })
    const before = yield* priced
    yield* call("PUT", "/sandbox/faults", { body: { operation: "quote", kind: "http_500" } })
    assert.deepStrictEqual(yield* list, before)
    yield* call("DELETE", "/sandbox/faults")
  })
})

withOwnBroker({ ...fresh, PROVIDERS: "near-intents,chainflip" })("GET /assets with two providers", (it) => {
  it.effect("names all that serve an asset, the preferred first, and the price of whom states one", function* () {
    const ether = yield* becomes("eth.eth", { enabled: true, platforms: ["near-intents", "chainflip"] })
    assert.strictEqual(numberAt(ether, "usdPrice"), "1904")
    assert.strictEqual(textAt(ether, "usdPriceNative"), "1904000000")
    yield* becomes("flip.eth", { enabled: true, platforms: ["chainflip"] })
    const flip = assetIn(yield* priced, "flip.eth")
    assert.isAbove(Number(numberAt(flip, "usdPrice")), 0)
  })

  it.effect("tells the lowest minimum that one of them states", function* () {
    yield* becomes("btc.btc", { minimalAmountNative: "40000" })
    yield* throwSwitch(false, "chainflip", { asset: "btc.btc" })
    yield* becomes("btc.btc", { platforms: ["near-intents"], minimalAmountNative: "1" })
    yield* throwSwitch(true, "chainflip", { asset: "btc.btc" })
  })

  it.effect("takes no price from a provider that is switched off, but from a quote of the other", function* () {
    yield* throwSwitch(false, "near-intents", {})
    yield* becomes("eth.eth", { enabled: true, platforms: ["chainflip"] })
    const ether = assetIn(yield* priced, "eth.eth")
    assert.notStrictEqual(numberAt(ether, "usdPrice"), "1904")
    assert.closeTo(Number(numberAt(ether, "usdPrice")), 1904, 60)
    yield* throwSwitch(true, "near-intents", {})
  })
})

withOwnBroker()("GET /assets and GET /networks for caches", (it) => {
  it.effect("lists every known network", function* () {
    const { origin } = yield* brokerUrl
    const whole = listAt(yield* get("/networks", {}, anybody), "networks")
    assert.deepStrictEqual(assetIn(whole, "arb"), {
      id: "arb",
      name: "Arbitrum",
      logo: `${origin}/logos/arb.svg`,
      kind: "evm",
      nativeAsset: "eth.arb",
      blockSeconds: new JsonNumber("0.26"),
      chainId: new JsonNumber("42161"),
      caip2: "eip155:42161",
      explorerUrl: "https://arbiscan.io/",
      transactionUrlTemplate: "https://arbiscan.io/tx/{transactionReference}",
      addressUrlTemplate: "https://arbiscan.io/address/{address}",
    })
    const networks = whole.map((network) => ({
      id: textAt(network, "id"),
      name: textAt(network, "name"),
      logo: textAt(network, "logo"),
    }))
    assert.deepStrictEqual(networks, [
      { id: "btc", name: "Bitcoin", logo: `${origin}/logos/btc.svg` },
      { id: "eth", name: "Ethereum", logo: `${origin}/logos/eth.svg` },
      { id: "arb", name: "Arbitrum", logo: `${origin}/logos/arb.svg` },
      { id: "sol", name: "Solana", logo: `${origin}/logos/sol.svg` },
      { id: "hub", name: "Assethub", logo: `${origin}/logos/hub.svg` },
      { id: "tron", name: "Tron", logo: `${origin}/logos/tron.svg` },
      { id: "dot", name: "Polkadot", logo: `${origin}/logos/dot.svg` },
      { id: "bsc", name: "Bsc", logo: `${origin}/logos/bsc.svg` },
      { id: "base", name: "Base", logo: `${origin}/logos/base.svg` },
      { id: "pol", name: "Polygon", logo: `${origin}/logos/pol.svg` },
      { id: "avax", name: "Avalanche", logo: `${origin}/logos/avax.svg` },
      { id: "op", name: "Optimism", logo: `${origin}/logos/op.svg` },
      { id: "ltc", name: "Litecoin", logo: `${origin}/logos/ltc.svg` },
      { id: "doge", name: "Dogecoin", logo: `${origin}/logos/doge.svg` },
      { id: "bch", name: "BitcoinCash", logo: `${origin}/logos/bch.svg` },
      { id: "zec", name: "Zcash", logo: `${origin}/logos/zec.svg` },
      { id: "dash", name: "Dash", logo: `${origin}/logos/dash.svg` },
      { id: "xrp", name: "XrpLedger", logo: `${origin}/logos/xrp.svg` },
    ])
    for (const one of yield* list) {
      const [, suffix = ""] = textAt(one, "id").split(".")
      assert.deepInclude(networks, {
        id: suffix,
        name: textAt(one, "network"),
        logo: textAt(one, "networkLogo"),
      })
    }
  })

  for (const [path, maxAge] of [["/assets", 10], ["/networks", 3_600]] as const) {
    it.effect(`lets ${path} be kept for ${maxAge} seconds, and asked for again by its tag`, function* () {
      yield* priced
      const { headers, text } = yield* call("GET", path, anybody)
      const etag = headers.get("etag") ?? ""
      assert.match(etag, /^"[\w-]{20,}"$/)
      assert.strictEqual(headers.get("cache-control"), `public, max-age=${maxAge}`)
      for (const known of [etag, `W/${etag}`, `"other", W/"other" , ${etag}`, "*"]) {
        const again = yield* call("GET", path, { key: null, headers: { "if-none-match": known } })
        assert.strictEqual(again.status, 304, known)
        assert.strictEqual(again.text, "")
        assert.strictEqual(again.headers.get("etag"), etag)
        assert.strictEqual(again.headers.get("cache-control"), `public, max-age=${maxAge}`)
        assert.isFalse(again.headers.has("content-type"))
      }
      for (const unknown of ['"other"', etag.slice(1, -1), "", "W/", `"${etag}`]) {
        const again = yield* call("GET", path, { key: null, headers: { "if-none-match": unknown } })
        assert.strictEqual(again.status, 200, unknown)
        assert.strictEqual(again.text, text)
        assert.strictEqual(again.headers.get("etag"), etag)
      }
    })

    it.effect(`answers HEAD ${path} as GET, without the body`, function* () {
      yield* priced
      const { headers } = yield* call("GET", path, anybody)
      const etag = headers.get("etag") ?? ""
      const head = yield* call("HEAD", path, anybody)
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.text, "")
      assert.strictEqual(head.headers.get("etag"), etag)
      assert.strictEqual(head.headers.get("content-type"), "application/json")
      const known = yield* call("HEAD", path, { key: null, headers: { "if-none-match": etag } })
      assert.strictEqual(known.status, 304)
    })
  }

  it.effect("does not look at keys: a wrong one, or two, change nothing", function* () {
    const { text } = yield* call("GET", "/assets", anybody)
    const wrong = { key: "wrong", query: { apiKey: "another" } }
    const answer = yield* call("GET", "/assets", wrong)
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.text, text)
  })
})

const settings = { ...fresh, PUBLIC_URL: "https://broker.example/swap/" }

withOwnBroker(settings)("the pictures of GET /assets under PUBLIC_URL", (it) => {
  it.effect("have URLs that begin with it, whatever the caller names", function* () {
    const bitcoin = yield* asset("btc.btc")
    assert.strictEqual(textAt(bitcoin, "assetLogo"), "https://broker.example/swap/logos/btc.btc.svg")
    assert.strictEqual(textAt(bitcoin, "networkLogo"), "https://broker.example/swap/logos/btc.svg")
  })
})

withOwnBroker({ ...settings, LOGO_URL: "https://cdn.example/{id}.png" })(
  "the pictures of a LOGO_URL",
  (it) => {
    it.effect("are somebody else's", function* () {
      const ether = yield* asset("eth.arb")
      assert.strictEqual(textAt(ether, "assetLogo"), "https://cdn.example/eth.arb.png")
      assert.strictEqual(textAt(ether, "networkLogo"), "https://cdn.example/arb.png")
    })
  },
)
