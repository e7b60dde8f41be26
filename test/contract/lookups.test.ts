import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { otherKey } from "./support/accounts.ts"
import { type Answer, call, get, type Query, withOwnTwoAccounts } from "./support/call.ts"
import { at, type Json, listAt, numberAt, objectAt, textAt } from "./support/Json.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { deposit, openSwap, passUntil, recordOf } from "./support/swaps.ts"

const paths = ["/status-by-id", "/status-by-deposit-channel", "/status-by-transaction-hash"] as const

const channelOf = (opened: Json) => ({
  issuedBlock: numberAt(opened, "issuedBlock"),
  network: textAt(opened, "network"),
  channelId: numberAt(opened, "channelId"),
})

const withoutTrace = ({ body }: Answer) =>
  Object.fromEntries(Object.entries(objectAt(body)).filter(([name]) => name !== "traceId"))

/** A swap that has completed, the hash of its deposit, and how each path finds it. */
const completedSwap = Effect.fnUntraced(function* (sourceAsset: string, amountNative: string) {
  const opened = yield* openSwap({ sourceAsset, destinationAsset: "usdc.arb" })
  const hash = yield* deposit(opened, amountNative)
  yield* passUntil(opened, "completed")
  const queries: ReadonlyArray<readonly [path: string, query: Query]> = [
    ["/status-by-id", { swapId: numberAt(opened, "id") }],
    ["/status-by-deposit-channel", channelOf(opened)],
    ["/status-by-transaction-hash", { transactionHash: hash }],
  ]
  return { opened, hash, queries }
})

withOwnTwoAccounts()("looking up a swap (decision 23)", (it) => {
  it.effect("by what no chain calls a transaction says so, and nothing of blocks to come", function* () {
    const detailOf = (transactionHash: string) =>
      Effect.map(call("GET", "/status-by-transaction-hash", { query: { transactionHash } }), (answer) => {
        assert.strictEqual(answer.status, 404)
        return textAt(answer.body, "detail")
      })
    for (const name of ["nonsense", `0x${"a".repeat(63)}`, "<script>", "0".repeat(88)]) {
      assert.match(yield* detailOf(name), /^This is not a transaction hash of any chain/, name)
    }
    for (const name of [`0x${"a".repeat(64)}`, "B".repeat(64), "5".repeat(88), "123456-2"]) {
      assert.match(yield* detailOf(name), /^No swap with this transaction is known yet/, name)
    }
  })

  it.effect("by id, by channel and by transaction finds the same record", function* () {
    for (
      const [asset, native] of [["eth.arb", "1000000000000000001"], ["sol.sol", "10000000001"], [
        "dot.hub",
        "5000000000001",
      ]] as const
    ) {
      const { opened, queries } = yield* completedSwap(asset, native)
      const record = yield* recordOf(opened)
      assert.strictEqual(textAt(record, "status", "state"), "completed")
      for (const [path, query] of queries) {
        const found = yield* get(path, query)
        // By its channel alone: how many swaps that has had.
        const { swapCount: _, ...same } = objectAt(found)
        assert.deepStrictEqual<unknown>(same, record, `${asset} ${path}`)
        if (path === "/status-by-deposit-channel") assert.strictEqual(numberAt(found, "swapCount"), "1")
      }
    }
  })

  it.effect("a channel that was just opened waits, at once", function* () {
    const opened = yield* openSwap()
    const { swapCount: _, ...record } = objectAt(yield* get("/status-by-deposit-channel", channelOf(opened)))
    assert.strictEqual(textAt(record, "status", "state"), "waiting")
    assert.deepStrictEqual<unknown>(yield* recordOf(opened), record)
  })

  it.effect("a transaction is found as soon as it is seen, its hash in either case", function* () {
    const opened = yield* openSwap()
    const hash = yield* deposit(opened, "10000000")
    yield* passUntil(opened, "receiving")
    const record = yield* get("/status-by-transaction-hash", { transactionHash: hash })
    assert.strictEqual(textAt(record, "status", "state"), "receiving")
    for (const transactionHash of [hash.toUpperCase(), `0x${hash}`]) {
      const again = yield* get("/status-by-transaction-hash", { transactionHash })
      assert.strictEqual(numberAt(again, "id"), numberAt(opened, "id"))
    }
  })

  it.effect("a deposit to one's own channel is found right after the network has it, behind other channels", function* () {
    for (let channel = 0; channel < 20; channel++) {
      yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.arb" })
    }
    const opened = yield* openSwap({ sourceAsset: "eth.arb", destinationAsset: "usdc.arb" })
    const transactionHash = yield* deposit(opened, "3000000000000000001")
    const query = { transactionHash }
    assertFailure(yield* call("GET", paths[2], { query, key: otherKey }), 404)
    const record = yield* get(paths[2], query)
    assert.strictEqual(numberAt(record, "id"), numberAt(opened, "id"))
    assert.strictEqual(textAt(record, "status", "deposit", "transactionReference"), transactionHash)
    assertFailure(yield* call("GET", paths[2], { query, key: otherKey }), 404)
  })

  it.effect("what was never there and what is another account's are the same 404", function* () {
    const { queries } = yield* completedSwap("eth.arb", "2000000000000000001")
    const never: Readonly<Record<string, Query>> = {
      "/status-by-id": { swapId: "987654321" },
      "/status-by-deposit-channel": { issuedBlock: "1", network: "Bitcoin", channelId: "987654321" },
      "/status-by-transaction-hash": { transactionHash: `0x${"0".repeat(64)}` },
    }
    for (const [path, query] of queries) {
      const foreign = yield* call("GET", path, { query, key: otherKey })
      assertFailure(foreign, 404)
      const unknown = yield* call("GET", path, { query: never[path] ?? {} })
      assert.deepStrictEqual(withoutTrace(unknown), withoutTrace(foreign), path)
    }
  })

  it.effect("the history lists only the caller's own swaps (decision 24)", function* () {
    const opened = yield* openSwap({}, { key: otherKey })
    const id = numberAt(opened, "id")
    const mine = yield* get("/swaps", { status: "waiting", limit: "500" })
    assert.notInclude(listAt(mine).map((record) => numberAt(record, "id")), id)
    const theirs = yield* get("/swaps", { status: "waiting" }, { key: otherKey })
    assert.deepStrictEqual(listAt(theirs).map((record) => numberAt(record, "id")), [id])
    assert.deepStrictEqual(yield* get("/swaps", {}, { key: otherKey }), [])
    assert.strictEqual(textAt(at(theirs, 0), "platform"), "chainflip")
  })

  it.effect("ids that no swap can have are not there", function* () {
    for (const swapId of ["0", "9007199254740991"]) {
      assertFailure(yield* call("GET", "/status-by-id", { query: { swapId } }), 404)
    }
  })

  it.effect("parameters are required, and given once", function* () {
    const names = [["swapId"], ["issuedBlock", "network", "channelId"], ["transactionHash"]]
    for (const [index, path] of paths.entries()) {
      const missing = faultyParameters(yield* call("GET", path))
      assert.deepStrictEqual(missing, (names[index] ?? []).toSorted(), path)
    }
    const twice = { issuedBlock: "1", network: "Bitcoin", channelId: "2" }
    for (const [name, value] of Object.entries(twice)) {
      const query: Query = [...Object.entries(twice), [name, value]]
      assert.deepStrictEqual(faultyParameters(yield* call("GET", paths[1], { query })), [name])
    }
  })

  it.effect("parameters that do not fit are named", function* () {
    const noNumbers = ["", " ", "-1", "+1", "1.5", "1e1", "0x1", "abc", "9007199254740992", "9".repeat(30)]
    const channel = { issuedBlock: "1", network: "Bitcoin", channelId: "2" }
    const rows: ReadonlyArray<
      readonly [path: string, query: Query, name: string, values: ReadonlyArray<string>]
    > = [
      [paths[0], {}, "swapId", noNumbers],
      [paths[1], channel, "issuedBlock", noNumbers],
      [paths[1], channel, "channelId", noNumbers],
      [paths[1], channel, "network", ["", "btc", "Shibarium", " Bitcoin"]],
      [paths[2], {}, "transactionHash", ["", "a".repeat(300)]],
    ]
    for (const [path, query, name, values] of rows) {
      for (const value of values) {
        const answer = yield* call("GET", path, { query: { ...query, [name]: value } })
        assert.deepStrictEqual(faultyParameters(answer), [name], `${name}="${value}"`)
      }
    }
  })
})
