import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Fiber, Layer } from "effect"
import { CircuitBreaker } from "effect/persistence"
import { TestClock } from "effect/testing"
import type { ProviderSwitch } from "#domain/operations/ProviderSwitch.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { begin, defaultKnobs } from "#test/providers/guard/support.ts"
import { after, amounts, quotes, quotingOver, says, toldBy } from "./quotingOver.ts"
import { first } from "./support.ts"
import { Budgets } from "#providers/Budgets.ts"
import { Switches } from "#providers/Switches.ts"

type What = Pick<ProviderSwitch, "operation" | "asset">

/** Quoting over one provider, what it was asked, and the operator's switch of it. */
const quoting = Effect.fnUntraced(function* (said: Parameters<typeof says>[1]) {
  let off: ReadonlyArray<ProviderSwitch> = []
  const guard = Guard.layerSwitched(defaultKnobs).pipe(
    Layer.provide([
      Layer.mock(Switches, { current: () => Effect.sync(() => off) }),
      CircuitBreaker.layerStoreMemory(),
      Budgets.layer,
    ]),
  )
  const provider = says(first, said)
  const { ask } = yield* quotingOver([provider], defaultKnobs, guard)
  return {
    ask,
    calls: provider.calls,
    switchOff: (what: What) => {
      const change = {
        enabled: false,
        reason: "it is wrong",
        changedBy: "default",
        changedAt: EpochMillis.make(0),
      }
      off = [{ ...change, ...what, platform: first }]
    },
    switchOn: () => {
      off = []
    },
  }
})

/** Each answers as it would without the answer from just before. */
const rows: ReadonlyArray<readonly [title: string, what: What, told: string]> = [
  ["a provider", {}, "NotCalled"],
  ["quoting", { operation: "quote" }, "NotCalled"],
  ["an asset of it", { asset: "eth.eth" }, "AssetDisabled"],
]

describe("Quoting under the operator's switches", () => {
  for (const [title, what, told] of rows) {
    it.effect(`serves no quote from before ${title} was switched off, until it is on again`, function* () {
      const { ask, calls, switchOff, switchOn } = yield* quoting(quotes(first, 7n))
      assert.deepStrictEqual(yield* amounts(ask()), [7n])
      switchOff(what)
      assert.deepStrictEqual(yield* toldBy(ask()), { failure: told, providers: [`first: ${told}`] })
      switchOn()
      assert.deepStrictEqual(yield* amounts(ask()), [7n])
      assert.strictEqual(calls.begun, 1)
    })
  }

  it.effect("serves quotes from just before where something else is switched off", function* () {
    const { ask, calls, switchOff } = yield* quoting(quotes(first, 7n))
    yield* ask()
    for (const what of [{ operation: "open" }, { operation: "status" }, { asset: "sol.sol" }] as const) {
      switchOff(what)
      assert.deepStrictEqual(yield* amounts(ask()), [7n])
    }
    assert.strictEqual(calls.begun, 1)
  })

  it.effect("lets nobody join a call that was begun before, but whoever began it gets the answer", function* () {
    const { ask, calls, switchOff } = yield* quoting(after(100)(quotes(first, 7n)))
    const earlier = yield* begin(amounts(ask()))
    switchOff({})
    assert.strictEqual((yield* toldBy(ask())).failure, "NotCalled")
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual(yield* Fiber.join(earlier), [7n])
    assert.strictEqual(calls.begun, 1)
  })
})
