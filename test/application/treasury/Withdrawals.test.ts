import { assert } from "#test/support/it.ts"
import { Deferred, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { NativeAmount } from "#domain/money/Amount.ts"
import type { AssetId } from "#domain/chains/Asset.ts"
import { RateLimited, TimedOut, UpstreamFailed } from "#domain/ProviderError.ts"
import { PaymentStanding, WithdrawalTrace } from "#domain/operations/Treasury.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { AuditRepo } from "#infrastructure/store/accounts/AuditRepo.ts"
import { UnknownOutcomesRepo } from "#infrastructure/store/business/UnknownOutcomesRepo.ts"
import { WithdrawalsRepo } from "#infrastructure/store/treasury/WithdrawalsRepo.ts"
import { Decisions } from "#application/treasury/Decisions.ts"
import { Orders } from "#application/treasury/Orders.ts"
import { Withdrawals } from "#application/treasury/Withdrawals.ts"
import { onStores } from "#test/support/store.ts"
import {
  fails,
  followed,
  freshKey,
  operator,
  ours,
  type ScriptedTreasury,
  scriptedTreasury,
  theirs,
  treasuryOptions,
  treasuryWith,
} from "#test/support/treasury.ts"

const wanted = { provider: "first", asset: "usdc.eth" } as const

const order = Effect.fnUntraced(function* (key = freshKey(), asset: AssetId = wanted.asset) {
  return yield* (yield* Withdrawals).order({ ...wanted, asset }, key, operator)
})

/** Looks at what is due, after the time in which any look becomes due. */
const follow = Effect.gen(function* () {
  yield* TestClock.adjust("10 minutes")
  yield* followed
})

const storyOf = Effect.fnUntraced(function* (id: Parameters<Withdrawals["Service"]["find"]>[0]) {
  const { steps, withdrawal } = yield* (yield* Withdrawals).find(id)
  return { state: withdrawal.state, detail: withdrawal.detail, steps: steps.map(({ state }) => state) }
})

/** Ends what is open, so that the next test can order. */
const settle = Effect.gen(function* () {
  const open = yield* (yield* WithdrawalsRepo).findOpen(
    { platform: platformOf(), asset: "usdc.eth" },
    yield* currentMillis,
  )
  if (Option.isSome(open)) {
    yield* (yield* Decisions).decide(open.value.id, "failed", "the test is over", operator)
  }
})

const platformOf = () => fails(new RateLimited({ detail: "" })).provider

const lying = Effect.fnUntraced(function* (says: ScriptedTreasury["says"]) {
  const upstream = yield* scriptedTreasury(100n)
  upstream.says = says
  const { withdrawal } = yield* order()
  yield* follow
  const story = yield* storyOf(withdrawal.id)
  yield* settle
  return { ...story, isContradicted: withdrawal.isContradicted, orders: upstream.orders.length }
})

onStores(treasuryWith())("A withdrawal", (it) => {
  it.effect("is recorded, ordered once to the address of the settings, and followed to its payment", function* () {
    const upstream = yield* scriptedTreasury(100n)
    const { isReplayed, withdrawal } = yield* order()
    assert.isFalse(isReplayed)
    assert.deepStrictEqual(upstream.orders, [{ asset: "usdc.eth", destination: ours }])
    assert.strictEqual(withdrawal.state, "taken")
    assert.deepStrictEqual(withdrawal.taken, {
      reference: "egress-1",
      amount: NativeAmount.make(93n),
      fee: NativeAmount.make(7n),
      destination: ours,
    })
    yield* follow
    const story = yield* storyOf(withdrawal.id)
    assert.deepStrictEqual(story.steps, ["requested", "taken", "paid"])
    const [entry] = yield* (yield* AuditRepo).entries({ limit: 1 })
    assert.deepStrictEqual<unknown>(entry?.change, {
      action: "withdrawal.requested",
      platform: "first",
      after: { withdrawalId: withdrawal.id, asset: "usdc.eth", destination: ours },
    })
  })

  it.effect("is answered again under its key, and with none while it is open, and is never doubled", function* () {
    const upstream = yield* scriptedTreasury(100n)
    // Whether a withdrawal is of the last minute cannot be told in the first minute of all time.
    yield* TestClock.adjust("1 hour")
    const key = freshKey()
    upstream.standingOf = Option.none()
    const [one, two] = yield* Effect.all([order(key), order(key)], { concurrency: "unbounded" })
    const three = yield* order(Option.none())
    assert.deepStrictEqual(
      [one, two, three].map(({ withdrawal }) => withdrawal.id),
      [one, one, one].map(({ withdrawal }) => withdrawal.id),
    )
    assert.strictEqual(upstream.orders.length, 1)
    const empty = yield* Effect.flip(order(freshKey()))
    assert.strictEqual(empty.message, "There is no usdc.eth to withdraw")
    yield* TestClock.adjust("2 minutes")
    assert.strictEqual((yield* Effect.flip(order(Option.none())))._tag, "CannotOrder")
    const other = yield* Effect.flip(
      (yield* Withdrawals).order({ ...wanted, asset: "btc.btc" }, key, operator),
    )
    assert.strictEqual(other._tag, "OrderKeyReused")
    upstream.standingOf = Option.some(PaymentStanding.Paid({}))
    yield* follow
    assert.isTrue((yield* order(key)).isReplayed)
    assert.strictEqual(upstream.orders.length, 1)
  })

  it.effect("is answered to both of two requests under one key at two replicas, of which one looks after the other's order", function* () {
    const upstream = yield* scriptedTreasury(100n)
    const key = freshKey()
    const ordered = yield* Deferred.make<void>()
    let looks = 0
    const { account } = upstream
    upstream.account = Effect.suspend(() =>
      ++looks === 1 ? Effect.andThen(Deferred.await(ordered), account) : account
    )
    const replica = Withdrawals.layer(treasuryOptions)
    const slow = yield* Effect.forkChild(Effect.provide(order(key), replica), { startImmediately: true })
    while (looks === 0) yield* Effect.yieldNow
    const fast = yield* order(key)
    yield* Deferred.succeed(ordered, undefined)
    const replayed = yield* Fiber.join(slow)
    assert.isTrue(replayed.isReplayed)
    assert.strictEqual(replayed.withdrawal.id, fast.withdrawal.id)
    assert.strictEqual(upstream.orders.length, 1)
    yield* follow
  })

  it.effect("is answered to all of six at once under one key, also to those that cannot see the account meanwhile", function* () {
    const upstream = yield* scriptedTreasury(100n)
    const key = freshKey()
    const ordered = yield* Deferred.make<void>()
    let looks = 0
    // The first to look orders; of the others half see what it left, and half cannot look.
    upstream.looking = Effect.suspend(() => {
      const look = ++looks
      if (look === 1) return Effect.void
      const unseen = fails(new TimedOut({ detail: "no answer", reached: true }))
      return Effect.andThen(Deferred.await(ordered), look % 2 === 0 ? unseen : Effect.void)
    })
    upstream.after = Effect.asVoid(Deferred.succeed(ordered, undefined))
    const answers = yield* Effect.all(Array.from({ length: 6 }, () => order(key)), {
      concurrency: "unbounded",
    })
    assert.strictEqual(new Set(answers.map(({ withdrawal }) => withdrawal.id)).size, 1)
    assert.strictEqual(answers.filter(({ isReplayed }) => !isReplayed).length, 1)
    assert.strictEqual(upstream.orders.length, 1)
    yield* follow
  })

  it.effect("is listed by its state", function* () {
    const upstream = yield* scriptedTreasury(100n)
    upstream.after = fails(new TimedOut({ detail: "no answer", reached: true }))
    const { withdrawal } = yield* order()
    const { page } = yield* Withdrawals
    const { items } = yield* page({ limit: 10, state: "unknown" })
    assert.deepStrictEqual(items.map(({ id, state }) => [id, state]), [[withdrawal.id, "unknown"]])
    assert.isEmpty((yield* page({ limit: 10, state: "requested" })).items)
    yield* settle
  })

  it.effect("is ordered once where two requests saw the same earnings", function* () {
    const upstream = yield* scriptedTreasury(100n)
    const bothSaw = yield* Deferred.make<void>()
    let looks = 0
    upstream.looking = Effect.suspend(() =>
      ++looks === 2 ? Effect.asVoid(Deferred.succeed(bothSaw, undefined)) : Deferred.await(bothSaw)
    )
    const answers = yield* Effect.all([
      Effect.result(order(freshKey())),
      Effect.result(order(freshKey())),
    ], {
      concurrency: "unbounded",
    })
    assert.deepStrictEqual(answers.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
    assert.strictEqual(upstream.orders.length, 1)
    yield* follow
  })

  it.effect("goes on when its caller is gone", function* () {
    const upstream = yield* scriptedTreasury(100n)
    upstream.before = Effect.sleep("30 seconds")
    const key = freshKey()
    const fiber = yield* Effect.forkChild(order(key))
    while (upstream.orders.length === 0) yield* Effect.yieldNow
    yield* Fiber.interrupt(fiber)
    yield* TestClock.adjust("30 seconds")
    while ((yield* order(key)).withdrawal.state === "requested") yield* Effect.yieldNow
    assert.strictEqual(upstream.paid.length, 1)
    yield* follow
  })

  it.effect("is unknown when its answer is lost, is never ordered again, and is found", function* () {
    const upstream = yield* scriptedTreasury(100n)
    upstream.after = fails(new TimedOut({ detail: "no answer", reached: true }))
    const key = freshKey()
    const { withdrawal } = yield* order(key)
    assert.strictEqual(withdrawal.state, "unknown")
    const unknown = Effect.gen(function* () {
      const outcomes = yield* (yield* UnknownOutcomesRepo).counts(yield* currentMillis)
      return outcomes.filter(({ platform }) => platform === withdrawal.platform)
    })
    assert.deepStrictEqual(yield* unknown, [
      { platform: withdrawal.platform, openings: 0, withdrawals: 1, since: withdrawal.requestedAt },
    ])
    yield* follow
    assert.isTrue((yield* order(key)).isReplayed)
    assert.strictEqual((yield* Effect.flip(order(freshKey())))._tag, "WithdrawalOpen")
    const [taken] = upstream.paid
    if (taken === undefined) return assert.fail("Nothing was paid")
    upstream.trace = () => WithdrawalTrace.Taken({ taken })
    yield* follow
    yield* follow
    assert.deepStrictEqual((yield* storyOf(withdrawal.id)).steps, ["requested", "unknown", "taken", "paid"])
    assert.deepStrictEqual(yield* unknown, [])
    assert.strictEqual(upstream.orders.length, 1)
  })

  it.effect("may be ordered again under its key once nothing was ordered, provably", function* () {
    const upstream = yield* scriptedTreasury(100n)
    upstream.before = fails(new UpstreamFailed({ detail: "it broke" }))
    const key = freshKey()
    const { withdrawal } = yield* order(key)
    assert.strictEqual(withdrawal.state, "unknown")
    upstream.trace = () => WithdrawalTrace.NothingOrdered()
    yield* follow
    assert.strictEqual((yield* storyOf(withdrawal.id)).state, "failed")
    upstream.before = Effect.void
    const again = yield* order(key)
    assert.deepStrictEqual([again.withdrawal.id, again.isReplayed], [withdrawal.id, false])
    yield* follow
    const { steps } = yield* storyOf(withdrawal.id)
    assert.deepStrictEqual(steps, ["requested", "unknown", "failed", "requested", "taken", "paid"])
    assert.strictEqual(upstream.paid.length, 1)
  })

  it.effect("stalls no other while the proof that it was never ordered takes long, or breaks", function* () {
    const upstream = yield* scriptedTreasury(100n)
    upstream.before = fails(new TimedOut({ detail: "no answer", reached: true }))
    const lost = yield* Effect.forEach(["usdc.eth", "eth.eth", "flip.eth"] as const, (asset) => {
      upstream.earned.set(asset, 100n)
      return Effect.map(order(freshKey(), asset), ({ withdrawal }) => withdrawal.id)
    })
    upstream.before = Effect.void
    upstream.earned.set("usdt.eth", 100n)
    const other = (yield* order(freshKey(), "usdt.eth")).withdrawal.id

    const proven = yield* Deferred.make<void>()
    const begun: Array<AssetId> = []
    upstream.finding = ({ asset }) => {
      begun.push(asset)
      return asset === "flip.eth" ? Effect.die("broken") : Deferred.await(proven)
    }
    upstream.trace = () => WithdrawalTrace.NothingOrdered()
    const { atRest, round } = yield* Orders
    const states = Effect.forEach([...lost, other], (id) => Effect.map(storyOf(id), ({ state }) => state))
    for (let rounds = 1; rounds <= 2; rounds++) {
      // Longer than a process has a withdrawal to itself: the first look is not begun a second time.
      yield* TestClock.adjust("10 minutes")
      yield* round
      while ((yield* states)[3] !== "paid") yield* Effect.yieldNow
      while (begun.length < 2) yield* Effect.yieldNow
    }
    const proofs = begun.filter((asset) => asset !== "flip.eth")
    assert.lengthOf(new Set(proofs), proofs.length)
    assert.deepStrictEqual((yield* states).slice(0, 3), ["unknown", "unknown", "unknown"])
    yield* Deferred.succeed(proven, undefined)
    yield* atRest
    assert.deepStrictEqual(yield* states, ["failed", "failed", "unknown", "paid"])
    upstream.finding = () => Effect.void
    yield* follow
    assert.deepStrictEqual(yield* states, ["failed", "failed", "failed", "paid"])
    assert.lengthOf(upstream.orders, 4)
  })

  it.effect("fails at once when the upstream refuses it, provably", function* () {
    const upstream = yield* scriptedTreasury(100n)
    upstream.before = fails(new RateLimited({ detail: "too many" }))
    const { withdrawal } = yield* order()
    assert.deepStrictEqual([withdrawal.state, withdrawal.detail], ["failed", "too many"])
    assert.strictEqual(upstream.paid.length, 0)
  })

  it.effect("believes no answer that names another address or another amount", function* () {
    for (
      const [says, told] of [
        [(taken) => ({ ...taken, destination: theirs }), /it pays 0x6666.*0x2222.* was ordered/],
        [(taken) => ({ ...taken, amount: NativeAmount.make(9_999n) }), /took 10006, and at most 100/],
        [(taken) => ({ ...taken, amount: NativeAmount.make(1n) }), /took 8, and 100 was there/],
      ] satisfies ReadonlyArray<readonly [ScriptedTreasury["says"], RegExp]>
    ) {
      const { detail, isContradicted, orders, state, steps } = yield* lying(says)
      assert.deepStrictEqual([state, isContradicted, orders], ["unknown", true, 1])
      assert.match(detail ?? "", told)
      assert.deepStrictEqual(steps, ["requested", "unknown"])
    }
  })

  it.effect("is decided by the operator where nobody else can tell", function* () {
    const upstream = yield* scriptedTreasury(100n)
    const decisions = yield* Decisions
    upstream.after = fails(new TimedOut({ detail: "no answer", reached: true }))
    const { withdrawal } = yield* order()
    const decided = yield* decisions.decide(withdrawal.id, "paid", "seen on the chain", operator)
    assert.strictEqual(decided.state, "paid")
    assert.strictEqual(decided.taken?.amount, 100n)
    const twice = yield* Effect.flip(decisions.decide(withdrawal.id, "failed", "no", operator))
    assert.match(twice.message, /It is paid/)
    const [entry] = yield* (yield* AuditRepo).entries({ limit: 1 })
    assert.deepStrictEqual<unknown>(entry?.change, {
      action: "withdrawal.decided",
      platform: "first",
      before: { withdrawalId: withdrawal.id, state: "unknown" },
      after: { withdrawalId: withdrawal.id, state: "paid" },
      reason: "seen on the chain",
    })
  })

  it.effect("is refused before anything is recorded where it cannot be right", function* () {
    const upstream = yield* scriptedTreasury(100n)
    const refusal = Effect.map(Effect.flip(order()), ({ message }) => message)
    upstream.more = { withdrawalsEnabled: false }
    assert.match(yield* refusal, /pays no withdrawals out for now/)
    upstream.more = { inSync: false }
    assert.match(yield* refusal, /node is behind/)
    upstream.more = { boundAddress: { chain: "Ethereum", address: theirs } }
    assert.match(yield* refusal, /WITHDRAWAL_ADDRESS_ETHEREUM is 0x2222.*is bound to 0x6666/)
    upstream.more = {}
    assert.match(yield* refusal, /was bound to 0x6666.*says that it is not/)
    upstream.looking = fails(new TimedOut({ detail: "no answer", reached: true }))
    assert.match(yield* refusal, /account at first is unavailable/)
    const withdrawals = yield* Withdrawals
    const bitcoin = yield* Effect.flip(
      withdrawals.order({ ...wanted, asset: "btc.btc" }, freshKey(), operator),
    )
    assert.strictEqual(bitcoin._tag, "BalanceUnavailable")
    const nowhere = yield* Effect.flip(
      withdrawals.order({ ...wanted, provider: "second" }, freshKey(), operator),
    )
    assert.strictEqual(nowhere._tag, "TreasuryUnknown")
    assert.strictEqual(upstream.orders.length, 0)
  })
})
