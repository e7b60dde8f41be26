import { assert, describe, it } from "#test/support/it.ts"
import { Clock, Duration, Effect, Exit, Predicate } from "effect"
import { FaultCode } from "#api/SandboxFaults.ts"
import { eachInSandbox, inSandbox } from "./inSandbox.ts"
import {
  at,
  bitcoinAddress,
  type Client,
  ethereumAddress,
  opening,
  quotePath,
  startSandbox,
  statusOf,
  textAt,
} from "./support.ts"

const put = (client: Client, rule: unknown) => client.send("PUT", "/sandbox/faults", rule)
const quote = (client: Client) => client.get(quotePath("10000000"))
const open = (client: Client) =>
  client.send("POST", "/chainflip/broker", {
    jsonrpc: "2.0",
    id: 1,
    method: "broker_request_swap_deposit_address",
    params: opening(),
  })
const openThroughBackend = (client: Client) =>
  client.send("POST", "/chainflip/backend/api/openSwapDepositChannel", {
    srcAsset: { chain: "Bitcoin", asset: "BTC" },
    destAsset: { chain: "Ethereum", asset: "ETH" },
    destAddress: ethereumAddress,
    amount: "25000000",
    fillOrKillParams: { retryDurationBlocks: 100, refundAddress: bitcoinAddress, minPriceX128: "0" },
  })
const channelCount = (client: Client) =>
  Effect.map(client.get("/sandbox"), ({ json }) => at(json, "openChannelCount"))

/** What each code is on the backend: status and message. */
const onBackend: Readonly<Record<FaultCode, readonly [number, RegExp]>> = {
  amount_below_minimum: [400, /^amount is lower than estimated ingress fee \([0-9]+\)$/],
  egress_below_minimum: [400, /^egress amount \([0-9]+\) is lower than minimum egress amount \([0-9]+\)$/],
  egress_fee_not_covered: [400, /^swap output amount is lower than the egress fee \([0-9]+\)$/],
  insufficient_liquidity: [400, /^insufficient liquidity for requested amount$/],
  quoting_maintenance: [503, /^Quoting is currently unavailable due to maintenance$/],
  swapping_maintenance: [503, /^The swap service is currently unavailable due to maintenance$/],
  deposit_channel_failed: [
    500,
    /Module error ‘DepositChannelCreationDisabled‘ from pallet ‘BitcoinIngressEgress‘/,
  ],
  too_many_channels: [400, /^too many channels$/],
  asset_disabled: [503, /^Asset Btc is disabled$/],
  upstream_error: [500, /^unknown error$/],
  provider_unavailable: [429, /^Too many requests, please try again later$/],
  request_cancelled: [499, /^client closed request$/],
  route_disabled: [403, /^pair is not enabled for this account$/],
}

/** What each code is on the broker's JSON-RPC wire where it differs: the code of the error. */
const onBroker: Readonly<Record<FaultCode, number | "as on the backend">> = {
  amount_below_minimum: -32020,
  egress_below_minimum: -32020,
  egress_fee_not_covered: -32020,
  insufficient_liquidity: -32021,
  quoting_maintenance: -32020,
  swapping_maintenance: -32020,
  deposit_channel_failed: -32020,
  too_many_channels: -32020,
  asset_disabled: -32020,
  upstream_error: -32021,
  provider_unavailable: "as on the backend",
  request_cancelled: "as on the backend",
  route_disabled: "as on the backend",
}

const backendCalls = [
  ["quote", quote],
  ["status", (client: Client) => statusOf(client, "1-Bitcoin-1")],
  ["open", openThroughBackend],
] as const

describe("fault codes", () => {
  const onEachCall = FaultCode.literals.flatMap((code) =>
    backendCalls.map(([operation, call]) => [code, operation, call] as const)
  )
  eachInSandbox(onEachCall)(
    "make %s a message of the backend's %s",
    function* (client, [code, operation, call]) {
      yield* put(client, { provider: "chainflip", operation, code })
      const { headers, json, status } = yield* call(client)
      const [expected, message] = onBackend[code]
      assert.strictEqual(status, expected)
      assert.match(textAt(json, "message"), message)
      assert.strictEqual(headers.get("retry-after"), null)
      assert.strictEqual(yield* channelCount(client), 0)
    },
  )

  it.effect.each(FaultCode.literals)("make %s an error of the broker", function* (code) {
    const client = yield* startSandbox()
    yield* put(client, { operation: "open", code })
    const { json, status } = yield* open(client)
    const expected = onBroker[code]
    if (expected === "as on the backend") {
      assert.strictEqual(status, onBackend[code][0])
      assert.match(textAt(json, "message"), onBackend[code][1])
    } else {
      assert.strictEqual(status, 200)
      assert.strictEqual(at(json, "id"), 1)
      assert.strictEqual(at(json, "error", "code"), expected)
    }
    assert.strictEqual(yield* channelCount(client), 0)
  })

  inSandbox("meet the calls of a batch that ask for the operation, and no others", function* (client) {
    yield* put(client, { operation: "quote", code: "insufficient_liquidity" })
    const rate = { method: "cf_swap_rate_v3", params: [{ chain: "Ethereum", asset: "ETH" }, "USDC", "0x1"] }
    const { json } = yield* client.send("POST", "/chainflip/node", [
      { jsonrpc: "2.0", id: 1, ...rate },
      { jsonrpc: "2.0", id: 2, method: "cf_lending_pools" },
    ])
    assert.strictEqual(at(json, 0, "error", "message"), "DispatchError: InsufficientLiquidity")
    assert.deepStrictEqual(at(json, 1, "result"), [])
  })
})

describe("fault kinds", () => {
  inSandbox("reset cuts the connection before any byte of an answer", function* (client) {
    yield* put(client, { operation: "quote", kind: "reset" })
    const connection = yield* Effect.acquireRelease(
      Effect.promise(() => Deno.connect({ hostname: "127.0.0.1", port: Number(client.url.port) })),
      (connection) => Effect.sync(() => connection.close()),
    )
    const request = new TextEncoder().encode(`GET ${quotePath("10000000")} HTTP/1.1\r\nHost: x\r\n\r\n`)
    yield* Effect.promise(() => connection.write(request))
    const read = yield* Effect.exit(
      Effect.tryPromise(() => connection.read(new Uint8Array(1))),
    )
    assert.isTrue(Exit.isFailure(read))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(quote(client))))
  })

  it.live("timeout never answers, and the channel is open all the same", function* () {
    const client = yield* startSandbox()
    yield* put(client, { operation: "open", kind: "timeout" })
    const answered = yield* Effect.timeoutOption(open(client), Duration.millis(50))
    assert.isTrue(answered._tag === "None")
    assert.strictEqual(yield* channelCount(client), 1)
  })

  it.live("latency delays an answer that is otherwise right", function* () {
    const client = yield* startSandbox()
    yield* put(client, { operation: "quote", kind: "latency", latencyMs: 60 })
    const before = yield* Clock.currentTimeMillis
    assert.strictEqual((yield* quote(client)).status, 200)
    assert.isAtLeast((yield* Clock.currentTimeMillis) - before, 59)
  })

  it.live("latencyMs delays any other fault as well", function* () {
    const client = yield* startSandbox()
    yield* put(client, { code: "upstream_error", latencyMs: 60 })
    const before = yield* Clock.currentTimeMillis
    assert.strictEqual((yield* quote(client)).status, 500)
    assert.isAtLeast((yield* Clock.currentTimeMillis) - before, 59)
  })

  inSandbox("http_500 fails without doing anything", function* (client) {
    yield* put(client, { kind: "http_500" })
    for (const answer of [yield* quote(client), yield* open(client)]) {
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(answer.json, { message: "unknown error" })
    }
    assert.strictEqual(yield* channelCount(client), 0)
  })

  inSandbox("malformed and reset on opening lose the answer, not the channel", function* (client) {
    yield* put(client, { operation: "open", kind: "malformed" })
    const { json, status } = yield* open(client)
    assert.strictEqual(status, 200)
    assert.isFalse(Predicate.hasProperty(json, "result") || Predicate.hasProperty(json, "error"))
    assert.strictEqual(yield* channelCount(client), 1)
    yield* put(client, { operation: "open", kind: "reset" })
    assert.isTrue(Exit.isFailure(yield* Effect.exit(open(client))))
    assert.strictEqual(yield* channelCount(client), 2)
  })
})

describe("fault rules", () => {
  inSandbox("without an operation meet every operation, but nothing else", function* (client) {
    yield* put(client, { code: "upstream_error" })
    assert.strictEqual((yield* quote(client)).status, 500)
    assert.strictEqual((yield* statusOf(client, "1-Bitcoin-1")).status, 500)
    assert.strictEqual(at((yield* open(client)).json, "error", "code"), -32021)
    assert.strictEqual((yield* client.get("/chainflip/backend/api/networkInfo")).status, 200)
    const environment = yield* client.call("node", "cf_environment", [])
    assert.isDefined(at(environment, "result"))
  })

  inSandbox("of another provider leave Chainflip alone", function* (client) {
    yield* put(client, { provider: "near-intents", kind: "http_500" })
    assert.strictEqual((yield* quote(client)).status, 200)
  })

  inSandbox("with a count are gone when it is used up", function* (client) {
    yield* put(client, { operation: "quote", kind: "http_500", count: 2 })
    assert.strictEqual((yield* statusOf(client, "1-Bitcoin-1")).status, 404)
    assert.strictEqual((yield* quote(client)).status, 500)
    assert.deepStrictEqual(at((yield* client.get("/sandbox")).json, "faults", 0, "count"), 1)
    assert.strictEqual((yield* quote(client)).status, 500)
    assert.strictEqual((yield* quote(client)).status, 200)
    assert.deepStrictEqual(at((yield* client.get("/sandbox")).json, "faults"), [])
  })

  it.effect("with a rate meet the same calls whenever the seed is the same", function* () {
    const statuses = Effect.fnUntraced(function* (seed: string) {
      const client = yield* startSandbox({ seed })
      yield* put(client, { operation: "quote", kind: "http_500", rate: 0.5 })
      return yield* Effect.forEach(Array.from({ length: 40 }), () => quote(client)).pipe(
        Effect.map((answers) => answers.map(({ status }) => status)),
      )
    })
    const first = yield* statuses("one")
    assert.sameMembers([...new Set(first)], [200, 500])
    assert.deepStrictEqual(yield* statuses("one"), first)
    assert.notDeepEqual(yield* statuses("two"), first)
  })

  inSandbox("fall back to an older one when the newer does not meet the call", function* (client) {
    yield* put(client, { code: "upstream_error" })
    yield* put(client, { operation: "quote", code: "asset_disabled", count: 1 })
    assert.strictEqual((yield* quote(client)).status, 503)
    assert.strictEqual((yield* quote(client)).status, 500)
    yield* client.send("DELETE", "/sandbox/faults", undefined)
    assert.strictEqual((yield* quote(client)).status, 200)
  })
})

describe("an announced end", () => {
  const ending = {
    provider: "chainflip",
    ends: { deprecation: ["@1795564800"], link: ['</a>; rel="sunset"', '</b>; rel="successor-version"'] },
  }

  inSandbox("is in every answer of its endpoint, each line of a header", function* (client) {
    yield* put(client, { ...ending, ends: { ...ending.ends, endpoint: "GET /v2/quote" } })
    const { headers, status } = yield* quote(client)
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("deprecation"), "@1795564800")
    assert.strictEqual(headers.get("link"), '</a>; rel="sunset", </b>; rel="successor-version"')
    assert.isNull((yield* statusOf(client, "1-Bitcoin-1")).headers.get("deprecation"))
    assert.isNull((yield* client.get("/relay/chains")).headers.get("deprecation"))
  })

  inSandbox("is of one JSON-RPC method, which answers as before", function* (client) {
    const endpoint = "broker_request_swap_deposit_address"
    yield* put(client, { ...ending, ends: { ...ending.ends, endpoint } })
    const { headers, json } = yield* open(client)
    assert.strictEqual(headers.get("deprecation"), "@1795564800")
    assert.isDefined(at(json, "result"))
  })

  inSandbox("of what is retired does nothing any more, also beside another fault", function* (client) {
    yield* put(client, { provider: "chainflip", operation: "open", latencyMs: 1, kind: "latency" })
    yield* put(client, { provider: "chainflip", ends: { retired: 410 } })
    const { headers, status } = yield* open(client)
    assert.deepStrictEqual([status, headers.get("deprecation")], [410, null])
    assert.strictEqual(yield* channelCount(client), 0)
  })

  inSandbox("is refused beside anything but a provider", function* (client) {
    const { json, status } = yield* put(client, { ...ending, operation: "quote" })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(at(json, "errors", "ends"), ["ends may stand beside provider alone"])
  })
})
