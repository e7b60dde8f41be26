import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addresses } from "#test/contract/support/addresses.ts"
import { type Answer, call, get, type Query, withOwnBroker } from "#test/contract/support/call.ts"
import { integerAt, type Json, listAt, numberAt, objectAt, textAt } from "#test/contract/support/Json.ts"
import { issue, newAccount } from "#test/contract/support/operator.ts"
import { assertFailure } from "#test/contract/support/problem.ts"
import { deposit, openSwap, pass, swapParameters } from "#test/contract/support/swaps.ts"
import { eventually } from "#test/durability/eventually.ts"

const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]
const ofAllStates: Query = [...states.map((state) => ["status", state] as const), ["limit", "500"]]

/** One account with a key of every scope but that of the operator. */
const newCaller = Effect.gen(function* () {
  const account = yield* newAccount()
  return { account, ...(yield* issue(account)) }
})

type Caller = Effect.Success<typeof newCaller>

const history = ({ key }: Caller, query: Query = ofAllStates) =>
  Effect.map(get("/swaps", query, { key }), listAt)

const idOf = (record: Json): number => integerAt(record, "id")

let transactions = 0

const payloadParameters = (amount: string) => ({
  sourceAsset: "eth.eth",
  destinationAsset: "usdc.arb",
  destinationAddress: addresses.arb,
  refundAddress: addresses.eth,
  amount,
})

/** A swap of a transaction without a deposit channel: the hash by which it is found. */
const vaultSwap = Effect.fnUntraced(function* ({ key }: Caller) {
  // A destination of its own: of accounts with payloads that are alike otherwise the earliest counts.
  const destinationAddress = `0x${`${++transactions}`.padStart(40, "d")}`
  const payload = yield* get("/tx-payload/evm", { ...payloadParameters("1"), destinationAddress }, { key })
  const sent = yield* call("POST", "/sandbox/vault-swaps", { key, body: { payload } })
  assert.strictEqual(sent.status, 202, sent.text)
  const hash = textAt(sent.body, "transactionHash")
  yield* pass(600)
  const query = { transactionHash: hash }
  yield* eventually(
    call("GET", "/status-by-transaction-hash", { key, query }),
    ({ status }) => status === 200,
  )
  return hash
})

/** A swap that waits, one with a deposit, and one of a transaction: every way in which a record can be asked for. */
const swapsOf = Effect.fnUntraced(function* (caller: Caller) {
  const { key } = caller
  const waiting = yield* openSwap({}, { key })
  const funded = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.eth" }, { key })
  const hash = yield* deposit(funded, "1000000000000000001")
  const hashes = [hash, yield* vaultSwap(caller)]
  const records = yield* history(caller)
  assert.isAtLeast(records.length, 3)
  const queries: ReadonlyArray<readonly [path: string, query: Readonly<Record<string, string>>]> = [
    ...records.map((record) => ["/status-by-id", { swapId: `${idOf(record)}` }] as const),
    ...[waiting, funded].map((opened) =>
      ["/status-by-deposit-channel", {
        issuedBlock: numberAt(opened, "issuedBlock"),
        network: textAt(opened, "network"),
        channelId: numberAt(opened, "channelId"),
      }] as const
    ),
    ...hashes.flatMap((hash) =>
      [hash, hash.toUpperCase().replace(/^0X/, "0x")].map((transactionHash) =>
        ["/status-by-transaction-hash", { transactionHash }] as const
      )
    ),
  ]
  return { ids: records.map(idOf), queries }
})

/** What a caller could hope to be taken for another account by. */
const disguises = ({ account, id }: Caller): ReadonlyArray<readonly [string, string]> => [
  ["account", account],
  ["accountId", "1"],
  ["account_id", "1"],
  ["keyId", id],
  ["__proto__", account],
]

const withoutTrace = ({ body }: Answer) =>
  Object.fromEntries(Object.entries(objectAt(body)).filter(([name]) => name !== "traceId"))

/** The answers of the look-ups to names that nobody ever had, by path. */
const answersForNothing = Effect.fnUntraced(function* ({ key }: Caller) {
  const nothing: ReadonlyArray<readonly [path: string, query: Readonly<Record<string, string>>]> = [
    ["/status-by-id", { swapId: "987654321" }],
    ["/status-by-deposit-channel", { issuedBlock: "1", network: "Bitcoin", channelId: "987654321" }],
    ["/status-by-transaction-hash", { transactionHash: `0x${"ab".repeat(32)}` }],
  ]
  const answers = yield* Effect.forEach(
    nothing,
    ([path, query]) =>
      Effect.map(call("GET", path, { key, query }), (answer) => {
        assertFailure(answer, 404)
        return [path, withoutTrace(answer)] as const
      }),
  )
  return Object.fromEntries(answers)
})

withOwnBroker({ RATE_LIMIT: "0", RATE_LIMIT_SWAP: "0" })("what belongs to another account", (it) => {
  it.effect("cannot be seen by its id, its channel or its hash: it looks like what never was", function* () {
    const [owner, other] = [yield* newCaller, yield* newCaller]
    const unknown = yield* answersForNothing(other)
    const { ids, queries } = yield* swapsOf(owner)
    for (const [path, query] of queries) {
      const own = yield* get(path, query, { key: owner.key })
      assert.include(ids, idOf(own), `${path} ${JSON.stringify(query)}`)
      const ways: ReadonlyArray<Query> = [query, [...Object.entries(query), ...disguises(owner)]]
      for (const way of ways) {
        const answer = yield* call("GET", path, { key: other.key, query: way })
        assertFailure(answer, 404)
        assert.deepStrictEqual(withoutTrace(answer), unknown[path])
      }
    }
  })

  it.effect("is in no page of the history, whatever the offset, the order and the states", function* () {
    const [owner, other] = [yield* newCaller, yield* newCaller]
    const before = yield* swapsOf(owner)
    const own = yield* swapsOf(other)
    const after = yield* swapsOf(owner)
    assert.lengthOf(after.ids, 2 * before.ids.length)
    const foreign = after.ids
    for (const offset of [...foreign, ...own.ids, 1, Number.MAX_SAFE_INTEGER]) {
      for (const sort of ["ascending", "descending"]) {
        for (const limit of ["1", "500"]) {
          const query: Query = [...disguises(owner), ["offset", `${offset}`], ["sort", sort], [
            "limit",
            limit,
          ]]
          const withStates: Query = [...query, ...states.map((state) => ["status", state] as const)]
          const answer = yield* call("GET", "/swaps", { key: other.key, query: withStates })
          assert.strictEqual(answer.status, 200, answer.text)
          for (const record of listAt(answer.body)) assert.include(own.ids, idOf(record), answer.text)
          const [, next] = /offset=(\d+)/.exec(answer.headers.get("link") ?? "") ?? []
          if (next !== undefined) assert.notInclude(foreign, Number(next), "the link names another's swap")
        }
      }
    }
    assert.sameMembers((yield* history(other)).map(idOf), [...own.ids])
  })

  it.effect("cannot be had by its Idempotency-Key: to another account the key is a new one", function* () {
    const [owner, other] = [yield* newCaller, yield* newCaller]
    const requests = [
      ["/swap", swapParameters(), swapParameters({ sourceAsset: "eth.arb" })],
      ["/tx-payload/evm", payloadParameters("1"), payloadParameters("2")],
    ] as const
    for (const [path, query, otherQuery] of requests) {
      const idempotencyKey = crypto.randomUUID()
      const ask = ({ key }: Caller, query: Readonly<Record<string, string>>) =>
        call("GET", path, { key, query, headers: { "idempotency-key": idempotencyKey } })
      const own = yield* ask(owner, query)
      const others = yield* ask(other, otherQuery)
      for (const { headers, status, text } of [own, others]) {
        assert.strictEqual(status, 200, text)
        assert.isFalse(headers.has("idempotent-replayed"), path)
      }
      assertFailure(yield* ask(other, query), 422)
      for (const [caller, same, first] of [[owner, query, own], [other, otherQuery, others]] as const) {
        const again = yield* ask(caller, same)
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true", path)
        assert.strictEqual(again.text, first.text)
      }
    }
  })

  it.effect("cannot be changed: neither its keys nor what it may do, nor can a new key be had of it", function* () {
    const [owner, other] = [yield* newCaller, yield* newCaller]
    const path = `/operator/accounts/${owner.account}`
    const keys = `${path}/keys`
    const before = yield* get(keys)
    const attempts: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
      ["GET", "/operator/accounts"],
      ["PATCH", path, { suspended: true }],
      ["GET", keys],
      ["POST", keys, { scopes: ["operate"] }],
      ["DELETE", `/operator/keys/${owner.id}`],
      ["GET", `${path}/routes`],
      ["PUT", `${path}/routes`, { sourceAsset: "*", destinationAsset: "*", allowed: false }],
      ["DELETE", `${path}/routes?sourceAsset=*&destinationAsset=*`],
      ["GET", "/operator/audit"],
    ]
    for (const key of [other.key, owner.key]) {
      for (const [method, path, body] of attempts) {
        assertFailure(yield* call(method, path, { key, ...(body === undefined ? {} : { body }) }), 403)
      }
    }
    const left = yield* get(keys)
    assert.deepStrictEqual(
      listAt(left).map((key) => textAt(key, "id")),
      listAt(before).map((key) => textAt(key, "id")),
    )
    assert.deepStrictEqual(yield* get(`${path}/routes`), [])
    yield* openSwap({}, { key: owner.key })
  })

  it.effect("does not come to the one whose key stands beside it in a request", function* () {
    const [owner, other] = [yield* newCaller, yield* newCaller]
    yield* openSwap({}, { key: owner.key })
    const both: Query = [["apiKey", owner.key], ["status", "waiting"]]
    assertFailure(yield* call("GET", "/swaps", { key: other.key, query: both }), 400)
  })
})
