import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { TransactionTrace } from "#providers/Provider.ts"
import type { Channels } from "../Fixtures.ts"
import { channelsOf, type Check, check, isNotPossible, type Kit, lookAt, openAs } from "./kit.ts"

/** How often a deposit that was just made is asked after. */
const patience = 1_000

const findsChannel = <R, E>(kit: Kit<R, E>, { deposit }: Channels<R>): Check<E> =>
  check(
    kit,
    "finds the channel of a deposit by its transaction, and no channel by another one",
    function* (provider) {
      const findTransaction = channelsOf(provider).findTransaction ??
        assert.fail(`${provider.name} finds no transactions`)
      const { lookEvery, offers: [{ amount }], request } = kit.fixtures
      yield* openAs(provider, request)
      const opened = yield* openAs(provider, request)
      yield* deposit(opened, opened.channel.exactAmount ?? amount)
      const look = Effect.map(
        lookAt(provider, opened, opened.status),
        Option.flatMapNullishOr(({ deposit }) => deposit?.transactionReference),
      )
      const seen = yield* look.pipe(
        Effect.tap((found) => Option.isNone(found) ? TestClock.adjust(lookEvery) : Effect.void),
        Effect.repeat({ until: Option.isSome, times: patience }),
      )
      const transaction = yield* Effect.orDie(Effect.fromOption(seen))
      const trace = Option.getOrThrow(yield* findTransaction(transaction))
      assert(TransactionTrace.$is("Deposit")(trace), "a deposit is none of a vault swap")
      assert.deepStrictEqual(trace.channel, opened.channel.id)
      assert.strictEqual(trace.said?.status.deposit?.transactionReference ?? transaction, transaction)
      const backwards = [...transaction].toReversed().join("")
      assert.isTrue(Option.isNone(yield* findTransaction(backwards)))
    },
  )

const findsNone = <R, E>(kit: Kit<R, E>, reason: string): Check<E> =>
  check(
    kit,
    `finds no channel by a transaction: ${reason}`,
    (provider) => Effect.sync(() => assert.notProperty(channelsOf(provider), "findTransaction")),
  )

/** Deposits to channels, found by their transactions. */
export const deposits = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> => {
  const { channels } = kit.fixtures
  if (isNotPossible(channels)) return []
  return [
    channels.deposits === "found" ? findsChannel(kit, channels) : findsNone(kit, channels.deposits.reason),
  ]
}
