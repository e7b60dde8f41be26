import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Scope } from "#domain/accounts/Key.ts"
import { call, get, withOwnBroker } from "#test/contract/support/call.ts"
import { find, integerAt, type Json, listAt, numberAt } from "#test/contract/support/Json.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import { assertFailure } from "#test/contract/support/problem.ts"
import { encodeMethod, openMethod, openParams, post, resultOf, rpcCall } from "#test/contract/support/rpc.ts"
import {
  holdings,
  keyThatIs,
  type Outcome,
  outcomeOf,
  type Standing,
  standings,
  unlimited,
} from "./support/callers.ts"

/** What calls there are, and every scope that a request of them needs, written down a second time. */
const requests: ReadonlyArray<readonly [what: string, body: unknown, needed: ReadonlyArray<Scope>]> = [
  // Without parameters that fit, so that a call that is let in does no harm.
  [openMethod, rpcCall(openMethod, {}), ["swap"]],
  ["broker_requestSwapDepositAddress", rpcCall("broker_requestSwapDepositAddress", []), ["swap"]],
  [encodeMethod, rpcCall(encodeMethod, {}), ["swap"]],
  ["broker_requestSwapParameterEncoding", rpcCall("broker_requestSwapParameterEncoding", []), ["swap"]],
  ...[
    "cf_environment",
    "cf_swap_rate_v3",
    "cf_supported_assets",
    "cf_available_pools",
    "cf_boost_pools_depth",
  ].map(
    (method): readonly [string, unknown, ReadonlyArray<Scope>] => [method, rpcCall(method, []), ["quote"]],
  ),
  ["a batch of openings", [rpcCall(openMethod, {}), rpcCall(encodeMethod, {})], ["swap"]],
  ["a batch of both", [rpcCall("cf_environment", []), rpcCall(openMethod, {})], ["quote", "swap"]],
  ["an opening that nobody waits for", { jsonrpc: "2.0", method: openMethod, params: {} }, ["swap"]],
  ["no such method", rpcCall("broker_withdraw_fees", []), []],
  ["no call", {}, []],
  ["no JSON", "{", []],
]

/** What has to become of a request with a key of these scopes. */
const expected = (needed: ReadonlyArray<Scope>, held: ReadonlyArray<Scope>, standing: Standing): Outcome => {
  if (standing === "revoked" || standing === "expired") return 401
  return standing === "live" && needed.every((scope) => held.includes(scope)) ? "let in" : 403
}

const outcomes = (key: string) =>
  Effect.forEach(
    requests,
    ([what, body]) => Effect.map(post(body, { key }), ({ status }) => [what, outcomeOf(status)] as const),
    { concurrency: 4 },
  )

const openChannels = Effect.map(get("/sandbox"), (view) => integerAt(view, "openChannelCount"))

/** A channel by its coordinates, as JSON-RPC answered them. */
const statusOf = (opened: Json, key: string) =>
  call("GET", "/status-by-deposit-channel", {
    key,
    query: {
      issuedBlock: numberAt(opened, "issued_block"),
      network: "Bitcoin",
      channelId: numberAt(opened, "channel_id"),
    },
  })

const history = (key: string) => Effect.map(get("/swaps", { status: "waiting" }, { key }), listAt)

withOwnBroker(unlimited)("the matrix of authorisation of /rpc/{apiKey}", (it) => {
  for (const standing of standings) {
    it.effect(`holds for every method and every scope of a key that is ${standing}`, function* () {
      const before = yield* openChannels
      for (const held of holdings) {
        const row = requests.map(([what, , needed]) => [what, expected(needed, held, standing)] as const)
        const key = yield* keyThatIs(standing, held)
        assert.deepStrictEqual(yield* outcomes(key), row, `${held} ${standing}`)
      }
      assert.strictEqual(yield* openChannels, before)
    })
  }

  it.effect("lets nobody in by a key that is none, or only looks like one of somebody's", function* () {
    const { id, key } = yield* issue(yield* newAccount())
    for (const wrong of [id, `${key}0`, key.slice(0, -1), key.toUpperCase(), `${key}%00`, "%"]) {
      for (const outcome of yield* outcomes(wrong)) assert.strictEqual(outcome[1], 401, wrong)
    }
  })

  it.effect("shows what an account opens to its own keys alone", function* () {
    const account = yield* newAccount()
    const [own, second] = [yield* issue(account), yield* issue(account)]
    const other = yield* issue(yield* newAccount())
    const opened = yield* resultOf(openMethod, openParams(), own)
    for (const { key } of [own, second]) {
      assert.strictEqual((yield* statusOf(opened, key)).status, 200)
      assert.strictEqual((yield* history(key)).length, 1)
    }
    const denied = yield* statusOf(opened, other.key)
    assertFailure(denied, 404)
    assert.strictEqual(find(denied.body, "detail"), "No such swap")
    assert.deepStrictEqual(yield* history(other.key), [])
  })
})
