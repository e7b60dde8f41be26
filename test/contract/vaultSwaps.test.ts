import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "#test/durability/eventually.ts"
import { addresses, addressFor, brokerAccounts } from "./support/addresses.ts"
import { call, get, type Options, withBroker } from "./support/call.ts"
import {
  at,
  find,
  integerAt,
  type Json,
  listAt,
  numberAt,
  objectAt,
  parseJson,
  textAt,
} from "./support/Json.ts"
import { assertMembers, integer, object, text } from "./support/members.ts"
import { issue, newAccount } from "./support/operator.ts"
import {
  pathOf,
  payload,
  type PayloadKind,
  payloadKinds,
  payloadParameters,
  recordByHash,
  sendPayload,
} from "./support/payloads.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { affiliates } from "./support/swapRules.ts"
import { pass, type SwapQuery } from "./support/swaps.ts"

const states = ["waiting", "receiving", "swapping", "sending", "sent", "completed", "failed"]
const ofAllStates = [...states.map((state) => ["status", state] as const), ["limit", "500"] as const]

const newCaller = Effect.gen(function* () {
  const { key } = yield* issue(yield* newAccount())
  return { key }
})

const history = (caller: Options) => Effect.map(get("/swaps", ofAllStates, caller), listAt)

/** An amount that no other test sends, so that payloads of the same account can be told apart. */
let count = 0
const amounts: Readonly<Record<PayloadKind, () => string>> = {
  bitcoin: () => `${10_000_000 + ++count}`,
  evm: () => `${10n ** 18n + BigInt(++count)}`,
  solana: () => `${10n ** 10n + BigInt(++count)}`,
  tron: () => `${10n ** 9n + BigInt(++count)}`,
}

/** A destination that no other test has: of accounts with payloads that are alike otherwise the earliest counts. */
const newDestination = (): string => `0x${`${++count}`.padStart(40, "d")}`

/** A payload of the caller's whose transaction is on its way; its hash. */
const begun = Effect.fnUntraced(function* (kind: PayloadKind, caller: Options, changes: SwapQuery = {}) {
  const amountNative = amounts[kind]()
  const changeAddress = kind === "bitcoin" ? { changeAddress: addresses.btc } : {}
  const destinationAddress = newDestination()
  const made = yield* payload(kind, { amountNative, destinationAddress, ...changes }, caller)
  return { hash: yield* sendPayload(made, changeAddress, caller), amountNative, destinationAddress }
})

/** The status of a swap of the caller's by its transaction, once the upstream has seen it. */
const seen = (hash: string, caller: Options) =>
  Effect.map(
    eventually(
      call("GET", "/status-by-transaction-hash", { query: { transactionHash: hash }, ...caller }),
      ({ status }) => status === 200,
    ),
    ({ body }) => body,
  )

/** Lets time pass until the swap has come to its end; its record. */
const ended = Effect.fnUntraced(function* (hash: string, caller: Options) {
  for (let step = 0; step < 400; step++) {
    const record = yield* recordByHash(hash, caller)
    if (["completed", "failed"].includes(textAt(record, "status", "state"))) return record
    yield* pass(60)
  }
  throw new Error("The swap has no end")
})

const asJson = (value: unknown): Json => parseJson(JSON.stringify(value))
const [one, two] = brokerAccounts

/** What parameters are asked for, and what the record then says under a path of the status. */
const rows: ReadonlyArray<readonly [SwapQuery, ReadonlyArray<string | number>, unknown]> = [
  [{}, ["fillOrKillParams", "retryDurationBlocks"], 150],
  [{ retryDurationInBlocks: "0" }, ["fillOrKillParams", "retryDurationBlocks"], 0],
  [{ retryDurationInBlocks: "600" }, ["fillOrKillParams", "retryDurationBlocks"], 600],
  [{}, ["dcaParams"], undefined],
  [{ numberOfChunks: "1" }, ["dcaParams"], undefined],
  [{ numberOfChunks: "3" }, ["dcaParams"], { numberOfChunks: 3, chunkIntervalBlocks: 2 }],
  [{ numberOfChunks: "3", chunkIntervalBlocks: "7" }, ["dcaParams"], {
    numberOfChunks: 3,
    chunkIntervalBlocks: 7,
  }],
  [{}, ["brokers", 0, "commissionBps"], 0],
  [{ commissionBps: "255" }, ["brokers", 0, "commissionBps"], 255],
  [affiliates([one, 5], undefined, [two, 7]), ["brokers", 1], { account: one, commissionBps: 5 }],
  [affiliates([one, 5], undefined, [two, 7]), ["brokers", 2], { account: two, commissionBps: 7 }],
  [{ platform: "chainflip", unknown: "x" }, ["sourceAsset"], undefined],
]

withBroker()("a vault swap (decision 13)", (it) => {
  for (const kind of payloadKinds) {
    it.effect(`${kind}: is found by its transaction, then listed, and followed to its end`, function* () {
      const caller = yield* newCaller
      const parameters = payloadParameters(kind)
      const { amountNative, destinationAddress, hash } = yield* begun(kind, caller)
      assert.deepStrictEqual(yield* history(caller), [], "nobody has asked for it yet")
      const record = yield* seen(hash, caller)
      assertMembers(record, { id: integer, platform: text, status: object })
      const status = at(record, "status")
      assert.include(["receiving", "swapping"], textAt(status, "state"))
      assert.notProperty(objectAt(status), "depositChannel")
      assert.strictEqual(textAt(status, "sourceAsset"), parameters.sourceAsset)
      assert.strictEqual(textAt(status, "destinationAsset"), parameters.destinationAsset)
      assert.strictEqual(textAt(status, "destinationAddress"), destinationAddress)
      assert.strictEqual(textAt(status, "deposit", "transactionReference"), hash)
      assert.strictEqual(textAt(status, "deposit", "amountNative"), amountNative)
      assert.strictEqual(textAt(status, "fillOrKillParams", "refundAddress"), parameters.refundAddress)

      const listed = yield* history(caller)
      assert.deepStrictEqual(listed.map((swap) => numberAt(swap, "id")), [numberAt(record, "id")])
      const end = yield* ended(hash, caller)
      assert.strictEqual(textAt(end, "status", "state"), "completed")
      assertMembers(at(end, "status", "swapEgress"), { transactionReference: text })
      const byId = yield* get("/status-by-id", { swapId: numberAt(end, "id") }, caller)
      assert.deepStrictEqual(byId, end)
      const { guidance: _, ...listedEnd } = objectAt(end)
      assert.deepStrictEqual(yield* get("/swaps", {}, caller), [listedEnd])
    })

    it.effect(`${kind}: is nobody's but the account's that had the payload`, function* () {
      const [caller, other] = [yield* newCaller, yield* newCaller]
      yield* begun(kind, other)
      const { hash } = yield* begun(kind, caller)
      const query = { transactionHash: hash }
      yield* pass(60)
      assertFailure(yield* call("GET", "/status-by-transaction-hash", { query, ...other }), 404)
      const record = yield* seen(hash, caller)
      assertFailure(yield* call("GET", "/status-by-transaction-hash", { query, ...other }), 404)
      const byId = { query: { swapId: numberAt(record, "id") }, ...other }
      assertFailure(yield* call("GET", "/status-by-id", byId), 404)
      // Its own payload was paid, too, and may have been found meanwhile.
      const others = (yield* history(other)).map((swap) => numberAt(swap, "id"))
      assert.notInclude(others, numberAt(record, "id"))
    })

    it.effect(`${kind}: does what each parameter says`, function* () {
      const caller = yield* newCaller
      for (const [changes, path, expected] of rows) {
        const { hash } = yield* begun(kind, caller, changes)
        const status = at(yield* seen(hash, caller), "status")
        const wanted = path[0] === "sourceAsset" ? payloadParameters(kind).sourceAsset : expected
        const found = find(status, ...path)
        assert.deepStrictEqual(
          found,
          wanted === undefined ? undefined : asJson(wanted),
          JSON.stringify(changes),
        )
      }
      assert.strictEqual((yield* history(caller)).length, rows.length)
    })
  }

  it.effect("has the price limit that was asked for; from Bitcoin one on the whole output", function* () {
    const caller = yield* newCaller
    for (const kind of payloadKinds) {
      const { hash } = yield* begun(kind, caller, { minimumPrice: "0.0000125" })
      const status = at(yield* seen(hash, caller), "status")
      const price = textAt(status, "fillOrKillParams", "minimumPrice")
      assert.approximately(Number(price), 0.0000125, 1e-8, kind)
    }
  })

  it.effect("goes back to the refund address where the price cannot be met", function* () {
    const caller = yield* newCaller
    const { amountNative, hash } = yield* begun("evm", caller, {
      minimumPrice: "1000000",
      retryDurationInBlocks: "0",
    })
    yield* seen(hash, caller)
    const status = at(yield* ended(hash, caller), "status")
    assert.strictEqual(textAt(status, "state"), "completed")
    assert.notProperty(objectAt(status), "swapEgress")
    assert.isTrue(BigInt(textAt(status, "refundEgress", "amountNative")) <= BigInt(amountNative))
  })

  it.effect("carries a message for the receiving contract, and from Bitcoin the boost", function* () {
    const caller = yield* newCaller
    const ccmPayload = { gasBudget: "77", message: "0xc0ffee" }
    for (const kind of ["evm", "solana", "tron"] as const) {
      const changes = { amountNative: amounts[kind](), destinationAddress: newDestination() }
      const body = { ...payloadParameters(kind, changes), ccmPayload }
      const made = yield* call("POST", pathOf(kind), { body, ...caller })
      const status = at(yield* seen(yield* sendPayload(made.body, {}, caller), caller), "status")
      assert.deepStrictEqual(find(status, "ccmParams"), asJson(ccmPayload), JSON.stringify(status))
    }
    const { hash } = yield* begun("bitcoin", caller, { boostFee: "30" })
    const status = at(yield* seen(hash, caller), "status")
    assert.strictEqual(integerAt(status, "boost", "maximumBoostFeeBps"), 30)
  })

  it.effect("charges the account's commission at least (decision 7)", function* () {
    const { key } = yield* issue(yield* newAccount({ commissionBps: 40 }))
    for (const [asked, charged] of [["10", 40], ["60", 60]] as const) {
      const { hash } = yield* begun("evm", { key }, { commissionBps: asked })
      const status = at(yield* seen(hash, { key }), "status")
      assert.strictEqual(integerAt(status, "brokers", 0, "commissionBps"), charged)
    }
  })

  it.effect("is found however its hash is written", function* () {
    const caller = yield* newCaller
    const { hash } = yield* begun("evm", caller)
    yield* seen(hash, caller)
    for (const written of [hash, hash.slice(2), `0x${hash.slice(2).toUpperCase()}`]) {
      assert.strictEqual(
        (yield* call("GET", "/status-by-transaction-hash", {
          query: { transactionHash: written },
          ...caller,
        })).status,
        200,
        written,
      )
    }
  })

  it.effect("may move another amount than its payload says, where that is not part of it", function* () {
    const caller = yield* newCaller
    const destinationAddress = newDestination()
    const made = yield* payload("evm", { amountNative: amounts.evm(), destinationAddress }, caller)
    const status = at(yield* seen(yield* sendPayload(made, { amount: "2" }, caller), caller), "status")
    assert.strictEqual(textAt(status, "deposit", "amountNative"), "2000000000000000000")
  })

  it.effect("is moved by the operator, where an earlier payload of another account fits", function* () {
    const [earlier, owner] = [yield* newAccount(), yield* newAccount()]
    const keyOf = (account: string) => Effect.map(issue(account), ({ key }) => ({ key }))
    const [first, caller] = [yield* keyOf(earlier), yield* keyOf(owner)]
    const changes = { amountNative: amounts.evm(), destinationAddress: newDestination() }
    yield* payload("evm", changes, first)
    const hash = yield* sendPayload(yield* payload("evm", changes, caller), {}, caller)
    const id = numberAt(yield* seen(hash, first), "id")
    const byId = (by: Options) => call("GET", "/status-by-id", { query: { swapId: id }, ...by })
    assertFailure(yield* byId(caller), 404)

    const move = (body: unknown, swap = id) => call("POST", `/operator/swaps/${swap}/move`, { body })
    assert.deepStrictEqual(faultyParameters(yield* move({})), ["account"])
    assert.deepStrictEqual(faultyParameters(yield* move({ account: "NOBODY" })), ["account"])
    assertFailure(yield* move({ account: "nobody-at-all" }), 404)
    assertFailure(yield* move({ account: owner }, "999999999"), 404)
    const moved = yield* move({ account: owner })
    assert.deepStrictEqual(moved.body, parseJson(`{"id":${id},"account":"${owner}"}`))
    assertFailure(yield* byId(first), 404)
    assert.strictEqual((yield* byId(caller)).status, 200)
    assert.deepStrictEqual(yield* history(first), [])
    assert.lengthOf(yield* history(caller), 1)
  })

  it.effect("is only made of what /tx-payload/* answered: the sandbox refuses the rest", function* () {
    const made = yield* payload("evm")
    const token = yield* payload("evm", { sourceAsset: "usdc.eth", amountNative: "1000000000" })
    const send = (body: unknown) => call("POST", "/sandbox/vault-swaps", { body })
    const refused: ReadonlyArray<readonly [string, unknown]> = [
      ["nothing", {}],
      ["no payload", { payload: {} }],
      ["of an unknown network", { payload: { ...objectAt(made), network: "Shibarium" } }],
      ["a call of another contract", { payload: { ...objectAt(made), to: addressFor("eth.eth") } }],
      ["a call that nobody encoded", { payload: { ...objectAt(made), calldata: "0xdeadbeef" } }],
      ["both amounts", { payload: made, amount: "1", amountNative: "1" }],
      ["another amount of a token", { payload: token, amountNative: "1" }],
    ]
    for (const [what, body] of refused) assert.isNotEmpty(faultyParameters(yield* send(body)), what)
    assert.strictEqual((yield* send({ payload: made })).status, 202)
  })

  // The last, as an upstream is only seldom asked for what it may not know.
  it.effect("is not found by a hash that nobody sent", function* () {
    const caller = yield* newCaller
    yield* payload("evm", {}, caller)
    const query = { transactionHash: `0x${"ab".repeat(32)}` }
    assertFailure(yield* call("GET", "/status-by-transaction-hash", { query, ...caller }), 404)
    assert.deepStrictEqual(yield* history(caller), [])
  })
})
