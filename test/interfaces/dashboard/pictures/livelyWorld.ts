import { Effect } from "effect"
import { setTimeout as delay } from "node:timers/promises"
import { SqlClient } from "effect/sql"
import { addressFor } from "#test/contract/support/addresses.ts"
import { integerAt, type Json, parseJson, textAt } from "#test/contract/support/Json.ts"
import { fillBusiness, otherAccount } from "#test/bench/business/fillBusiness.ts"
import type { RunningService } from "#test/support/process.ts"
import { ProviderHistoryRepo } from "#infrastructure/store/ops/ProviderHistoryRepo.ts"
import { fillHistory } from "../support/seedHistory.ts"

/** A name that people give, in place of that of the bench. */
const wallet = "acme-wallet"

export const swaps = 8_000

/** A year of business that ends yesterday, which the embedded database is filled with in seconds. */
export const fillYear = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* fillBusiness(swaps, { begin: Date.now() - 365.2 * 86_400_000, open: 12, stalled: 3 })
  yield* sql`UPDATE accounts SET name = ${wallet}, commission_bps = 25 WHERE name = ${otherAccount}`
  // Every swap has a journal; the pages of the last ones are looked at.
  yield* sql`
    INSERT INTO swap_journal (swap_id, kind, recorded_at, status, body, body_length)
    SELECT id, kind, created_at + (place - 1) * interval '4 minutes', status, '{"state":"COMPLETED"}', 21
    FROM swaps, unnest(ARRAY['opened', 'changed', 'changed']) WITH ORDINALITY AS entry (kind, place)
    WHERE id > ${swaps - 100}::int ORDER BY id, place`
  yield* Effect.provide(fillHistory, ProviderHistoryRepo.layer)
  yield* sql`SELECT setval(pg_get_serial_sequence('swaps', 'id'), ${swaps}::bigint)`
})

type Service = Pick<RunningService, "apiKey" | "url">
type Query = Readonly<Record<string, string>>

interface Sent {
  readonly key?: string
  readonly query?: Query
  readonly body?: unknown
}

/** What is asked of a running service, as an operator and its integrators would. */
const client = ({ apiKey, url }: Service) => {
  const send = async (method: string, path: string, { body, key = apiKey, query = {} }: Sent = {}) => {
    const at = new URL(path, url)
    for (const [name, value] of Object.entries(query)) at.searchParams.set(name, value)
    const answer = await fetch(at, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  /** Has to succeed. */
  const ask = async (method: string, path: string, sent: Sent = {}): Promise<Json> => {
    const { status, text } = await send(method, path, sent)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return text === "" ? null : parseJson(text)
  }
  return { send, ask }
}

type Client = ReturnType<typeof client>

/** The accounts of integrators by their names, with the bps that each earns. */
const integrators = { "kite-bot": 15, northpass: 20, "harbor-pay": 30 } as const

const makeAccounts = async ({ ask }: Client) => {
  for (const [name, commissionBps] of Object.entries(integrators)) {
    await ask("POST", "/operator/accounts", { body: { name, commissionBps } })
  }
  const keys: Record<string, string> = {}
  for (const name of [wallet, ...Object.keys(integrators)]) {
    for (const label of ["server", "ios-app"]) {
      keys[name] = textAt(await ask("POST", `/operator/accounts/${name}/keys`, { body: { label } }), "key")
    }
  }
  await ask("PUT", `/operator/accounts/${wallet}/routes`, {
    body: { sourceAsset: "btc.btc", destinationAsset: "*", allowed: false },
  })
  return keys
}

const swapOf = (sourceAsset: string, destinationAsset: string, more: Query = {}): Query => ({
  sourceAsset,
  destinationAsset,
  destinationAddress: addressFor(destinationAsset),
  ...more,
})

/** Swaps of several accounts: some waiting, some on their way, some that ended well, some sent back. */
const makeSwaps = async ({ ask }: Client, keys: Readonly<Record<string, string>>) => {
  const open = async (name: string, query: Query, amount?: string) => {
    const opened = await ask("GET", "/swap", { key: keys[name] ?? "", query })
    if (amount !== undefined) {
      await ask("POST", "/sandbox/deposits", { body: { address: textAt(opened, "address"), amount } })
    }
    return integerAt(opened, "id")
  }
  const hasEnded = async (swapId: number) => {
    const query = { swapId: `${swapId}` }
    const look = () => ask("GET", "/status-by-id", { key: keys["kite-bot"] ?? "", query })
    while (textAt(await look(), "status", "state") !== "completed") await delay(200)
  }
  const chainflip = { platform: "chainflip", commissionBps: "30" }
  const first = await open("kite-bot", swapOf("eth.arb", "usdc.eth", chainflip), "2.5")
  await open("northpass", swapOf("btc.btc", "eth.eth", chainflip), "0.15")
  await open("northpass", swapOf("usdc.eth", "btc.btc", chainflip), "1200")
  await open("harbor-pay", swapOf("sol.sol", "usdc.eth", chainflip), "40")
  await ask("POST", "/sandbox/time", { body: { advanceSeconds: 7_200 } })
  await hasEnded(first)
  await open(
    "kite-bot",
    swapOf("usdt.tron", "usdc.base", { platform: "near-intents", amount: "1000" }),
    "1000",
  )
  await open("harbor-pay", swapOf("btc.btc", "usdc.eth", chainflip), "0.03")
  return await open("northpass", swapOf("eth.eth", "btc.btc", chainflip))
}

/** Requests that fail, for causes of all sides. */
const makeFailures = async ({ ask, send }: Client, keys: Readonly<Record<string, string>>) => {
  const quote = { sourceAsset: "btc.btc", destinationAsset: "eth.eth", amount: "0.00001" }
  const failing: ReadonlyArray<readonly [times: number, name: string, path: string, query: Query]> = [
    [38, "kite-bot", "/swap", swapOf("btc.btc", "eth.eth", { destinationAddress: addressFor("btc.btc") })],
    [27, "northpass", "/quotes-native", { ...quote, amount: "x" }],
    [12, "harbor-pay", "/quotes", quote],
    [9, "kite-bot", "/status-by-id", { swapId: "999999" }],
    [4, wallet, "/swap", swapOf("btc.btc", "eth.eth")],
  ]
  for (const [times, name, path, query] of failing) {
    for (let time = 0; time < times; time++) await send("GET", path, { key: keys[name] ?? "", query })
  }
  // An opening whose answer is lost.
  await ask("PUT", "/sandbox/faults", {
    body: { provider: "chainflip", operation: "open", kind: "reset", count: 1 },
  })
  await send("GET", "/swap", {
    key: keys["harbor-pay"] ?? "",
    query: swapOf("usdc.eth", "btc.btc", { platform: "chainflip" }),
  })
  await ask("DELETE", "/sandbox/faults")
}

/** One provider that goes on failing. */
const breakRelay = async ({ ask, send }: Client, keys: Readonly<Record<string, string>>) => {
  await ask("PUT", "/sandbox/faults", { body: { provider: "relay", kind: "http_500" } })
  for (let time = 0; time < 30; time++) {
    const query = {
      sourceAsset: "eth.eth",
      destinationAsset: "usdc.arb",
      amount: `${1 + time / 10}`,
      platform: "relay",
    }
    await send("GET", "/quotes", { key: keys.northpass ?? "", query })
  }
}

/** A receiver that takes all messages, and one that is down for maintenance. */
export const receivers = Effect.acquireRelease(
  Effect.sync(() => {
    const serve = (status: number, text: string) =>
      Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => undefined },
        () => new Response(text, { status }),
      )
    return [serve(200, "ok"), serve(503, "upstream connect error: shop is closed for maintenance")] as const
  }),
  (all) => Effect.promise(() => Promise.all(all.map((one) => one.shutdown()))),
)

type Receivers = Effect.Success<typeof receivers>

const makeWebhooks = async ({ ask }: Client, [good, bad]: Receivers) => {
  const make = async (name: string, to: Receivers[number], types?: ReadonlyArray<string>) =>
    textAt(
      await ask("POST", `/operator/accounts/${name}/webhooks`, {
        body: {
          url: `http://127.0.0.1:${to.addr.port}/hooks/swaps`,
          ...(types === undefined ? {} : { types }),
        },
      }),
      "id",
    )
  await make("kite-bot", good)
  await make("northpass", good, ["swap.completed", "swap.failed"])
  return await make("harbor-pay", bad)
}

const earn = async ({ ask }: Client) => {
  await ask("POST", "/operator/treasury/withdrawals", { body: { provider: "chainflip", asset: "usdc.eth" } })
  await ask("POST", "/sandbox/time", { body: { advanceSeconds: 3_600 } })
}

/** What pages of one thing are looked at for. */
export interface Lively {
  readonly waiting: number
  readonly account: string
  readonly webhook: string
  /** A message of that webhook. */
  readonly delivery: number
  /** The path of the page for who pays into the swap that waits. */
  readonly payPage: string
}

/** Does what a few integrators and an operator do in some hours. */
export const live = async (service: Service, hooks: Receivers): Promise<Lively> => {
  const asked = client(service)
  const keys = await makeAccounts(asked)
  const webhook = await makeWebhooks(asked, hooks)
  const waiting = await makeSwaps(asked, keys)
  await earn(asked)
  await makeFailures(asked, keys)
  await breakRelay(asked, keys)
  const account = "harbor-pay"
  const deliveries = await asked.ask("GET", `/operator/accounts/${account}/webhooks/${webhook}/deliveries`)
  const delivery = integerAt(deliveries, 0, "id")
  const link = await asked.ask("POST", `/swap/${waiting}/pay-link`, { key: keys.northpass ?? "" })
  return { waiting, account, webhook, delivery, payPage: new URL(textAt(link, "url")).pathname }
}
