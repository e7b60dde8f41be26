import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { testKey } from "#test/support/broker.ts"
import { call, get, type Query, withOwnBroker } from "./support/call.ts"
import { integerAt, type Json, listAt, objectAt, textAt } from "./support/Json.ts"
import { faultyParameters } from "./support/problem.ts"
import { addresses } from "./support/addresses.ts"
import { issue, newAccount } from "./support/operator.ts"
import { aroundNow, deposit, openSwap, pass, passUntil, recordOf } from "./support/swaps.ts"

const idsOf = (list: Json): ReadonlyArray<number> => listAt(list).map((record) => integerAt(record, "id"))
const statesOf = (list: Json): ReadonlyArray<string> =>
  listAt(list).map((record) => textAt(record, "status", "state"))
const ids = (query: Query = {}) => Effect.map(get("/swaps", query), idsOf)
const descending = (all: ReadonlyArray<number>) => all.toSorted((one, other) => other - one)
const ascending = (all: ReadonlyArray<number>) => all.toSorted((one, other) => one - other)

/** The `next` of a `Link` header, if there is one. */
const nextOf = (headers: Headers): URL | undefined => {
  const [, path] = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "") ?? []
  return path === undefined ? undefined : new URL(path, "http://localhost")
}

/** Follows `Link` from a page to the last one: the ids of all pages, page by page. */
const follow = Effect.fnUntraced(function* (query: Query) {
  const pages: Array<ReadonlyArray<number>> = []
  let page = yield* call("GET", "/swaps", { query })
  for (;;) {
    assert.strictEqual(page.status, 200, page.text)
    pages.push(idsOf(page.body))
    const next = nextOf(page.headers)
    if (next === undefined) return pages
    assert.isFalse([...next.searchParams.keys()].some((name) => name.toLowerCase() === "apikey"))
    page = yield* call("GET", next.pathname, { query: [...next.searchParams] })
  }
})

const open52 = Effect.forEach(
  Array.from({ length: 52 }),
  () => Effect.map(openSwap(), (opened) => integerAt(opened, "id")),
)

/** 52 waiting swaps, three completed and one that failed. */
const swaps = Effect.gen(function* () {
  const waiting = yield* open52
  const moving = yield* Effect.forEach(["1", "2", "3", "0"], (ether) =>
    Effect.gen(function* () {
      const opened = yield* openSwap({ sourceAsset: "eth.arb" })
      yield* deposit(opened, ether === "0" ? "1" : `${ether}000000000000000001`)
      return opened
    }))
  yield* pass(600)
  const [one = null, two = null, three = null, four = null] = moving
  for (const opened of [one, two, three]) yield* passUntil(opened, "completed")
  yield* recordOf(four)
  const completed = [one, two, three].map((opened) => integerAt(opened, "id"))
  return { waiting, completed, failed: integerAt(four, "id") }
})

withOwnBroker()("the history (decision 24)", (it) => {
  let known: Effect.Success<typeof swaps> | undefined
  const all = Effect.suspend(() =>
    known === undefined ? Effect.map(swaps, (made) => known = made) : Effect.succeed(known)
  )

  it.effect("lists completed swaps, the latest first, each as its look-up shows it", function* () {
    const { completed } = yield* all
    const list = yield* get("/swaps")
    assert.deepStrictEqual(idsOf(list), descending(completed))
    for (const record of listAt(list)) {
      assert.deepStrictEqual(Object.keys(objectAt(record)).sort(), ["id", "platform", "status"])
      const { guidance, ...shown } = objectAt(
        yield* get("/status-by-id", { swapId: `${integerAt(record, "id")}` }),
      )
      assert.isDefined(guidance)
      assert.deepStrictEqual<unknown>(shown, record)
    }
  })

  it.effect("status: one state, or several by repeating it", function* () {
    const { completed, failed, waiting } = yield* all
    assert.deepStrictEqual(yield* ids({ status: "failed" }), [failed])
    const several: Query = [["status", "failed"], ["status", "completed"]]
    assert.deepStrictEqual(yield* ids(several), descending([...completed, failed]))
    assert.deepStrictEqual(yield* ids([...several, ["status", "failed"]]), descending([...completed, failed]))
    const everything = yield* ids([...several, ["status", "waiting"], ["limit", "500"]])
    assert.deepStrictEqual(everything, descending([...waiting, ...completed, failed]))
    for (const state of ["receiving", "swapping", "sending", "sent"]) {
      assert.deepStrictEqual(yield* ids({ status: state }), [])
    }
    assert.deepStrictEqual(
      new Set(statesOf(yield* get("/swaps", { status: "waiting" }))),
      new Set(["waiting"]),
    )
  })

  it.effect("limit: 50 unless said otherwise, from 1 to 500", function* () {
    const { waiting } = yield* all
    assert.deepStrictEqual(yield* ids({ status: "waiting" }), descending(waiting).slice(0, 50))
    assert.deepStrictEqual(yield* ids({ status: "waiting", limit: "1" }), descending(waiting).slice(0, 1))
    assert.deepStrictEqual(yield* ids({ status: "waiting", limit: "500" }), descending(waiting))
  })

  it.effect("sort and offset: the offset is included, whichever the direction", function* () {
    const { waiting } = yield* all
    const offset = waiting[10] ?? 0
    const base = { status: "waiting", limit: "500", offset: `${offset}` }
    assert.deepStrictEqual(yield* ids({ ...base, sort: "ascending" }), ascending(waiting).slice(10))
    assert.deepStrictEqual(yield* ids({ ...base, sort: "descending" }), descending(waiting).slice(-11))
    assert.deepStrictEqual(yield* ids(base), descending(waiting).slice(-11))
    assert.deepStrictEqual(yield* ids({ ...base, offset: "0" }), [])
    assert.deepStrictEqual(yield* ids({ ...base, offset: "0", sort: "ascending" }), ascending(waiting))
    assert.deepStrictEqual(yield* ids({ ...base, offset: "987654321" }), descending(waiting))
    assert.deepStrictEqual(yield* ids({ ...base, offset: "987654321", sort: "ascending" }), [])
  })

  it.effect("platform: filters by the provider's name", function* () {
    const { completed } = yield* all
    assert.deepStrictEqual(yield* ids({ platform: "chainflip" }), descending(completed))
  })

  it.effect("Link: leads through all pages, without the key, and ends", function* () {
    const { completed, failed, waiting } = yield* all
    const states: Query = [["status", "waiting"], ["status", "failed"], ["status", "completed"]]
    const everything = [...waiting, ...completed, failed]
    const down = yield* follow([...states, ["limit", "20"], ["apikey", testKey]])
    assert.deepStrictEqual(down.map((page) => page.length), [20, 20, 16])
    assert.deepStrictEqual(down.flat(), descending(everything))
    const up = yield* follow([...states, ["limit", "28"], ["sort", "ascending"]])
    assert.deepStrictEqual(up.map((page) => page.length), [28, 28])
    assert.deepStrictEqual(up.flat(), ascending(everything))
  })

  it.effect("refuses parameters that do not fit, and names them", function* () {
    const rows: Readonly<Record<string, ReadonlyArray<string>>> = {
      limit: ["", "0", "501", "-1", "1.5", "abc", "1e2", "0x10", " 5"],
      offset: ["", "-1", "1.5", "abc", "1e2", "9007199254740992"],
      status: ["", "done", "Completed", "completed,failed", "refunded"],
      sort: ["", "asc", "Ascending", "up"],
      platform: ["", "nonesuch", "Chainflip", "near-intents"],
      from: ["", "yesterday", "2026-02-30", "2026-07-29T25:00Z", "2026-07-29T14:04:24", "1785333600000"],
      to: ["", "2026-13-01", "2026-07-29 14:00"],
      address: [
        "",
        "nonsense",
        "0x123",
        " 0x1111111111111111111111111111111111111111",
        "bc1qrefund",
        "a\u0000b",
      ],
      sourceAsset: ["", "btc", "BTC.btc"],
      destinationAsset: ["", "eth.nowhere"],
    }
    for (const [name, values] of Object.entries(rows)) {
      for (const value of values) {
        const answer = yield* call("GET", "/swaps", { query: { [name]: value } })
        assert.deepStrictEqual(faultyParameters(answer), [name], `${name}="${value}"`)
      }
    }
    const mixed: Query = [["status", "completed"], ["status", "done"]]
    assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swaps", { query: mixed })), ["status"])
    for (
      const [name, value] of Object.entries({
        limit: "5",
        offset: "1",
        sort: "ascending",
        platform: "chainflip",
      })
    ) {
      const query: Query = [[name, value], [name, value]]
      assert.deepStrictEqual(faultyParameters(yield* call("GET", "/swaps", { query })), [name])
    }
    const many = {
      limit: "0",
      offset: "x",
      status: "x",
      sort: "x",
      platform: "x",
      address: "x",
      sourceAsset: "x",
    }
    assert.deepStrictEqual(
      faultyParameters(yield* call("GET", "/swaps", { query: many })),
      Object.keys(many).sort(),
    )
  })

  it.effect("from, to, address and assets: alone and together, as CSV, for this account alone", function* () {
    const { completed, waiting } = yield* all
    const checksummed = "0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF"
    const own = yield* openSwap({ destinationAddress: checksummed, refundAddress: addresses.btc })
    const [id, deposit] = [integerAt(own, "id"), textAt(own, "address")]
    const { key } = yield* issue(yield* newAccount())
    const base = { status: "waiting", limit: "500" }
    const every = descending([...waiting, id])
    const now = yield* Effect.sync(() => Date.now())
    const moment = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
    const rows: ReadonlyArray<readonly [Readonly<Record<string, string>>, ReadonlyArray<number>]> = [
      [{ address: checksummed.toLowerCase() }, [id]],
      [{ address: `0x${checksummed.slice(2).toUpperCase()}` }, [id]],
      [{ address: addresses.btc.toUpperCase(), destinationAsset: "eth.eth" }, [id]],
      [{ address: deposit, sourceAsset: "btc.btc", from: aroundNow.from }, [id]],
      [{ address: deposit, sourceAsset: "eth.eth" }, []],
      [{ address: addresses.sol }, []],
      [{ sourceAsset: "btc.btc", destinationAsset: "eth.eth", platform: "chainflip" }, every],
      [{ destinationAsset: "eth.eth", ...aroundNow }, every],
      [{ sourceAsset: "eth.arb", status: "completed", result: "completed" }, descending(completed)],
      [{ sourceAsset: "btc.btc", result: "refunded" }, []],
      [{ from: moment(-1), to: moment(1).replace("Z", "+00:00") }, every],
      [{ from: moment(-1).replace("Z", " 00:00") }, every],
      [{ from: "2020-01-01", to: "2020-12-31" }, []],
      [{ from: moment(1) }, []],
      [{ to: "0001-01-01" }, []],
      [{ from: "0001-01-01", to: "9999-12-31" }, every],
    ]
    for (const [filter, expected] of rows) {
      const query = { ...base, ...filter }
      assert.deepStrictEqual(yield* ids(query), expected, JSON.stringify(filter))
      assert.deepStrictEqual(
        (yield* follow({ ...query, limit: "40", sort: "ascending" })).flat(),
        ascending(expected),
      )
      const { text } = yield* call("GET", "/swaps", { query, headers: { accept: "text/csv" } })
      const lines = text.trimEnd().split("\r\n").slice(1)
      assert.deepStrictEqual(lines.map((line) => Number(line.split(",")[0])), expected)
      assert.deepStrictEqual(listAt((yield* call("GET", "/swaps", { query, key })).body), [])
    }
    const turned = yield* call("GET", "/swaps", { query: { from: "2026-07-30", to: "2026-07-29" } })
    assert.deepStrictEqual(faultyParameters(turned), ["from"])
    assert.include(turned.text, "from must not be after to")
    const unlike = yield* call("GET", "/swaps", {
      query: { address: `0xD${checksummed.slice(3).toLowerCase()}` },
    })
    assert.include(unlike.text, "address cannot be used on Ethereum, because its capital letters")
  })
})
