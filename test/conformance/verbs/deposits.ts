import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Provider, TransactionTrace } from "../../../src/providers/Provider.ts"
import { toStatus } from "../../support/toStatus.ts"
import { inItsOwnWorld, type Kit } from "./kit.ts"
import { channelsOf } from "../../support/channelsOf.ts"

/** How often a deposit that was just made is asked after. */
const patience = 1_000

const findTransactionOf = (provider: Provider) =>
  Effect.sync(() =>
    channelsOf(provider).findTransaction ?? assert.fail(`${provider.name} finds no transactions`)
  )

const findsChannel = <R, E>(kit: Kit<R, E>): void =>
  it.effect("finds the channel of a deposit by its transaction, and no channel by another one", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const findTransaction = yield* findTransactionOf(provider)
        const { lookEvery, offers: [{ amount }], request } = kit.fixtures
        yield* channelsOf(provider).open(request)
        const { channel, status } = yield* channelsOf(provider).open(request)
        yield* upstream.deposit({ channel, status }, amount)
        const look = Effect.map(
          toStatus(channelsOf(provider).status(channel.id, status)),
          Option.flatMapNullishOr(({ deposit }) => deposit?.transactionReference),
        )
        const seen = yield* look.pipe(
          Effect.tap((found) => Option.isNone(found) ? TestClock.adjust(lookEvery) : Effect.void),
          Effect.repeat({ until: Option.isSome, times: patience }),
        )
        const transaction = yield* Effect.orDie(Effect.fromOption(seen))
        assert.deepStrictEqual(
          yield* findTransaction(transaction),
          Option.some(TransactionTrace.Deposit({ channel: channel.id })),
        )
        const backwards = [...transaction].toReversed().join("")
        assert.isTrue(Option.isNone(yield* findTransaction(backwards)))
      })))

const findsNone = <R, E>(kit: Kit<R, E>, reason: string): void =>
  it.effect(`finds no channel by a transaction: ${reason}`, () =>
    inItsOwnWorld(
      kit,
      (provider) => Effect.sync(() => assert.notProperty(provider.channels ?? {}, "findTransaction")),
    ))

/** Deposits to channels, found by their transactions. */
export const deposits = <R, E>(kit: Kit<R, E>): void => {
  const possible = kit.fixtures.deposits
  return possible === "found" ? findsChannel(kit) : findsNone(kit, possible.reason)
}
