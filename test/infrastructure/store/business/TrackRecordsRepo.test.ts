import { assert, layer } from "#test/support/it.ts"
import { Effect } from "effect"
import type { Caller } from "#domain/accounts/Account.ts"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import type { Chunk, Failure, SwapStatus } from "#domain/swaps/Swap.ts"
import { BlockIndex, EpochMillis } from "#domain/Time.ts"
import { TrackRecordsRepo } from "#infrastructure/store/business/TrackRecordsRepo.ts"
import { newAccount, stores } from "#test/support/store.ts"
import { statusIn } from "#test/support/swap.ts"
import { changeSwap, insertSwap } from "./support.ts"

const amount = NativeAmount.make(1_000n)
const at = (seconds: number) => EpochMillis.make(Date.parse("2026-05-05T12:00:00Z") + seconds * 1_000)
const block = BlockIndex.make("1-1")

const deposit = { amount, transactionReference: "0x1", witnessedAt: at(0) }

/** A swap that paid out so many seconds after its deposit was credited. */
const paid = (seconds: number): SwapStatus =>
  statusIn("completed", {
    deposit,
    swapEgress: { amount, transactionReference: "0x2", witnessedAt: at(seconds) },
  })

const aborted = (abortedReason: string): Chunk => ({
  inputAmount: amount,
  scheduledAt: at(0),
  scheduledBlockIndex: block,
  retryCount: 0,
  abortedAt: at(1),
  abortedBlockIndex: block,
  abortedReason,
})

/** A swap whose deposit went back, for this reason of the upstream's. */
const refunded = (reason: string): SwapStatus => {
  const { swapEgress: _, ...status } = statusIn("completed", {
    deposit,
    refundEgress: { amount, transactionReference: "0x3", witnessedAt: at(9) },
  })
  return {
    ...status,
    swap: {
      originalInputAmount: amount,
      remainingInputAmount: amount,
      swappedInputAmount: NativeAmount.make(0n),
      swappedIntermediateAmount: NativeAmount.make(0n),
      swappedOutputAmount: NativeAmount.make(0n),
      execution: { _tag: "regular", chunk: aborted(reason) },
    },
  }
}

const failure = (mode: string, code: string): Failure => ({
  failedAt: at(1),
  failedBlockIndex: block,
  mode,
  reason: { code, message: code },
})

/** A swap whose deposit was refused, for this reason of the upstream's. */
const refused = (code: string): SwapStatus =>
  statusIn("failed", { deposit: { ...deposit, failure: failure("DEPOSIT_IGNORED", code) } })

let worlds = 0

/** A provider of its own, at which swaps end, and its record between Bitcoin and Ethereum. */
const world = () => {
  const platform = `provider-${++worlds}`
  const end = Effect.fnUntraced(
    function* (account: Caller, ended: SwapStatus, count = 1, sourceAsset: AssetId = "usdc.eth") {
      for (let index = 0; index < count; index++) {
        const pair = { sourceAsset, destinationAsset: "btc.btc" } as const
        const id = yield* insertSwap({ account: account.id, platform, status: statusIn("waiting", pair) })
        yield* changeSwap(id, { ...ended, ...pair })
      }
    },
  )
  const record = Effect.gen(function* () {
    const pairs = (yield* (yield* TrackRecordsRepo).since(at(0))).filter((pair) => pair.platform === platform)
    const sum = (of: (pair: typeof pairs[number]) => number) =>
      pairs.reduce((total, pair) => total + of(pair), 0)
    return {
      completed: sum(({ completed }) => completed),
      refunded: sum(({ refunded }) => refunded),
      failed: sum(({ failed }) => failed),
      seconds: pairs.flatMap(({ seconds }) => seconds),
    }
  })
  return { end, record }
}

for (const store of stores) {
  layer(store.layer)(`Track records on ${store.name}`, (it) => {
    it.effect("have the times of swaps that paid out, and none of a refund", function* () {
      const { end, record } = world()
      const account = yield* newAccount
      yield* end(account, paid(96), 4)
      yield* end(account, refunded("REFUNDED"), 6)
      yield* end(account, statusIn("completed", { deposit }))
      assert.deepStrictEqual(yield* record, {
        completed: 5,
        refunded: 6,
        failed: 0,
        seconds: [96, 96, 96, 96],
      })
    })

    it.effect("have nothing that an account's own terms or payment led to", function* () {
      const { end, record } = world()
      const account = yield* newAccount
      for (const reason of ["MinPriceViolation", "PRICE_MOVED", "SLIPPAGE", "LATE_DEPOSIT"]) {
        yield* end(account, refunded(reason))
      }
      for (const code of ["BelowMinimumDeposit", "NotEnoughToPayFees", "NothingPaid"]) {
        yield* end(account, refused(code))
      }
      const tooSmall = { amount, failure: failure("SWAP_OUTPUT_TOO_SMALL", "x") }
      yield* end(account, statusIn("failed", { deposit, swapEgress: tooSmall }))
      assert.deepStrictEqual(yield* record, { completed: 0, refunded: 0, failed: 0, seconds: [] })
      yield* end(account, refunded("SafeModeActive"))
      yield* end(account, refused("TransactionRejected"))
      assert.deepStrictEqual(yield* record, { completed: 0, refunded: 1, failed: 1, seconds: [] })
    })

    it.effect("count of no account more than a tenth, however often and in whatever pairs it swaps", function* () {
      const { end, record } = world()
      for (let index = 0; index < 9; index++) yield* end(yield* newAccount, paid(60), 20)
      const hostile = yield* newAccount
      for (const asset of ["usdc.eth", "usdt.eth", "eth.eth"] as const) {
        yield* end(hostile, refunded("REFUNDED"), 30, asset)
      }
      const { completed, refunded: back } = yield* record
      assert.deepStrictEqual([completed, back], [180, 20])
    })

    it.effect("count some swaps of an account that is alone", function* () {
      const { end, record } = world()
      yield* end(yield* newAccount, paid(60), 30)
      assert.strictEqual((yield* record).completed, 20)
    })
  })
}
