import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { mayHaveOpened, type ProviderError } from "#domain/ProviderError.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import type { Provider, Withdrawals } from "#providers/Provider.ts"
import type { TreasuryFixtures } from "../Fixtures.ts"
import { type Check, check, grouped, type Kit } from "./kit.ts"

/** What the account has earned, by asset; each asset once, and none of which there is nothing. */
const earnedOf = Effect.fnUntraced(function* ({ treasury }: Provider) {
  if (treasury === undefined) return new Map<string, bigint>()
  const { account, affiliates, earned } = yield* treasury.account
  assert.isNotEmpty(account)
  for (const holdings of [earned, ...affiliates.map(({ earned }) => earned)]) {
    assert.strictEqual(new Set(holdings.map(({ asset }) => asset)).size, holdings.length)
    assert.isTrue(holdings.every(({ amount }) => amount > 0n))
  }
  assert.strictEqual(new Set(affiliates.map(({ account }) => account)).size, affiliates.length)
  return new Map<string, bigint>(earned.map(({ amount, asset }) => [asset, amount]))
})

const withdrawalsOf = ({ treasury }: Provider): Withdrawals => {
  if (treasury?.withdrawals === undefined) throw new Error("The provider has no withdrawals")
  return treasury.withdrawals
}

/** Asserts how an order failed: so that it may have been given, or provably not. */
const assertFailed = Effect.fnUntraced(
  function* (order: Effect.Effect<unknown, ProviderError>, given: boolean) {
    const { operation, reason } = yield* Effect.flip(order)
    assert.strictEqual(operation, "withdraw")
    assert.strictEqual(mayHaveOpened(reason), given, reason._tag)
  },
  Effect.mapError((answered) => new Error(`The order was answered: ${JSON.stringify(answered)}`)),
  Effect.orDie,
)

const tells = <R, E>(kit: Kit<R, E>): Check<E> =>
  check(
    kit,
    "tells of the operator's account, where it can be asked, each asset once",
    (provider) => Effect.asVoid(earnedOf(provider)),
  )

const withdrawsOnce = <R, E>(kit: Kit<R, E>, { earn, earned, order }: TreasuryFixtures<R>): Check<E> =>
  check(kit, "withdraws the whole of what was earned, and then there is nothing", function* (provider) {
    const withdrawals = withdrawalsOf(provider)
    yield* earn
    assert.strictEqual((yield* earnedOf(provider)).get(order.asset), earned)
    const taken = yield* withdrawals.withdraw(order)
    assert.strictEqual(taken.amount + taken.fee, earned)
    assert.strictEqual(taken.destination, order.destination)
    assert.isFalse((yield* earnedOf(provider)).has(order.asset))
    assert.isTrue(Option.isSome(yield* withdrawals.standing(taken)))
    yield* assertFailed(withdrawals.withdraw(order), false)
  })

const findsLost = <R, E>(
  kit: Kit<R, E>,
  { earn, earned, loseAnswers, order }: TreasuryFixtures<R>,
): Check<E> =>
  check(
    kit,
    "says that an order whose answer was lost may have been given, and finds it",
    function* (provider, upstream) {
      const { find, withdraw } = withdrawalsOf(provider)
      yield* earn
      const requestedAt = yield* currentMillis
      yield* loseAnswers
      yield* assertFailed(withdraw(order), true)
      yield* upstream.heal
      assert.isFalse((yield* earnedOf(provider)).has(order.asset))
      if (find === undefined) return
      const trace = yield* find(order, { asset: order.asset, amount: earned }, requestedAt)
      if (trace._tag !== "Taken") return assert.fail(trace._tag)
      assert.strictEqual(trace.taken.amount + trace.taken.fee, earned)
      assert.strictEqual(trace.taken.destination, order.destination)
    },
  )

const refusesProvably = <R, E>(
  kit: Kit<R, E>,
  { earn, earned, order, refuse }: TreasuryFixtures<R>,
): Check<E> =>
  check(kit, "leaves everything as it is where the upstream refuses, and says so", function* (provider) {
    const { find, withdraw } = withdrawalsOf(provider)
    yield* earn
    yield* refuse
    const requestedAt = yield* currentMillis
    yield* assertFailed(withdraw(order), false)
    assert.strictEqual((yield* earnedOf(provider)).get(order.asset), earned)
    if (find === undefined) return
    const trace = yield* find(order, { asset: order.asset, amount: earned }, requestedAt)
    assert.notStrictEqual(trace._tag, "Taken")
  })

/** What the provider says of the operator's account, and how it withdraws from it. */
export const treasury = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { treasury } = kit.fixtures
  return grouped("the operator's account", [
    tells(kit),
    ...(treasury === undefined
      ? []
      : [withdrawsOnce(kit, treasury), findsLost(kit, treasury), refusesProvably(kit, treasury)]),
  ])
}
