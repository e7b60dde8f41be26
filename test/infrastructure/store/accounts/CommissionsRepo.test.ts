import { assert, layer } from "#test/support/it.ts"
import { Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../../migrations/mod.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Fee } from "#domain/money/Fee.ts"
import type { SwapState, SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { UtcDay } from "#domain/money/Commission.ts"
import { encodeStatus } from "#infrastructure/store/database/columns.ts"
import { CommissionsRepo } from "#infrastructure/store/accounts/CommissionsRepo.ts"
import { exportRows, importRows } from "#infrastructure/store/database/transfer/rows.ts"
import { forgetAccounts } from "#test/support/forgetAccounts.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { tablesBefore } from "#test/support/tablesBefore.ts"

const millis = (text: string) => EpochMillis.make(Date.parse(text))
const native = (amount: bigint) => NativeAmount.make(amount)
const most = 340_282_366_920_938_463_463_374_607_431_768_211_455n

const fee = (amount: bigint, asset: AssetId = "usdc.eth", type: Fee["type"] = "broker"): Fee => ({
  type,
  asset,
  amount: native(amount),
})

/** A swap that paid out at a time. */
const paid = (at: string, fees: ReadonlyArray<Fee>, more: Partial<SwapStatus> = {}): SwapStatus =>
  statusIn("completed", {
    swapId: "1",
    fees,
    swapEgress: { amount: native(5n), scheduledAt: millis("2026-01-01T00:00:00Z"), witnessedAt: millis(at) },
    ...more,
  })

const refundEgress = { amount: native(5n), witnessedAt: millis("2026-07-29T00:00:00Z") }

const insert = Effect.fnUntraced(function* (account: AccountId, status: SwapStatus) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: bigint }>`
    INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at)
    VALUES (${account}, 'chainflip', 'opened', '{}', ${status.state}, ${yield* encodeStatus(status)}, now(),
      '2026-12-30T12:00:00Z')
    RETURNING id`
  return rows[0]?.id ?? 0n
})

const change = Effect.fnUntraced(function* (id: bigint, status: SwapStatus) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE swaps SET state = ${status.state}, status = ${yield* encodeStatus(
    status,
  )} WHERE id = ${id}`
})

const earned = Effect.fnUntraced(
  function* (account: AccountId, from = "2026-01-01", to = "2026-12-31", asset?: AssetId) {
    const repo = yield* CommissionsRepo
    const found = yield* repo.earned(account, {
      from: UtcDay.make(from),
      to: UtcDay.make(to),
      ...(asset === undefined ? {} : { asset }),
    })
    return found.map(({ day, asset, amount, swaps }) => [day, asset, amount, swaps] as const)
  },
)

const { "0011_commissions": withCommissions } = migrations

for (const store of stores) {
  layer(store.layer)(`Commissions on ${store.name}`, (it) => {
    it.effect("are summed by the UTC day of the payment and by asset, exactly", function* () {
      const { id: account } = yield* newAccount
      yield* insert(account, paid("2026-07-29T23:59:59.999Z", [fee(most), fee(3n, "btc.btc")]))
      yield* insert(
        account,
        paid("2026-07-29T00:00:00Z", [fee(most), fee(1n), fee(9n, "usdc.eth", "network")]),
      )
      yield* insert(account, paid("2026-07-30T00:00:00Z", [fee(5n)]))
      const first = [
        ["2026-07-29", "btc.btc", 3n, 1],
        ["2026-07-29", "usdc.eth", 2n * most + 1n, 2],
      ]
      assert.deepStrictEqual<unknown>(yield* earned(account), [...first, ["2026-07-30", "usdc.eth", 5n, 1]])
      assert.deepStrictEqual<unknown>(yield* earned(account, "2026-07-29", "2026-07-29"), first)
      assert.deepStrictEqual<unknown>(yield* earned(account, "2026-07-30", "2026-08-01"), [
        ["2026-07-30", "usdc.eth", 5n, 1],
      ])
      assert.deepStrictEqual<unknown>(yield* earned(account, "2026-01-01", "2026-12-31", "btc.btc"), [
        first[0],
      ])
      assert.deepStrictEqual(yield* earned(account, "2026-07-31"), [])
    })

    it.effect("are of swaps alone that are completed and paid something out", function* () {
      const { id: account } = yield* newAccount
      const fees = [fee(7n)]
      const { swapEgress, ...unpaid } = paid("2026-07-29T00:00:00Z", fees)
      for (
        const state of ["waiting", "receiving", "swapping", "sending", "sent", "failed"] satisfies SwapState[]
      ) {
        yield* insert(account, paid("2026-07-29T00:00:00Z", fees, { state }))
      }
      yield* insert(account, unpaid)
      yield* insert(account, { ...unpaid, refundEgress })
      yield* insert(account, paid("2026-07-29T00:00:00Z", [fee(0n)]))
      yield* insert(account, paid("2026-07-29T00:00:00Z", []))
      assert.deepStrictEqual(yield* earned(account), [])
      assert.isDefined(swapEgress)
      yield* insert(account, paid("2026-07-29T00:00:00Z", fees, { refundEgress }))
      yield* insert(account, {
        ...unpaid,
        fallbackEgress: { amount: native(1n), witnessedAt: millis("2026-07-28T00:00:00Z") },
      })
      assert.deepStrictEqual<unknown>(yield* earned(account), [
        ["2026-07-28", "usdc.eth", 7n, 1],
        ["2026-07-29", "usdc.eth", 7n, 1],
      ])
    })

    it.effect("count on the day that is known best", function* () {
      const { id: account } = yield* newAccount
      const egress = { amount: native(5n) }
      const begun = { ...egress, scheduledAt: millis("2026-03-03T00:00:00Z") }
      const update = { lastStateChainUpdateAt: millis("2026-04-04T00:00:00Z") }
      const fees = [fee(1n)]
      yield* insert(account, statusIn("completed", { fees, swapEgress: begun, ...update }))
      yield* insert(account, statusIn("completed", { fees, swapEgress: egress, ...update }))
      yield* insert(account, statusIn("completed", { fees, swapEgress: egress }))
      assert.deepStrictEqual((yield* earned(account)).map(([day]) => `${day}`), [
        "2026-03-03",
        "2026-04-04",
        "2026-12-30",
      ])
    })

    it.effect("count no later than on the day on which we knew of them, whatever time the upstream is in", function* () {
      const { id: account } = yield* newAccount
      yield* insert(account, paid("2036-07-29T00:00:00Z", [fee(1n)]))
      assert.deepStrictEqual((yield* earned(account)).map(([day]) => `${day}`), ["2026-12-30"])
    })

    it.effect("follow the status: corrected with it, and kept when the channel is used again", function* () {
      const { id: account } = yield* newAccount
      const id = yield* insert(account, statusIn("waiting"))
      assert.deepStrictEqual(yield* earned(account), [])
      yield* change(id, paid("2026-07-29T00:00:00Z", [fee(7n)]))
      yield* change(id, paid("2026-07-30T00:00:00Z", [fee(8n)]))
      yield* change(id, paid("2026-07-30T00:00:00Z", [fee(8n)]))
      const one = ["2026-07-30", "usdc.eth", 8n, 1]
      assert.deepStrictEqual<unknown>(yield* earned(account), [one])
      yield* change(id, statusIn("receiving", { swapId: "2" }))
      assert.deepStrictEqual<unknown>(yield* earned(account), [one])
      yield* change(id, paid("2026-08-01T00:00:00Z", [fee(1n)], { swapId: "2" }))
      assert.deepStrictEqual<unknown>(yield* earned(account), [one, ["2026-08-01", "usdc.eth", 1n, 1]])
    })

    it.effect("of one account are no other's", function* () {
      const [one, other] = [yield* newAccount, yield* newAccount]
      yield* insert(one.id, paid("2026-07-29T00:00:00Z", [fee(7n)]))
      assert.lengthOf(yield* earned(one.id), 1)
      assert.deepStrictEqual(yield* earned(other.id), [])
    })
  })

  layer(store.database)(`The migration to commissions on ${store.name}`, (it) => {
    it.effect("counts the swaps that are there already", function* () {
      const sql = yield* SqlClient.SqlClient
      const migrated = Effect.gen(function* () {
        yield* tablesBefore("0011_commissions")
        yield* sql`
            INSERT INTO swaps (account_id, platform, opening, request, state, status, created_at, updated_at)
            SELECT 1, 'chainflip', 'opened', '{}', state, ${yield* encodeStatus(
          paid("2026-07-29T00:00:00Z", [fee(7n)]),
        )},
              now(), now()
            FROM unnest(ARRAY['completed', 'failed']) AS state`
        yield* withCommissions
        return yield* sql`SELECT swap_id::int, earned_on::text, asset, amount::text FROM commissions`
      })
      assert.deepStrictEqual(yield* sql.withTransaction(migrated), [
        { swap_id: 1, earned_on: "2026-07-29", asset: "usdc.eth", amount: "7" },
      ])
    })
  })

  layer(store.layer)(`The export of commissions from ${store.name}`, (it) => {
    it.effect("brings all of them, also those that no status tells of any more", function* () {
      const { id: account } = yield* newAccount
      const id = yield* insert(account, paid("2026-07-29T00:00:00Z", [fee(7n)]))
      yield* change(id, paid("2026-08-01T00:00:00Z", [fee(1n)], { swapId: "2" }))
      const before = yield* earned(account)
      assert.lengthOf(before, 2)
      const lines: Array<string> = []
      yield* exportRows((line) => Effect.sync(() => void lines.push(line)))
      yield* forgetAccounts
      assert.deepStrictEqual(yield* earned(account), [])
      yield* importRows(Stream.fromIterable(lines))
      assert.deepStrictEqual(yield* earned(account), before)
    })
  })
}
