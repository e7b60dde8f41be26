import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { parseRows } from "#test/interfaces/http/csv/parseCsv.ts"
import { nativeAt } from "./support/assets.ts"
import { type Answer, call, get, type Query, withOwnBroker } from "./support/call.ts"
import { at, find, integerAt, type Json, listAt, numberAt, pick, textAt } from "./support/Json.ts"
import { assertMembers, assetId, equal, integer, object, text, time } from "./support/members.ts"
import { issue, newAccount, operate } from "./support/operator.ts"
import { assertFailure, faultyParameters } from "./support/problem.ts"
import { aroundNow, deposit, during, openSwap, pass, swapParameters } from "./support/swaps.ts"

const idsOf = (body: Json) => listAt(body).map((row) => integerAt(row, "id"))

/** The rows of a CSV. */
const table = Effect.fnUntraced(function* (path: string, query: Query = {}) {
  const answer = yield* call("GET", path, { query, headers: { accept: "text/csv" } })
  assert.strictEqual(answer.status, 200, answer.text)
  assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/)
  return parseRows(answer.text)
})

/** The swap of an account that has just one, for the operator. */
const onlySwap = (account: string) => Effect.map(get("/operator/swaps", { account }), (body) => at(body, 0))

/** An account with a swap that was completed and earned something. */
const earning = Effect.gen(function* () {
  const account = yield* newAccount({ commissionBps: 25 })
  const { key } = yield* issue(account)
  const opened = yield* openSwap({ sourceAsset: "eth.arb" }, { key })
  const hash = yield* deposit(opened, "1000000000000000001")
  yield* Effect.repeat(
    Effect.andThen(pass(30), get("/status-by-id", { swapId: numberAt(opened, "id") }, { key })),
    { until: (record) => textAt(record, "status", "state") === "completed", times: 100 },
  )
  return { account, key, opened, hash, swap: yield* onlySwap(account) }
})

/** Sums by the texts of their keys. */
const sumsBy = (body: Json, ...keys: ReadonlyArray<string>) =>
  Object.fromEntries(
    listAt(body, "sums").map((row) => [
      keys.map((key) => textAt(row, key)).join(" "),
      nativeAt(row, "amountNative"),
    ]),
  )

withOwnBroker()("the business of all accounts", (it) => {
  it.effect("lists swaps with their accounts, and finds them by what names them", function* () {
    const { account, hash, key, opened, swap } = yield* earning
    const id = integerAt(opened, "id")
    assertMembers(swap, {
      account: equal(account),
      id: integer,
      platform: text,
      status: object,
      createdAt: time,
    }, ["stalledSince"])
    const own = at(yield* get("/swaps", {}, { key }), 0)
    assert.deepStrictEqual(find(swap, "status"), find(own, "status"))
    const channel = ["issuedBlock", "network", "channelId"].map((name) => `${find(opened, name)}`).join("-")
    const names = [
      `${id}`,
      hash,
      hash.toUpperCase().replace(/^0X/, ""),
      textAt(opened, "address"),
      textAt(opened, "address").toLowerCase(),
      channel.includes("object") ? textAt(own, "status", "depositChannel", "id") : channel,
      textAt(own, "status", "swapId"),
      textAt(own, "status", "swapEgress", "transactionReference"),
    ]
    for (const name of names) assert.include(idsOf(yield* get("/operator/swaps", { find: name })), id, name)
    assert.deepStrictEqual(idsOf(yield* get("/operator/swaps", { find: "nothing" })), [])
    const narrowed: ReadonlyArray<readonly [query: Query, isThere: boolean]> = [
      [{ status: "completed" }, true],
      [{ status: "failed" }, false],
      [[["status", "failed"], ["status", "completed"]], true],
      [{ asset: "eth.arb" }, true],
      [{ sourceAsset: "eth.arb", destinationAsset: "eth.eth" }, true],
      [{ sourceAsset: "eth.eth" }, false],
      [{ platform: "chainflip" }, true],
      [{ platform: "no-longer-enabled" }, false],
      [{ stalled: "true" }, false],
      [{ stalled: "false" }, true],
      [{ createdFrom: numberAt(swap, "createdAt") }, true],
      [{ createdBefore: numberAt(swap, "createdAt") }, false],
      [{ offset: "0", sort: "ascending" }, true],
      [{ offset: "0" }, false],
    ]
    for (const [query, isThere] of narrowed) {
      const pairs = Array.isArray(query) ? query : Object.entries(query)
      const found = idsOf(yield* get("/operator/swaps", [["account", account], ...pairs]))
      assert.deepStrictEqual(found, isThere ? [id] : [], JSON.stringify(query))
    }
  })

  it.effect("leads through all pages, and gives all of them as a table", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    for (let count = 0; count < 5; count++) yield* openSwap({}, { key })
    const found: Array<number> = []
    const first = `/operator/swaps?account=${account}&limit=2`
    for (let path = first; path !== "";) {
      const answer: Answer = yield* call("GET", path)
      found.push(...idsOf(answer.body))
      path = /^<(.*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1] ?? ""
    }
    assert.lengthOf(found, 5)
    assert.deepStrictEqual(found, found.toSorted((one, other) => other - one))
    const rows = yield* table("/operator/swaps", { account })
    assert.deepStrictEqual(rows.map(({ id }) => Number(id)), found)
    assert.deepStrictEqual([...new Set(rows.map((row) => row.account))], [account])
    assert.lengthOf(yield* table("/operator/swaps", { account, limit: "2" }), 2)
    const channels = yield* get("/operator/channels", { account })
    assert.deepStrictEqual(idsOf(channels), found.toReversed())
    assertMembers(at(channels, 0), {
      id: integer,
      account: equal(account),
      platform: text,
      channel: text,
      sourceAsset: assetId,
      destinationAsset: assetId,
      depositAddress: text,
      state: equal("waiting"),
      createdAt: time,
      expiresAt: time,
    })
    const counts = yield* get("/operator/channels/counts")
    const count = pick(counts, (row) => textAt(row, "account") === account)
    assert.strictEqual(integerAt(count, "channels"), 5)
  })

  it.effect("lists openings of which nobody knows what came of them, counts them, and tells the caller their ids", function* () {
    const account = yield* newAccount()
    const { key } = yield* issue(account)
    const lost = yield* during(
      { operation: "open", kind: "malformed" },
      call("GET", "/swap", {
        query: swapParameters({ sourceAsset: "eth.arb", destinationAsset: "btc.btc" }),
        key,
      }),
    )
    assertFailure(lost, 500)
    const unknown = yield* get("/operator/swaps", { opening: "unknown", account })
    assert.strictEqual(listAt(unknown).length, 1)
    const opening = at(unknown, 0)
    assertMembers(opening, {
      id: integer,
      account: equal(account),
      platform: equal("chainflip"),
      opening: equal("unknown"),
      sourceAsset: equal("eth.arb"),
      destinationAsset: equal("btc.btc"),
      destinationAddress: text,
      reason: equal("MalformedBody"),
      createdAt: time,
    })
    const id = integerAt(opening, "id")
    assert.include(textAt(lost.body, "detail"), `swap ${id}`)
    const narrowed: ReadonlyArray<Query> = [
      { asset: "btc.btc" },
      { sourceAsset: "eth.arb", destinationAsset: "btc.btc" },
      { platform: "chainflip", offset: `${id}`, sort: "ascending" },
      { createdFrom: `${numberAt(opening, "createdAt")}` },
    ]
    for (const query of narrowed) {
      assert.deepStrictEqual(
        idsOf(yield* get("/operator/swaps", { opening: "unknown", account, ...query })),
        [id],
      )
    }
    const others: ReadonlyArray<Query> = [
      { sourceAsset: "btc.btc" },
      { platform: "maya" },
      { offset: `${id - 1}` },
      { createdBefore: `${numberAt(opening, "createdAt")}` },
    ]
    for (const query of others) {
      assert.deepStrictEqual(
        idsOf(yield* get("/operator/swaps", { opening: "unknown", account, ...query })),
        [],
      )
    }
    const counts = yield* get("/operator/channels/counts")
    const count = pick(counts, (row) => textAt(row, "account") === account)
    assert.deepStrictEqual([integerAt(count, "channels"), integerAt(count, "unknown")], [0, 1])
    const journal = yield* call("GET", `/operator/swaps/${id}/journal`, {})
    assertFailure(journal, 404)
    assert.match(
      textAt(journal.body, "detail"),
      /outcome of this opening at chainflip is unknown \(MalformedBody\)/,
    )
    assert.strictEqual(
      textAt(yield* get(`/operator/swaps/${id}/case`), "case", "opening", "outcome"),
      "unknown",
    )
    const own = yield* call("GET", `/swaps/${id}/journal`, { key })
    assert.strictEqual(textAt(own.body, "detail"), "No such swap")
    const refused = yield* call("GET", "/operator/swaps", {
      query: { opening: "unknown", status: "failed", stalled: "true", find: "1" },
    })
    assert.deepStrictEqual(faultyParameters(refused), ["find", "stalled", "status"])
  })

  it.effect("sums what each account earned, equal to its own sums, also of a swap that is moved", function* () {
    const one = yield* earning
    const two = yield* earning
    const ownOf = (key: string) =>
      Effect.map(
        get("/commission", aroundNow, { key }),
        (body) => listAt(body, "totals").map((total) => nativeAt(total, "amountNative")),
      )
    const assertEqual = Effect.gen(function* () {
      const sums = sumsBy(yield* get("/operator/commission", aroundNow), "account")
      for (const { account, key } of [one, two]) {
        const [own = 0n] = yield* ownOf(key)
        assert.strictEqual(sums[account] ?? 0n, own)
      }
      return sums
    })
    const before = yield* assertEqual
    assert.isAbove(Number(before[one.account]), 0)
    yield* operate("POST", `/swaps/${integerAt(one.opened, "id")}/move`, { account: two.account })
    const after = yield* assertEqual
    assert.isUndefined(after[one.account])
    assert.strictEqual(after[two.account], (before[one.account] ?? 0n) + (before[two.account] ?? 0n))
    const query = { ...aroundNow, account: two.account, by: "platform" }
    assert.deepStrictEqual(sumsBy(yield* get("/operator/commission", query), "platform"), {
      chainflip: after[two.account] ?? 0n,
    })
    const byDay = yield* table("/operator/commission", [
      ...Object.entries({ ...aroundNow, account: two.account }),
      ["by", "day"],
      ["by", "account"],
    ])
    assert.deepStrictEqual(byDay.map((row) => row.account), byDay.map(() => two.account))
    assert.strictEqual(
      byDay.reduce((sum, row) => sum + BigInt(row.amountNative ?? 0), 0n),
      after[two.account],
    )
  })

  it.effect("is for the operator alone, and tells every fault at once", function* () {
    const { key } = yield* issue(yield* newAccount())
    const paths = [
      "/operator/swaps",
      "/operator/commission",
      "/operator/channels",
      "/operator/channels/counts",
    ]
    for (const path of paths) {
      assertFailure(yield* call("GET", path, { key, query: aroundNow }), 403)
      assertFailure(yield* call("GET", path, { key: null, query: aroundNow }), 401)
    }
    for (const path of paths.slice(0, 3)) {
      const period = path === "/operator/commission" ? aroundNow : {}
      assertFailure(yield* call("GET", path, { query: { ...period, account: "nobody" } }), 404)
    }
    const bad: ReadonlyArray<readonly [path: string, query: Query, faulty: ReadonlyArray<string>]> = [
      ["/operator/swaps", {
        account: "No!",
        asset: "shib.eth",
        createdBefore: "today",
        createdFrom: "-1",
        find: "\u0000",
        limit: "501",
        platform: "?",
        sort: "up",
        stalled: "maybe",
        status: "lost",
      }, [
        "account",
        "asset",
        "createdBefore",
        "createdFrom",
        "find",
        "limit",
        "platform",
        "sort",
        "stalled",
        "status",
      ]],
      ["/operator/commission", { by: "colour" }, ["by", "from", "to"]],
      ["/operator/commission", { from: "2026-07-02", to: "2026-07-01" }, ["from"]],
      ["/operator/channels", { offset: "x", limit: "0" }, ["limit", "offset"]],
    ]
    for (const [path, query, faulty] of bad) {
      const answer = yield* call("GET", path, { query })
      assert.deepStrictEqual(faultyParameters(answer).toSorted(), faulty, path)
    }
  })
})
