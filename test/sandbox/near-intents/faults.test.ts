import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Exit } from "effect"
import { FaultCode } from "#api/SandboxFaults.ts"
import { eachInSandbox, inSandbox } from "../inSandbox.ts"
import { at, type Client, quotePath, startSandbox } from "../support.ts"
import { openOrder, quote, statusOf } from "./support.ts"

const put = (client: Client, rule: object) =>
  client.send("PUT", "/sandbox/faults", { provider: "near-intents", ...rule })
const open = (client: Client) => quote(client, { dry: false })
const orderCount = (client: Client) =>
  Effect.map(client.get("/sandbox"), ({ json }) => at(json, "nearIntents", "openOrderCount"))

/** What each code is on 1Click's wire: status and text. */
const onWire: Readonly<Record<FaultCode, readonly [number, string]>> = {
  amount_below_minimum: [400, "Amount is too low for bridge, try at least 2"],
  egress_below_minimum: [400, "Output amount (1) is below the minimum withdrawal amount (2)"],
  egress_fee_not_covered: [400, "Output amount does not cover the withdrawal fee (2)"],
  insufficient_liquidity: [400, "No liquidity available"],
  quoting_maintenance: [503, "quoting is paused for maintenance"],
  swapping_maintenance: [503, "swaps are paused for maintenance"],
  deposit_channel_failed: [500, "Failed to create deposit address"],
  too_many_channels: [400, "too many active deposit addresses"],
  asset_disabled: [400, "Token is disabled"],
  upstream_error: [500, "Internal server error"],
  provider_unavailable: [429, "ThrottlerException: Too Many Requests"],
  request_cancelled: [499, "client closed request"],
  route_disabled: [403, "pair is not enabled for this account"],
}

const calls = [
  ["quote", (client: Client) => quote(client)],
  ["open", open],
  ["status", (client: Client) => statusOf(client, { address: "bc1q" })],
] as const

describe("the faults of 1Click", () => {
  const onEachCall = FaultCode.literals.flatMap((code) =>
    calls.map(([operation, call]) => [code, operation, call] as const)
  )
  eachInSandbox(onEachCall)("make %s a message of %s", function* (client, [code, operation, call]) {
    yield* put(client, { operation, code })
    const { headers, json, status } = yield* call(client)
    const [expected, message] = onWire[code]
    assert.strictEqual(status, expected)
    assert.strictEqual(at(json, "message"), message)
    assert.strictEqual(headers.get("retry-after"), null)
    assert.strictEqual(yield* orderCount(client), 0)
  })

  inSandbox("tell figures from orders, and leave the catalogue alone", function* (client) {
    yield* put(client, { operation: "quote", kind: "http_500" })
    assert.strictEqual((yield* quote(client)).status, 500)
    assert.strictEqual((yield* open(client)).status, 201)
    yield* put(client, { kind: "http_500" })
    assert.strictEqual((yield* open(client)).status, 500)
    assert.strictEqual((yield* client.get("/near-intents/v0/tokens")).status, 200)
  })

  inSandbox("leave Chainflip alone", function* (client) {
    yield* put(client, { kind: "http_500" })
    assert.strictEqual((yield* client.get(quotePath("10000000"))).status, 200)
    yield* client.send("PUT", "/sandbox/faults", { provider: "chainflip", kind: "http_500" })
    yield* put(client, { kind: "latency", latencyMs: 0 })
    assert.strictEqual((yield* quote(client)).status, 201)
  })

  inSandbox("malformed and reset on opening lose the answer, not the order", function* (client) {
    yield* put(client, { operation: "open", kind: "malformed" })
    const { json, status } = yield* open(client)
    assert.strictEqual(status, 201)
    assert.deepStrictEqual(json, { unexpected: "form" })
    assert.strictEqual(yield* orderCount(client), 1)
    yield* put(client, { operation: "open", kind: "reset" })
    assert.isTrue(Exit.isFailure(yield* Effect.exit(open(client))))
    assert.strictEqual(yield* orderCount(client), 2)
  })

  it.live("timeout never answers, and the order is open all the same", function* () {
    const client = yield* startSandbox()
    yield* put(client, { operation: "open", kind: "timeout" })
    const deadline = new Date(Date.now() + 3_600_000).toISOString()
    const answered = yield* Effect.timeoutOption(
      quote(client, { dry: false, deadline }),
      Duration.millis(100),
    )
    assert.strictEqual(answered._tag, "None")
    assert.strictEqual(yield* orderCount(client), 1)
  })

  inSandbox("count down like those of Chainflip", function* (client) {
    yield* put(client, { operation: "status", code: "upstream_error", count: 1 })
    const order = yield* openOrder(client)
    assert.strictEqual((yield* statusOf(client, order)).status, 500)
    assert.strictEqual((yield* statusOf(client, order)).status, 200)
  })
})
