import { assert, describe, it } from "#test/support/it.ts"
import { stateOf } from "#interfaces/payer/payerState.ts"
import { Duration, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { asksForPayment, hasFreshStatus } from "#domain/swaps/Guidance.ts"
import { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import type { SwapStanding } from "#domain/swaps/SwapRecord.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { Guide } from "#application/guidance/Guide.ts"
import { AssetCatalogue } from "#providers/AssetCatalogue.ts"
import { Overview, Registry } from "#providers/Registry.ts"
import { provider } from "#test/application/alerts/support/alerts.ts"
import { standing } from "#test/application/alerts/support/standing.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { expired, freshStanding, statusIn, statusWithDeposit } from "#test/support/swap.ts"

type Circuit = "Closed" | "Open" | "HalfOpen"

/** The guide while the circuit of look-ups at the provider is in this state. */
const guide = (status: Circuit) =>
  Guide.layer({ isSimulated: () => true }).pipe(Layer.provide([
    Layer.mock(Registry, {
      find: () => Effect.succeedSome(new ScriptedProvider("first")),
      mayCall: () => Effect.void,
    }),
    Layer.mock(AssetCatalogue, { maxAge: Duration.minutes(1), standings: Effect.succeed([]) }),
    Layer.mock(Overview, { find: () => Effect.succeed(Option.some(standing({ status }))) }),
  ]))

/** The phases that integrator and payer are told so many seconds after the last look-up. */
const told = (
  status: SwapStatus,
  { circuit = "Closed", failures = 0, seconds = 1 }: {
    readonly circuit?: Circuit
    readonly failures?: number
    readonly seconds?: number
  },
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(seconds * 1_000)
    const known: SwapStanding = { ...freshStanding, lookupFailures: failures }
    const swap = { id: SwapRecordId.make(1), platform: provider, status, standing: known }
    const { payer, swap: integrator } = yield* Guide
    const phase = (yield* integrator(swap)).phase
    const forPayer = yield* payer(swap)
    assert.strictEqual(forPayer.phase, phase)
    return { phase, since: forPayer.since, state: stateOf(forPayer.phase, forPayer.told.isSeen) }
  }).pipe(Effect.provide(guide(circuit)))

const waiting = statusIn("waiting")

describe("A swap that waits for its deposit", () => {
  it.effect("is asked to be paid while its provider tells of it", function* () {
    for (const how of [{}, { seconds: 44 }, { failures: 1 }]) {
      const { phase, state } = yield* told(waiting, how)
      assert.isTrue(asksForPayment(phase), phase)
      assert.strictEqual(state, "waiting")
    }
  })

  it.effect("is not, once its provider cannot be asked, fails, or was not asked in time", function* () {
    const unheard = [{ circuit: "Open" }, { circuit: "HalfOpen" }, { failures: 2 }, { seconds: 46 }] as const
    for (const how of unheard) {
      assert.deepStrictEqual(yield* told(waiting, how), {
        phase: "provider_silent",
        since: EpochMillis.make(0),
        state: "stop",
      })
    }
    assert.isFalse(hasFreshStatus("provider_silent"))
    assert.isTrue(hasFreshStatus("provider_switched_off"))
  })
})

describe("A swap under way", () => {
  it.effect("is told to be unheard of while its provider cannot be asked, and not for its age alone", function* () {
    const receiving = statusWithDeposit("receiving", "a".repeat(64))
    const phaseOf = (how: Parameters<typeof told>[1]) =>
      Effect.map(told(receiving, how), ({ phase }) => phase)
    assert.strictEqual(yield* phaseOf({ circuit: "Open" }), "provider_silent")
    assert.strictEqual(yield* phaseOf({ failures: 3 }), "provider_silent")
    assert.strictEqual(yield* phaseOf({ failures: 2, seconds: 60 }), "deposit_seen")
  })

  it.effect("is told by its record alone once it is over", function* () {
    const over = expired(statusWithDeposit("completed", "a".repeat(64)))
    const { phase } = yield* told(over, { circuit: "Open", failures: 9, seconds: 900 })
    assert.isTrue(hasFreshStatus(phase), phase)
  })
})
