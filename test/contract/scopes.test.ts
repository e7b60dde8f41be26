import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, get, withBroker } from "./support/call.ts"
import { find, numberAt, objectAt } from "./support/Json.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure } from "./support/problem.ts"
import { openSwap, swapParameters } from "./support/swaps.ts"

const scopes = ["quote", "swap", "status", "history", "operate", "withdraw"] as const
type Scope = typeof scopes[number]
type Needed = ReadonlyArray<Scope>

/** Those that a key with some scopes may be used for. */
const allowedBy = (had: ReadonlyArray<Scope>) =>
  endpoints.filter(([needed]) => needed.every((scope) => had.includes(scope)))

const webhook = "/webhooks/whk_aaaaaaaaaaaaaaaa"
const webhooks = "/operator/accounts/nobody/webhooks"

/** What can be done with one webhook. */
const ofOne: ReadonlyArray<readonly [needed: Needed, method: string, path: string]> = [
  [["history"], "GET", ""],
  [["history"], "GET", "/deliveries"],
  [["history"], "GET", "/deliveries/1"],
  [["swap", "history"], "PATCH", ""],
  [["swap", "history"], "DELETE", ""],
  [["swap", "history"], "POST", "/rotate"],
  [["swap", "history"], "POST", "/test"],
  [["swap", "history"], "POST", "/replay"],
]

/** Every endpoint that needs a key, with the scopes that it needs, all of them; none for the sandbox's controls. */
const endpoints: ReadonlyArray<readonly [needed: Needed, method: string, path: string]> = [
  [["quote"], "GET", "/quotes"],
  [["quote"], "GET", "/quotes/compare"],
  [["quote"], "GET", "/quotes/*/explanation"],
  [["quote"], "GET", "/quotes-native"],
  [["quote"], "GET", "/quote"],
  [["quote"], "GET", "/quote-native"],
  [["swap"], "GET", "/swap"],
  [["swap"], "POST", "/swap"],
  [["swap"], "GET", "/tx-payload/bitcoin"],
  [["swap"], "POST", "/tx-payload/bitcoin"],
  [["swap"], "GET", "/tx-payload/evm"],
  [["swap"], "POST", "/tx-payload/evm"],
  [["swap"], "GET", "/tx-payload/solana"],
  [["swap"], "POST", "/tx-payload/solana"],
  [["swap"], "GET", "/tx-payload/tron"],
  [["swap"], "POST", "/tx-payload/tron"],
  [["swap"], "GET", "/tx-payload/xrpl"],
  [["swap"], "POST", "/tx-payload/xrpl"],
  [["quote"], "GET", "/quotes/stream"],
  [["swap"], "GET", "/swap/1/qr"],
  [["swap"], "POST", "/swap/1/pay-link"],
  [["status"], "GET", "/status-by-id"],
  [["status"], "GET", "/status-by-deposit-channel"],
  [["status"], "GET", "/status-by-transaction-hash"],
  [["status"], "GET", "/swaps/1/journal"],
  [["status"], "GET", "/swaps/1/case"],
  [["status"], "GET", "/status-stream"],
  [["status"], "GET", "/swaps/events"],
  [["history"], "GET", "/swaps"],
  [["history"], "GET", "/commission"],
  [["history"], "GET", "/errors"],
  [[], "GET", "/account"],
  [["history"], "GET", "/webhooks"],
  [["swap", "history"], "POST", "/webhooks"],
  ...ofOne.map(([needed, method, path]) => [needed, method, webhook + path] as const),
  [["operate"], "GET", "/providers"],
  [[], "GET", "/providers/chainflip/history"],
  [["operate"], "POST", "/providers/chainflip/switch"],
  [["operate"], "GET", "/operator/accounts"],
  [["operate"], "POST", "/operator/accounts"],
  [["operate"], "PATCH", "/operator/accounts/nobody"],
  [["operate"], "GET", "/operator/accounts/nobody/merchant"],
  [["operate"], "PUT", "/operator/accounts/nobody/merchant"],
  [["operate"], "GET", "/operator/accounts/nobody/keys"],
  [["operate"], "POST", "/operator/accounts/nobody/keys"],
  [["operate"], "DELETE", "/operator/keys/aaaaaaaaaaaaaaaa"],
  [["operate"], "GET", "/operator/accounts/nobody/routes"],
  [["operate"], "PUT", "/operator/accounts/nobody/routes"],
  [["operate"], "DELETE", "/operator/accounts/nobody/routes"],
  [["operate"], "GET", "/operator/accounts/nobody/errors"],
  [["operate"], "GET", "/operator/audit"],
  [["operate"], "POST", "/operator/accounts/nobody/portal-link"],
  [["operate"], "GET", "/operator/alerts"],
  [["operate"], "GET", "/operator/channels"],
  [["operate"], "GET", "/operator/channels/counts"],
  [["operate"], "GET", "/operator/commission"],
  [["operate"], "GET", "/operator/providers/chainflip/history"],
  [["operate"], "GET", "/operator/swaps"],
  [["operate"], "GET", "/operator/treasury"],
  [["operate"], "GET", "/operator/treasury/affiliates"],
  [["operate", "withdraw"], "POST", "/operator/treasury/affiliates"],
  [["operate", "withdraw"], "POST", "/operator/treasury/affiliates/nobody/withdrawals"],
  [["operate", "withdraw"], "POST", "/operator/treasury/entries"],
  [["operate"], "GET", "/operator/treasury/withdrawals"],
  [["operate", "withdraw"], "POST", "/operator/treasury/withdrawals"],
  [["operate"], "GET", "/operator/treasury/withdrawals/1"],
  [["operate", "withdraw"], "POST", "/operator/treasury/withdrawals/1/decision"],
  [["operate"], "GET", "/operator/swaps/1/journal"],
  [["operate"], "GET", "/operator/swaps/1/case"],
  [["operate"], "POST", "/operator/swaps/1/accept"],
  [["operate"], "POST", "/operator/swaps/1/move"],
  [["operate"], "POST", "/operator/swaps/1/reindex"],
  [["operate"], "GET", webhooks],
  [["operate"], "POST", webhooks],
  ...ofOne.map(([, method, path]) =>
    [["operate"], method, `${webhooks}/whk_aaaaaaaaaaaaaaaa${path}`] as const
  ),
  [[], "GET", "/sandbox"],
  [[], "POST", "/sandbox/deposits"],
  [[], "POST", "/sandbox/vault-swaps"],
  [[], "POST", "/sandbox/time"],
  [[], "PUT", "/sandbox/faults"],
  [[], "DELETE", "/sandbox/faults"],
  [[], "PATCH", "/sandbox/network"],
]

/** Every call is of no use, so that none changes anything: what counts is whether it is let in. */
const statusesWith = (key: string) =>
  Effect.forEach(
    endpoints,
    ([, method, path]) =>
      Effect.map(call(method, path, { key, ...(method === "GET" ? {} : { body: "{" }) }), (answer) => {
        if (answer.status === 403) assertFailure(answer, 403)
        return answer.status
      }),
  )

/** Those that are let in. */
const letIn = (statuses: ReadonlyArray<number>) =>
  endpoints.filter((_, index) => ![401, 403].includes(statuses[index] ?? 0))

/** Those that need no key, and the one whose calls need scopes of their own (`rpcAuthorisation.long.test.ts`). */
const others = /^\/(?:assets|networks|logos|livez|readyz|health|metrics|openapi|docs|rpc|\.well-known)/

/** The endpoints of the document, by method and path, without the names of parameters. */
const documented = Effect.map(
  get("/openapi.json"),
  (document) =>
    Object.entries(objectAt(document, "paths")).flatMap(([path, methods]) =>
      others.test(path)
        ? []
        : Object.keys(objectAt(methods)).map((method) =>
          `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "*")}`
        )
    ),
)

/** The same of one that is called here. */
const asDocumented = ([, method, path]: typeof endpoints[number]): string =>
  `${method} ${path.replace(/(?<=\/)(?:nobody|chainflip|[a-z_]+a{16}|a{16}|1)(?=\/|$)/g, "*")}`

withBroker()("what a key may be used for", (it) => {
  it.effect("is asked here of every endpoint that there is", function* () {
    assert.sameMembers([...new Set(endpoints.map(asDocumented))], [...yield* documented])
  })

  for (const scope of scopes) {
    it.effect(`is the endpoints of its scope ${scope} and the sandbox, before parameters are looked at`, function* () {
      const { key } = yield* issue(yield* newAccount(), { scopes: [scope] })
      assert.deepStrictEqual(letIn(yield* statusesWith(key)), allowedBy([scope]))
    })
  }

  it.effect("is everything that it has scopes for", function* () {
    const { key } = yield* issue(yield* newAccount(), { scopes: ["quote", "history"] })
    assert.deepStrictEqual(letIn(yield* statusesWith(key)), allowedBy(["quote", "history"]))
  })

  it.effect("is nothing once it is revoked", function* () {
    const { id, key } = yield* issue(yield* newAccount(), { scopes })
    assert.deepStrictEqual(letIn(yield* statusesWith(key)), endpoints)
    yield* operate("DELETE", `/keys/${id}`)
    assert.isTrue((yield* statusesWith(key)).every((status) => status === 401))
  })

  it.effect("is only to look at what the account has while that is suspended", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account, { scopes })
    const opened = yield* openSwap({}, { key })
    yield* operate("PATCH", `/accounts/${account}`, { suspended: true })
    assert.deepStrictEqual(
      letIn(yield* statusesWith(key)),
      allowedBy(["status", "history"]).filter(([needed]) => needed.length > 0),
    )
    const record = yield* get("/status-by-id", { swapId: numberAt(opened, "id") }, { key })
    assert.strictEqual(find(record, "status", "state"), "waiting")
    const listed = yield* get("/swaps", { status: "waiting" }, { key })
    assert.deepStrictEqual(find(listed, 0, "id"), find(opened, "id"))
    const refused = yield* call("GET", "/swap", { key, query: swapParameters() })
    assertFailure(refused, 403)
    yield* operate("PATCH", `/accounts/${account}`, { suspended: false })
    yield* openSwap({}, { key })
  })
})
