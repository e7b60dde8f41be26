import { assert, layer } from "#test/support/it.ts"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Address } from "#domain/chains/Address.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { AccountSwapsQuery } from "#domain/operations/Business.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import { noBps } from "#domain/money/Bps.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { givenUp, resultOf, SwapState, type SwapStatus } from "#domain/swaps/Swap.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { ListedSwapsRepo, MostVisited } from "#infrastructure/store/business/ListedSwapsRepo.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"
import { exportRows, importRows } from "#infrastructure/store/database/transfer/rows.ts"
import { forgetAccounts } from "#test/support/forgetAccounts.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { changeSwap, insertSwap } from "./support.ts"

type Filters = Omit<AccountSwapsQuery, "limit" | "sort">

/** Every swap that fits, page by page. */
const listed = Effect.fnUntraced(
  function* (filters: Filters, sort: AccountSwapsQuery["sort"] = "descending", limit = 7) {
    const repo = yield* ListedSwapsRepo
    const ids: Array<number> = []
    let offset: SwapRecordId | undefined
    do {
      const page = yield* repo.page({ ...filters, sort, limit, ...offset === undefined ? {} : { offset } })
      assert.isAtMost(page.items.length, limit)
      ids.push(...page.items.map(({ record }) => record.id))
      offset = page.next
    } while (offset !== undefined)
    return ids
  },
)

const pairs: ReadonlyArray<readonly [AssetId, AssetId]> = [
  ["btc.btc", "eth.eth"],
  ["eth.eth", "btc.btc"],
  ["usdc.eth", "eth.eth"],
  ["btc.btc", "usdc.eth"],
]
const platforms = ["chainflip", "near-intents", "relay"]
const at = (minute: number) => EpochMillis.make(Date.parse("2026-03-01T00:00:00Z") + minute * 60_000)

/** Has the latest answer about a swap contradict what is known of it. */
const dispute = Effect.fnUntraced(function* (id: SwapRecordId, status: SwapStatus) {
  const sql = yield* SqlClient.SqlClient
  const json = yield* encodeStatus(status)
  yield* sql`
    INSERT INTO swap_journal (swap_id, kind, recorded_at, status, detail, body, body_length)
    VALUES (${id}, 'contradicted', now(), ${json}::jsonb, 'It cannot be', '{}', 2)`
  yield* sql`UPDATE swaps SET lookup_failures = 1 WHERE id = ${id}`
})

/** A deposit of which the provider sends back a part at most. */
const givenUpDeposit = {
  amount: NativeAmount.make(3n),
  failure: {
    failedAt: EpochMillis.make(0),
    failedBlockIndex: BlockIndex.make("1-1"),
    mode: givenUp,
    reason: { code: "FAILED", message: "" },
  },
}

/** Members at many distances, so that each filter has hits with and without each other one. */
const made = Effect.gen(function* () {
  const accounts = [yield* newAccount, yield* newAccount, yield* newAccount]
  return yield* Effect.forEach(Array.from({ length: 130 }, (_, n) => n), (n) =>
    Effect.gen(function* () {
      const [sourceAsset, destinationAsset] = pairs[n * 7 % pairs.length] ?? ["btc.btc", "eth.eth"]
      const state = SwapState.literals[n * n % 5 + n % 3] ?? "waiting"
      const account = accounts[n % 11 % 3] ?? accounts[0]
      assert.isDefined(account)
      const refund = { amount: NativeAmount.make(1n), transactionReference: `refund-${n}` }
      const isBack = state === "failed" && n % 3 === 0 || state === "completed" && n % 2 === 0
      const isOut = state === "completed" && n % 4 !== 2
      const status = statusIn(state, {
        sourceAsset,
        destinationAsset,
        ...(isBack ? { refundEgress: refund } : {}),
        // A failed swap of which a part came back stays failed.
        ...(isBack && n % 2 === 0 ? { deposit: givenUpDeposit } : {}),
        ...(isOut ? { swapEgress: { amount: NativeAmount.make(2n), transactionReference: `out-${n}` } } : {}),
      })
      const swap = {
        result: resultOf(status),
        disputed: n % 9 === 4,
        account,
        state,
        platform: platforms[n * 5 % 13 % 3] ?? "relay",
        sourceAsset,
        destinationAsset,
        createdAt: at(n),
        stalled: n % 17 === 3,
      }
      const id = yield* insertSwap({
        account: account.id,
        platform: swap.platform,
        createdAt: new Date(swap.createdAt).toISOString(),
        isStalled: swap.stalled,
        status,
      })
      if (swap.disputed) yield* dispute(id, status)
      return { id, ...swap }
    }))
})
type Made = Effect.Success<typeof made>[number]

const fits = (filters: Filters) => (swap: Made): boolean =>
  (filters.account === undefined || swap.account.name === filters.account) &&
  (filters.platform === undefined || swap.platform === filters.platform) &&
  (filters.states === undefined || filters.states.length === 0 || filters.states.includes(swap.state)) &&
  (filters.asset === undefined || [swap.sourceAsset, swap.destinationAsset].includes(filters.asset)) &&
  (filters.sourceAsset === undefined || swap.sourceAsset === filters.sourceAsset) &&
  (filters.destinationAsset === undefined || swap.destinationAsset === filters.destinationAsset) &&
  (filters.createdFrom === undefined || swap.createdAt >= filters.createdFrom) &&
  (filters.createdBefore === undefined || swap.createdAt < filters.createdBefore) &&
  (filters.expired === undefined || !filters.expired) &&
  (filters.stalled === undefined || swap.stalled === filters.stalled) &&
  (filters.disputed === undefined || swap.disputed) &&
  (filters.results === undefined || filters.results.some((result) => result === swap.result)) &&
  // The time of an end is ours: of rows that come with their end it is that of the row.
  (filters.ended === undefined ||
    swap.createdAt >= filters.ended.from && swap.createdAt < filters.ended.before)

for (const store of stores) {
  // Pages that look at few swaps come to an end within a range, as they do among a million.
  const looking = Layer.fresh(ListedSwapsRepo.layer).pipe(
    Layer.provide(Layer.succeed(MostVisited, 30)),
    Layer.provideMerge(store.layer),
  )

  layer(looking)(`The swaps of all accounts on ${store.name}`, (it) => {
    it.effect("are listed by every combination of two filters, and of all, page by page in both orders", function* () {
      const swaps = yield* made
      const [, two] = swaps
      assert.isDefined(two)
      const single: ReadonlyArray<Filters> = [
        {},
        { account: two.account.name },
        { platform: ProviderName.make("near-intents") },
        { states: ["failed"] },
        { states: ["waiting", "completed", "waiting"] },
        { states: [] },
        { asset: "usdc.eth" },
        { sourceAsset: "btc.btc" },
        { destinationAsset: "eth.eth" },
        { createdFrom: at(40) },
        { createdBefore: at(90) },
        { createdFrom: at(40), createdBefore: at(40) },
        { stalled: true },
        { stalled: false },
      ]
      const all = single.reduce((one, other) => ({ ...one, ...other }))
      const ends: ReadonlyArray<Filters> = [
        { disputed: true },
        { results: ["failed"] },
        { results: ["refunded"] },
        { results: ["completed"] },
        { results: ["partlyRefunded"] },
        { results: ["refunded", "partlyRefunded", "refunded"] },
        { results: ["completed", "failed"], states: ["completed"] },
        { expired: true },
        { expired: false },
        { expired: false, results: ["refunded"] },
        { results: ["failed"], ended: { from: at(20), before: at(100) } },
        { results: ["failed"], disputed: true },
      ]
      const combined = [
        ...single.flatMap((one) => single.map((other) => ({ ...one, ...other }))),
        ...single.flatMap((one) => ends.map((other) => ({ ...one, ...other }))),
        all,
      ]
      const repo = yield* ListedSwapsRepo
      let hits = 0
      for (const [place, filters] of combined.entries()) {
        const expected = swaps.filter(fits(filters)).map(({ id }) => id)
        hits += expected.length
        const sort = place % 2 === 0 ? "ascending" : "descending"
        const found = yield* listed(filters, sort, place % 3 === 0 ? 50 : 7)
        const inOrder = place % 2 === 0 ? expected : expected.toReversed()
        assert.deepStrictEqual<unknown>(found, inOrder, JSON.stringify(filters))
        const { isLeast, swaps: counted } = yield* repo.count({ ...filters, sort: "descending", limit: 99 })
        assert.isTrue(isLeast ? counted <= expected.length : counted === expected.length)
      }
      assert.isAbove(hits, 3_000)
    })

    it.effect("are in the period of their own time, though the clocks of replicas were apart", function* () {
      const account = yield* newAccount
      const [hour, later] = [at(60 * 24 * 300), at(60 * 24 * 301)]
      const seconds = (time: EpochMillis, seconds: number) => new Date(time + seconds * 1_000).toISOString()
      const insert = (createdAt: string) =>
        insertSwap({ account: account.id, platform: "relay", createdAt, status: statusIn("waiting") })
      const first = yield* insert(seconds(hour, 10))
      yield* insert(seconds(hour, -20))
      yield* insert(seconds(later, 20))
      const last = yield* insert(seconds(later, -5))
      for (const sort of ["ascending", "descending"] as const) {
        const found = yield* listed(
          { account: account.name, createdFrom: hour, createdBefore: later },
          sort,
          7,
        )
        assert.sameMembers(found, [first, last])
        assert.deepStrictEqual(yield* listed({ createdFrom: hour, createdBefore: later }, sort, 7), found)
      }
    })
  })

  layer(store.layer)(`Swaps of any account on ${store.name}`, (it) => {
    const hash = "ab".repeat(32)
    const egress = { amount: NativeAmount.make(1n) }
    const full = statusIn("completed", {
      swapId: "775",
      destinationAddress: Address.make("0xAbCdEf0000000000000000000000000000000001"),
      depositChannel: {
        id: { issuedBlock: 12, network: "Bitcoin", channelId: 34 },
        createdAt: at(0),
        brokerCommissionBps: noBps,
        affiliateBrokers: [],
        depositAddress: Address.make("BC1QDEPOSIT"),
        sourceChainExpiryBlock: 1,
        estimatedExpiryTime: at(1),
        isExpired: false,
        openedThroughBackend: false,
        reference: "order-9",
      },
      deposit: { amount: egress.amount, transactionReference: hash, otherTransactionReferences: ["second"] },
      swapEgress: { ...egress, transactionReference: `0x${"CD".repeat(32)}` },
      refundEgress: { ...egress, transactionReference: "3Refund" },
      fallbackEgress: {
        ...egress,
        transactionReference: "4fallback",
        destinationAddress: Address.make("0xFA11"),
      },
    })

    it.effect("are found by all that names them, in each spelling", function* () {
      const { id: account } = yield* newAccount
      const other = yield* insertSwap({ account, status: statusIn("waiting") })
      const id = yield* insertSwap({ account, status: full })
      const found = (find: string) => listed({ find })
      const names = [
        `${id}`,
        "775",
        "0xabcdef0000000000000000000000000000000001",
        "ABCDEF0000000000000000000000000000000001",
        "bc1qdeposit",
        "12-bitcoin-34",
        "12-Bitcoin-34",
        "order-9",
        hash,
        `0x${hash.toUpperCase()}`,
        `0X${hash}`,
        "second",
        "cd".repeat(32),
        "3Refund",
        "4fallback",
        "0xfa11",
      ]
      for (const name of names) assert.deepStrictEqual<unknown>(yield* found(name), [id], name)
      // The refund address of both.
      assert.deepStrictEqual<unknown>(yield* found("bc1qrefund"), [id, other])
      assert.deepStrictEqual<unknown>(yield* listed({ find: "bc1qrefund", states: ["waiting"] }), [other])
      for (
        const nothing of ["0", "999999999999", "12-Bitcoin", "0x", " 775", "%", "99999999999999999999"]
      ) {
        assert.deepStrictEqual(yield* found(nothing), [], nothing)
      }
    })

    it.effect("are found by what was seen of them before, which an export brings along", function* () {
      const { id: account } = yield* newAccount
      const id = yield* insertSwap({ account, status: full })
      yield* changeSwap(id, { ...full, swapId: "776", deposit: { amount: egress.amount } })
      const before = [yield* listed({ find: "second" }), yield* listed({ find: "776" })]
      assert.isTrue(before[0]?.includes(id))
      assert.deepStrictEqual<unknown>(before[1], [id])
      const lines: Array<string> = []
      yield* exportRows((line) => Effect.sync(() => void lines.push(line)))
      yield* forgetAccounts
      assert.deepStrictEqual(yield* listed({}), [])
      yield* importRows(Stream.fromIterable(lines))
      assert.deepStrictEqual([yield* listed({ find: "second" }), yield* listed({ find: "776" })], before)
    })

    it.effect("follow each change, and name the account", function* () {
      const { id: account, name } = yield* newAccount
      const id = yield* insertSwap({ account, status: statusIn("waiting"), isStalled: true })
      const repo = yield* ListedSwapsRepo
      const [shown] = yield* repo.byIds([id])
      assert.strictEqual(shown?.account, name)
      assert.strictEqual(shown?.stalledSince, shown?.createdAt)
      yield* changeSwap(id, statusIn("receiving"))
      assert.deepStrictEqual<unknown>(yield* listed({ account: name, states: ["receiving"] }), [id])
      assert.deepStrictEqual(yield* listed({ account: name, states: ["waiting"] }), [])
      assert.deepStrictEqual(yield* repo.byIds([SwapRecordId.make(987_654_321)]), [])
    })
  })
}
