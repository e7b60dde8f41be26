import { Context, Effect, Layer } from "effect"
import { brokerUrl } from "#test/support/broker.ts"
import { call } from "#test/contract/support/call.ts"
import { integerAt, listAt, textAt } from "#test/contract/support/Json.ts"
import { operate } from "#test/contract/support/operator.ts"
import { deposit, openSwap, passUntil } from "#test/contract/support/swaps.ts"

/** Texts of others that would run, if a page let them. */
export const hostile = [
  `<script>canary()</script>`,
  `"><img src=x onerror=canary()>`,
  `'-canary()-'`,
  `javascript:canary()`,
  `</title></style></textarea><svg onload=canary()>`,
]

const [script = "", picture = "", quote = "", link = "", breakout = ""] = hostile

/** Rows that pages are looked at with. */
export interface Rows {
  /** An account with everything, whose texts are hostile; its key. */
  readonly account: string
  readonly key: string
  readonly webhook: string
  readonly delivery: number
  /** A webhook of the account of the operator's key, and a delivery of it. */
  readonly ownWebhook: string
  readonly ownDelivery: number
  /** An account with nothing. */
  readonly empty: string
}

/** A receiver of messages that fails, with hostile texts. */
const receiver = Effect.acquireRelease(
  Effect.sync(() =>
    Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => undefined },
      () => new Response(hostile.join("\n").repeat(20), { status: 500 }),
    )
  ),
  (server) => Effect.promise(() => server.shutdown()),
)

const failedDelivery = (account: string, webhook: string) =>
  Effect.gen(function* () {
    const path = `/accounts/${account}/webhooks/${webhook}/deliveries`
    const delivery = integerAt(yield* operate("POST", `/accounts/${account}/webhooks/${webhook}/test`), "id")
    const tried = Effect.map(
      operate("GET", `${path}/${delivery}`),
      (story) => listAt(story, "attempts").length > 0,
    )
    yield* Effect.repeat(Effect.delay(tried, "50 millis"), { until: (done) => done })
    return delivery
  })

const makeRows = Effect.gen(function* () {
  const account = "acme.exchange-2"
  yield* operate("POST", "/accounts", {
    name: account,
    commissionBps: 25,
    allowedOrigins: ["https://app.acme.example", "https://a-very-long-name-of-a-subdomain.acme.example"],
  })
  const key = textAt(
    yield* operate("POST", `/accounts/${account}/keys`, { label: `${script}${picture}` }),
    "key",
  )
  for (const label of [quote, link, breakout]) yield* operate("POST", `/accounts/${account}/keys`, { label })
  yield* operate("POST", `/accounts/${account}/keys`, { scopes: ["quote"], expiresAt: 4_000_000_000_000 })
  yield* operate("PUT", `/accounts/${account}/routes`, {
    sourceAsset: "btc.btc",
    destinationAsset: "*",
    allowed: false,
  })
  const { port } = (yield* receiver).addr
  const url = `http://127.0.0.1:${port}/${encodeURIComponent(script)}?a='"><b>`
  const webhook = textAt(yield* operate("POST", `/accounts/${account}/webhooks`, { url }), "id")
  const off = yield* operate("POST", `/accounts/${account}/webhooks`, { url, types: ["swap.completed"] })
  yield* operate("PATCH", `/accounts/${account}/webhooks/${textAt(off, "id")}`, { enabled: false })
  yield* call("GET", "/swap", { key, query: { boostFee: script, [picture]: "1" } })
  yield* call("GET", "/status-by-id", { key, query: { swapId: "999999" } })
  yield* call("POST", "/providers/chainflip/switch", {
    body: { enabled: false, operation: "encode", asset: "usdc.eth", reason: `${script} ${picture}` },
  })
  const empty = "empty"
  yield* operate("POST", "/accounts", { name: empty, commissionBps: 0, suspended: true })
  const delivery = yield* failedDelivery(account, webhook)
  const ownWebhook = textAt(yield* operate("POST", "/accounts/default/webhooks", { url }), "id")
  const ownDelivery = yield* failedDelivery("default", ownWebhook)
  return { account, key, webhook, delivery, ownWebhook, ownDelivery, empty } satisfies Rows
})

/** The rows, made once for the tests of a file, as an operator makes them. */
export class AccountRows
  extends Context.Service<AccountRows, Rows>()("test/interfaces/dashboard/AccountRows") {
  static readonly layer = Layer.effect(AccountRows, Effect.andThen(brokerUrl, makeRows))
}

const earn = Effect.gen(function* () {
  const opened = yield* openSwap({ sourceAsset: "eth.arb", commissionBps: "25", platform: "chainflip" })
  yield* deposit(opened, "1000000000000000001")
  yield* passUntil(opened, "completed")
})

/** Orders a withdrawal of what a swap has earned; its number. Another swap earns something again afterwards. */
export const withdraw = Effect.gen(function* () {
  yield* earn
  const body = { provider: "chainflip", asset: "usdc.eth" }
  const id = integerAt(yield* operate("POST", "/treasury/withdrawals", body), "id")
  yield* earn
  return id
})
