import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import type { NativeAmount } from "../../../src/domain/Amount.ts"
import type { SwapStatus } from "../../../src/domain/Swap.ts"
import type { SwapRequest } from "../../../src/domain/SwapRequest.ts"
import type { OpenedChannel, Provider } from "../../../src/providers/Provider.ts"
import type { Ending, EndingName, Fixtures } from "../Fixtures.ts"
import { assertForward, assertPaid, assertTold } from "./assertEnding.ts"
import { follow } from "./follow.ts"
import { allBut, inItsOwnWorld, isNotPossible, type Kit } from "./kit.ts"
import { toStatus } from "../../support/toStatus.ts"
import { channelsOf } from "../../support/channelsOf.ts"

/** How each ending has to look. */
const assertEnd: Readonly<Record<EndingName, (end: SwapStatus, untold: Fixtures<never>["untold"]) => void>> =
  {
    completed: (end) => {
      assert.strictEqual(end.state, "completed")
      assertPaid(end.swapEgress, { transaction: true })
      assert.notProperty(end, "refundEgress")
    },
    refunded: (end, { refundTransaction }) => {
      assert.strictEqual(end.state, "completed", "a refund ends as completed (decision 23)")
      assertPaid(end.refundEgress, { transaction: refundTransaction === undefined })
      assert.notProperty(end, "swapEgress")
    },
    failed: (end) => {
      assert.strictEqual(end.state, "failed")
      const failures = [end.deposit, end.swapEgress, end.refundEgress].flatMap((part) => part?.failure ?? [])
      assert.isAbove(failures.length, 0, "nothing says why")
      failures.forEach(({ mode, reason }) => assert.isTrue(mode !== "" && reason.message !== ""))
    },
  }

const followChannel = (
  provider: Provider,
  { channel, status }: OpenedChannel,
  lookEvery: Fixtures<never>["lookEvery"],
) => follow((known) => toStatus(channelsOf(provider).status(channel.id, known)), status, lookEvery)

/** What the regular quote for the request promises. */
const quotedEgress = (provider: Provider, request: SwapRequest, amount: NativeAmount) =>
  Effect.map(
    provider.quotes({ ...request, amount }),
    (quotes) => quotes.find(({ dca }) => dca === undefined)?.egress.amount,
  )

const paysAsQuoted = <R, E>(kit: Kit<R, E>, { deposit, request }: Ending<R>): void =>
  it.effect("as completed, with what was quoted, while prices stand still", () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const quoted = yield* quotedEgress(provider, request, deposit)
        const opened = yield* channelsOf(provider).open({ ...request, amount: deposit })
        yield* upstream.deposit(opened, deposit)
        const history = yield* followChannel(provider, opened, kit.fixtures.lookEvery)
        assert.isDefined(quoted)
        assert.strictEqual(history.at(-1)?.swapEgress?.amount, quoted)
      })))

const endsAs = <R, E>(kit: Kit<R, E>, name: EndingName, ending: Ending<R>): void =>
  it.effect(`as ${name}`, () =>
    inItsOwnWorld(kit, (provider, upstream) =>
      Effect.gen(function* () {
        const opened = yield* channelsOf(provider).open(ending.request)
        yield* ending.conditions?.(opened) ?? Effect.void
        yield* upstream.deposit(opened, ending.deposit)
        const history = yield* followChannel(provider, opened, kit.fixtures.lookEvery)
        assert.strictEqual(opened.status.state, "waiting")
        assertForward(history)
        assertTold(history, kit.fixtures.untold)
        const end = history.at(-1) ?? opened.status
        assert.strictEqual(end.deposit?.amount, ending.deposit)
        assertEnd[name](end, kit.fixtures.untold)
        yield* TestClock.adjust("1 hour")
        const later = yield* toStatus(channelsOf(provider).status(opened.channel.id, end))
        assert.deepStrictEqual(Option.map(later, ({ state }) => state), Option.some(end.state))
      })))

/** Swaps, from the deposit to each of their ends. */
export const endings = <R, E>(kit: Kit<R, E>): void => {
  describe(`follows a swap to its end${allBut({ ...kit.fixtures.endings, ...kit.fixtures.untold })}`, () => {
    const { completed } = kit.fixtures.endings
    if (!isNotPossible(completed)) paysAsQuoted(kit, completed)
    for (const name of ["completed", "refunded", "failed"] as const) {
      const ending = kit.fixtures.endings[name]
      if (!isNotPossible(ending)) endsAs(kit, name, ending)
    }
  })
}
