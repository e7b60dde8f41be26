import { Effect } from "effect"
import { setTimeout as delay } from "node:timers/promises"
import { addressFor } from "#test/contract/support/addresses.ts"
import { integerAt, type Json, parseJson, textAt } from "#test/contract/support/Json.ts"
import type { RunningService } from "#test/support/process.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { ProviderHistoryRepo } from "#infrastructure/store/ops/ProviderHistoryRepo.ts"
import { fillHistory, historyOf } from "../support/seedHistory.ts"
import { fillShownSwaps, openedAt } from "./shownSwaps.ts"
import { type ShownSwap, stories } from "./swapStories.ts"
import { fillYearOfSwaps, integrators } from "./yearOfSwaps.ts"

/** The customer with a limit on its pairs. */
const wallet = "acme-wallet"

const swaps = 9_000

/**
 * A year of business that ends half an hour ago, and swaps in every state with the journals that their pages show; the
 * embedded database is filled with it in seconds.
 */
export const fillWorld = Effect.gen(function* () {
  const now = Date.now()
  yield* fillYearOfSwaps(swaps, now - 30 * 60_000, openedAt(now))
  yield* Effect.provide(
    Effect.gen(function* () {
      yield* fillHistory
      const { add } = yield* ProviderHistoryRepo
      for (
        const [name, badFrom] of [["near-intents", 30], ["relay", 30], ["thorchain", 30], [
          "maya",
          16,
        ]] as const
      ) {
        yield* add(historyOf(ProviderName.make(name), now, badFrom))
      }
    }),
    ProviderHistoryRepo.layer,
  )
  return yield* fillShownSwaps(now)
})

type Service = Pick<RunningService, "apiKey" | "url">
type Query = Readonly<Record<string, string>>

interface Sent {
  readonly key?: string
  readonly query?: Query
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/** What is asked of a running service, as an operator and its integrators would. */
const client = ({ apiKey, url }: Service) => {
  const send = async (
    method: string,
    path: string,
    { body, idempotencyKey, key = apiKey, query = {} }: Sent = {},
  ) => {
    const at = new URL(path, url)
    for (const [name, value] of Object.entries(query)) at.searchParams.set(name, value)
    const answer = await fetch(at, {
      method,
      headers: {
        "x-api-key": key,
        "content-type": "application/json",
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
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

/** An account that has everything, and one that has nothing yet. */
const account = "harbor-pay"
const newAccount = "lumen-desk"

const makeAccounts = async ({ ask }: Client) => {
  const issue = (name: string, body: Readonly<Record<string, unknown>>) =>
    ask("POST", `/operator/accounts/${name}/keys`, { body })
  const keys: Record<string, string> = {}
  for (const [, name] of integrators) keys[name] = textAt(await issue(name, { label: "server" }), "key")
  await issue(account, { label: "price ticker", scopes: ["quote"] })
  await issue(account, {
    label: "load test",
    expiresAt: Date.now() + 20_000,
  })
  await issue(account, { label: "pilot", expiresAt: Date.now() + 30 * 86_400_000 })
  const old = textAt(await issue(account, { label: "server, before the move" }), "id")
  await ask("DELETE", `/operator/keys/${old}`)
  await ask("POST", "/operator/accounts", { body: { name: newAccount, commissionBps: 20 } })
  await ask("PUT", `/operator/accounts/${account}/merchant`, {
    body: {
      displayName: "Harbor Pay",
      colour: "#0b6b5d",
      logo:
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAbklEQVR42mNgGGqAOzv2Pz48IJbS1DHkWk6xIyi1" +
        "mCKHUNtykhxBK8uJdsSAOoDWluN1BL0sx+mIke0AeluO4YhB6wBqgVEHDF0HjJxcMFoSDgoHDHh1PNoiGjSN0kHRLB8UHZNB0zUbFJ1TWgIA" +
        "rMGzdOljBIsAAAAASUVORK5CYII=",
      support: "help@harbor-pay.example",
      returnUrl: "https://harbor-pay.example",
    },
  })
  await ask("PUT", `/operator/accounts/${wallet}/routes`, {
    body: { sourceAsset: "btc.btc", destinationAsset: "*", allowed: false },
  })
  return { keys, old }
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
  const hasEnded = async (name: string, swapId: number) => {
    const query = { swapId: `${swapId}` }
    const look = () => ask("GET", "/status-by-id", { key: keys[name] ?? "", query })
    while (textAt(await look(), "status", "state") !== "completed") await delay(200)
  }
  const chainflip = { platform: "chainflip", commissionBps: "30" }
  const first = await open("kite-bot", swapOf("eth.arb", "usdc.eth", chainflip), "2.5")
  await open("northpass", swapOf("btc.btc", "eth.eth", chainflip), "0.15")
  await open("northpass", swapOf("usdc.eth", "btc.btc", chainflip), "1200")
  await open("harbor-pay", swapOf("sol.sol", "usdc.eth", chainflip), "40")
  await ask("POST", "/sandbox/time", { body: { advanceSeconds: 7_200 } })
  await hasEnded("kite-bot", first)
  const second = await open(
    "kite-bot",
    swapOf("usdt.tron", "usdc.base", { platform: "near-intents", amount: "1000" }),
    "1000",
  )
  const third = await open("harbor-pay", swapOf("btc.btc", "usdc.eth", chainflip), "0.03")
  await hasEnded("kite-bot", second)
  await hasEnded("harbor-pay", third)
  return await open("harbor-pay", swapOf("eth.eth", "btc.btc", { ...chainflip, amount: "1.35" }))
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
    query: swapOf("usdc.eth", "btc.btc", { platform: "chainflip", amount: "2500" }),
    idempotencyKey: "order-20417",
  })
  await ask("DELETE", "/sandbox/faults")
  // What became of it cannot be found out either.
  await ask("PUT", "/sandbox/faults", {
    body: { provider: "chainflip", operation: "list", kind: "http_500" },
  })
  return integerAt(await ask("GET", "/operator/swaps", { query: { opening: "unknown" } }), 0, "id")
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
  // The simulated Chainflip knows of no swap that was filled in: the commission of those of today is given to it.
  await ask("PATCH", "/sandbox/network", {
    body: { change: "shiftEarned", asset: "usdc.eth", difference: "98963500" },
  })
  await ask("POST", "/sandbox/time", { body: { advanceSeconds: 3_600 } })
}

/** Whom and what the pictures show. */
export interface World {
  readonly account: string
  readonly newAccount: string
  /** A key of the account that is revoked. */
  readonly revokedKey: string
  readonly swapOf: (name: ShownSwap) => number
  /** A swap of the sandbox that waits for its deposit. */
  readonly waiting: number
  /** An opening whose outcome is unknown. */
  readonly unknown: number
  readonly webhook: string
  /** The oldest delivery of that webhook, which was attempted. */
  readonly delivery: number
  /** The paths of pages for payers, by the state of their swaps. */
  readonly payPages: Readonly<Record<string, string>>
}

const shownToPayers = [
  "receiving",
  "swapStalled",
  "completed",
  "refundedForPrice",
  "partlyRefunded",
  "refundStalled",
  "expired",
  "failed",
] as const satisfies ReadonlyArray<ShownSwap>

/** Does what a few integrators and an operator do in some hours. */
export const live = async (
  service: Service,
  hooks: Receivers,
  shown: ReadonlyMap<string, number>,
): Promise<World> => {
  const calls = client(service)
  const { keys, old } = await makeAccounts(calls)
  const webhook = await makeWebhooks(calls, hooks)
  const waiting = await makeSwaps(calls, keys)
  await earn(calls)
  const unknown = await makeFailures(calls, keys)
  await breakRelay(calls, keys)
  // The alerts about what went wrong follow after `ALERT_AFTER`.
  await delay(25_000)
  const deliveries = await calls.ask("GET", `/operator/accounts/${account}/webhooks/${webhook}/deliveries`)
  const swapOf = (name: ShownSwap) => shown.get(name) ?? 0
  const payPage = async (swap: number, key = keys[account] ?? "") =>
    new URL(textAt(await calls.ask("POST", `/swap/${swap}/pay-link`, { key }), "url")).pathname
  const payPages: Record<string, string> = { waiting: await payPage(waiting) }
  for (const name of shownToPayers) {
    payPages[name] = await payPage(swapOf(name), keys[stories[name].account])
  }
  return {
    account,
    newAccount,
    revokedKey: old,
    swapOf,
    waiting,
    unknown,
    webhook,
    delivery: integerAt(deliveries, Array.isArray(deliveries) ? deliveries.length - 1 : 0, "id"),
    payPages,
  }
}
