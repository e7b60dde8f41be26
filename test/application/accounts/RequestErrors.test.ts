import { assert, describe, it } from "#test/support/it.ts"
import { Duration, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "#application/accounts/Accounts.ts"
import { accountsLayer } from "#application/accounts/mod.ts"
import {
  type FailedRequest,
  RequestErrors,
  requestErrorsAtWork,
} from "#application/accounts/RequestErrors.ts"
import type { Account } from "#domain/accounts/Account.ts"
import { EpochMillis, lastMillis } from "#domain/Time.ts"
import { StoreUnavailable } from "#domain/StoreError.ts"
import { type HourOfErrors, RequestErrorsRepo } from "#infrastructure/store/accounts/RequestErrorsRepo.ts"
import { replica } from "./support.ts"
import { accountWith } from "#test/support/account.ts"
import { newAccount, onStores } from "#test/support/store.ts"

const ever = { from: EpochMillis.make(0), to: lastMillis, limit: 100 }

const failedOf = ({ id }: Account, more: Partial<FailedRequest> = {}): FailedRequest => ({
  account: id,
  endpoint: "openSwap",
  status: 400,
  kind: "InvalidRequest",
  parameters: ["amount"],
  ...more,
})

const text = Effect.succeed("amount is required")

onStores(accountsLayer)("failed requests", (it) => {
  it.effect("are counted together where they fail alike, over all hours that are asked for", function* () {
    const account = yield* newAccount
    const errors = yield* RequestErrors
    yield* TestClock.setTime(1_000)
    yield* errors.note(failedOf(account), text)
    yield* errors.note(failedOf(account, { parameters: ["boostFee"] }), Effect.die("not asked for"))
    yield* errors.write
    yield* TestClock.setTime(3_600_000)
    yield* errors.note(failedOf(account), Effect.succeed("amount must be a number"))
    yield* errors.note(failedOf(account, { status: 503, code: "upstream_error", kind: "Other" }), text)
    assert.deepStrictEqual(yield* errors.ofAccount(account.name, ever), [{
      endpoint: "openSwap",
      status: 400,
      kind: "InvalidRequest",
      count: 3,
      lastAt: EpochMillis.make(3_600_000),
      parameters: ["amount", "boostFee"],
      example: "amount must be a number",
    }, {
      endpoint: "openSwap",
      status: 503,
      code: "upstream_error",
      kind: "Other",
      count: 1,
      lastAt: EpochMillis.make(3_600_000),
      parameters: ["amount"],
      example: "amount is required",
    }])
    const first = { ...ever, from: EpochMillis.make(3_599_999), to: EpochMillis.make(3_599_999) }
    assert.deepStrictEqual((yield* errors.ofAccount(account.name, first)).map(({ count }) => count), [2])
    const [most, ...others] = yield* errors.ofAccount(account.name, { ...ever, limit: 1 })
    assert.deepStrictEqual([most?.count, others], [3, []])
  })

  it.effect("are an account's own", function* () {
    const [one, other] = [yield* newAccount, yield* newAccount]
    const errors = yield* RequestErrors
    yield* errors.note(failedOf(one), text)
    assert.lengthOf(yield* errors.ofAccount(one.name, ever), 1)
    assert.deepStrictEqual(yield* errors.ofAccount(other.name, ever), [])
  })

  it.effect("are told by cause over all accounts, the most frequent first, and one cause wherever it occurred", function* () {
    const [one, other, third] = [yield* newAccount, yield* newAccount, yield* newAccount]
    const errors = yield* RequestErrors
    const many = { status: 429, kind: "LimitReached", parameters: [] }
    yield* TestClock.setTime(7_200_000)
    for (const account of [one, one, other]) yield* errors.note(failedOf(account, many), text)
    yield* errors.note(failedOf(one), text)
    yield* errors.note(failedOf(one, { endpoint: "getQuotes" }), text)
    yield* TestClock.setTime(10_800_001)
    yield* errors.note(failedOf(other, { ...many, endpoint: "getQuotes" }), text)
    const down = { status: 503, code: "provider_unavailable", kind: "NotCalled", parameters: [] }
    yield* errors.note(failedOf(third, down), text)
    const hours = {
      from: EpochMillis.make(7_300_000),
      to: EpochMillis.make(10_900_000),
      step: "hour" as const,
    }
    const names = [one, other, third].map(({ name }) => name)
    const all = (yield* errors.causes(hours)).map(({ accounts, ...cause }) => ({
      ...cause,
      accounts: accounts.filter(({ name }) => names.includes(name)),
    })).filter(({ accounts }) => accounts.length > 0)
    assert.deepStrictEqual(all.map(({ kind }) => kind), [
      "LimitReached",
      "NotCalled",
      "InvalidRequest",
      "InvalidRequest",
    ])
    const [limit, , quotes, opening] = all
    assert.deepStrictEqual([limit?.endpoints, quotes?.endpoints, opening?.endpoints], [
      ["getQuotes", "openSwap"],
      ["getQuotes"],
      ["openSwap"],
    ])
    assert.sameDeepMembers([...limit?.accounts ?? []], [
      { name: one.name, count: 2 },
      { name: other.name, count: 2 },
    ])
    assert.deepStrictEqual(limit?.periods.map(({ at, count }) => [at, count]), [
      [7_200_000, 3],
      [10_800_000, 1],
    ])
    assert.deepStrictEqual([limit?.count, limit?.lastAt], [4, EpochMillis.make(10_800_001)])
    const byDay = yield* errors.causes({ ...hours, step: "day", endpoint: "getQuotes", account: other.name })
    assert.deepStrictEqual(byDay.map(({ endpoints, periods: [{ at, count }] }) => [endpoints, at, count]), [
      [["getQuotes"], 0, 1],
    ])
    const own = yield* errors.causes({ ...hours, account: other.name })
    assert.deepStrictEqual(own.map(({ accounts, count, kind }) => [kind, count, accounts.length]), [
      ["LimitReached", 2, 1],
    ])
  })

  it.effect("add up over replicas that write at the same time", function* () {
    const accounts = [yield* newAccount, yield* newAccount, yield* newAccount]
    const replicas = yield* Effect.all([replica, replica, replica, replica])
    yield* Effect.forEach(replicas, (replica, index) =>
      Effect.gen(function* () {
        const errors = yield* RequestErrors
        const own = index % 2 === 0 ? accounts : accounts.toReversed()
        for (const account of own) yield* errors.note(failedOf(account), text)
        yield* errors.write
      }).pipe(Effect.provideContext(replica)), { concurrency: "unbounded" })
    const errors = yield* RequestErrors
    for (const { name } of accounts) {
      assert.deepStrictEqual((yield* errors.ofAccount(name, ever)).map(({ count }) => count), [4])
    }
  })

  it.effect("are written every few seconds and at the stop, and forgotten by the hour", function* () {
    const account = yield* newAccount
    const repo = yield* RequestErrorsRepo
    const { note } = yield* RequestErrors
    const counts = Effect.map(repo.ofAccount(account.id, ever), (all) => all.map(({ count }) => count))
    const scope = yield* Scope.make()
    yield* Layer.buildWithScope(requestErrorsAtWork({ errorsKeep: Duration.days(30) }), scope)
    yield* note(failedOf(account), text)
    assert.deepStrictEqual(yield* counts, [])
    yield* TestClock.adjust("5 seconds")
    yield* Effect.repeat(counts, { until: (found) => found.length === 1 })
    yield* note(failedOf(account), text)
    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual(yield* counts, [2])
    assert.strictEqual(yield* repo.forget(EpochMillis.make(0), 1_000), 0)
    assert.isAtLeast(yield* repo.forget(lastMillis, 1_000), 1)
    assert.deepStrictEqual(yield* counts, [])
  })
})

/** A database that fails until it is let, and then keeps what it is given. */
const failingRepo = () => {
  const kept: Array<HourOfErrors> = []
  let isAway = true
  return {
    kept,
    comeBack: () => void (isAway = false),
    layer: Layer.mock(RequestErrorsRepo)({
      add: (hours) =>
        isAway
          ? Effect.fail(new StoreUnavailable({ operation: "add", cause: "away" }))
          : Effect.sync(() => void kept.push(...hours)),
    }),
  }
}

const over = (repo: Layer.Layer<RequestErrorsRepo>) =>
  RequestErrors.layer.pipe(Layer.provide([repo, Layer.mock(Accounts)({})]))

describe("failed requests beside a database that is away", () => {
  it.effect("wait for it, and are counted once", () => {
    const repo = failingRepo()
    return Effect.gen(function* () {
      const { note, write } = yield* RequestErrors
      yield* note(failedOf(accountWith()), text)
      yield* write
      yield* note(failedOf(accountWith(), { parameters: ["boostFee"] }), text)
      yield* write
      repo.comeBack()
      yield* write
      yield* write
      assert.deepStrictEqual(
        repo.kept.map(({ count, parameters }) => ({ count, parameters })),
        [{ count: 2, parameters: ["amount", "boostFee"] }],
      )
    }).pipe(Effect.provide(over(repo.layer)))
  })

  it.effect("do not fill the memory, and kinds that are known go on being counted", () => {
    const repo = failingRepo()
    return Effect.gen(function* () {
      const { note, write } = yield* RequestErrors
      for (let kind = 0; kind < 10_050; kind++) {
        yield* note(failedOf(accountWith(), { kind: `${kind}` }), text)
      }
      yield* note(failedOf(accountWith(), { kind: "0" }), text)
      repo.comeBack()
      yield* write
      assert.lengthOf(repo.kept, 10_000)
      assert.strictEqual(repo.kept.find(({ kind }) => kind === "0")?.count, 2)
    }).pipe(Effect.provide(over(repo.layer)))
  })
})
