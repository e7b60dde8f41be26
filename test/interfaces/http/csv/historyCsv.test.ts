import { assert, describe, it } from "#test/support/it.ts"
import { Deferred, Effect } from "effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { ProviderName } from "#domain/ProviderName.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { historyCsv } from "#interfaces/requests/csv.ts"
import type { HistoryPage } from "#application/swapping/Swaps.ts"
import { completed } from "#test/api/present/statuses.ts"
import { freshStanding } from "#test/support/swap.ts"
import { parseRows } from "./parseCsv.ts"

const id = (value: number) => SwapRecordId.make(value)

/** A page of one swap. */
const pageOf = (value: number, next?: number): HistoryPage => ({
  records: [{
    id: id(value),
    platform: ProviderName.make("chainflip"),
    status: completed.status,
    standing: freshStanding,
  }],
  ...(next === undefined ? {} : { next: id(next) }),
})

const bodyOf = (first: HistoryPage, pageFrom?: Parameters<typeof historyCsv>[2]) =>
  HttpServerResponse.toWeb(historyCsv({ networkOf: () => undefined }, first, pageFrom))

const idsOf = (text: string) => parseRows(text).map((row) => row.id)

/** A history without an end, and how many pages of it were asked for. */
const endless = () => {
  const asked: Array<number> = []
  return {
    asked,
    pageFrom: (offset: SwapRecordId) =>
      Effect.sync(() => {
        asked.push(offset)
        return pageOf(offset, offset - 1)
      }),
  }
}

describe("historyCsv", () => {
  it.effect("writes the head once, then every page up to the last one", function* () {
    const response = bodyOf(
      pageOf(9, 8),
      (offset) => Effect.succeed(offset > 6 ? pageOf(offset, offset - 1) : pageOf(6)),
    )
    assert.match(response.headers.get("content-type") ?? "", /^text\/csv; charset=utf-8/)
    const text = yield* Effect.promise(() => response.text())
    assert.deepStrictEqual(idsOf(text), ["9", "8", "7", "6"])
  })

  it.effect("is the head alone where there is nothing", function* () {
    const text = yield* Effect.promise(() => bodyOf({ records: [] }).text())
    assert.deepStrictEqual(idsOf(text), [])
    assert.match(text, /^id,platform,state,.*\r\n$/)
  })

  it.effect("asks for no more than is taken, and for nothing when the caller has gone", function* () {
    const { asked, pageFrom } = endless()
    const reader = bodyOf(pageOf(1_000_000, 999_999), pageFrom).body?.getReader()
    yield* Effect.promise(async () => {
      for (let count = 0; count < 5; count++) await reader?.read()
    })
    assert.isAtMost(asked.length, 6)
    yield* Effect.promise(async () => await reader?.cancel())
    const after = asked.length
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    assert.lengthOf(asked, after)
  })

  it.effect("stops the query that is under way when the caller goes", function* () {
    const begun = yield* Deferred.make<void>()
    const stopped = yield* Deferred.make<void>()
    const waiting = Deferred.succeed(begun, undefined).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Deferred.succeed(stopped, undefined)),
    )
    const reader = bodyOf(pageOf(2, 1), () => waiting).body?.getReader()
    yield* Effect.promise(async () => await reader?.read())
    const next = reader?.read()
    yield* Deferred.await(begun)
    yield* Effect.promise(async () => await reader?.cancel())
    yield* Deferred.await(stopped)
    yield* Effect.promise(async () => await next)
  })

  it.effect("is broken off when the database fails, so that a part is not taken for the whole", function* () {
    const gone = new StoreUnavailable({ operation: "Swaps.history", cause: "gone" })
    const text = bodyOf(pageOf(2, 1), () => Effect.fail(gone)).text()
    const outcome = yield* Effect.promise(() => text.then(() => "whole", () => "broken off"))
    assert.strictEqual(outcome, "broken off")
  })
})
