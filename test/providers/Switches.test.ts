import { assert, describe, it, TestClock } from "./support.ts"
import { Effect, Exit, Layer } from "effect"
import { actorName, ProviderName, type ProviderSwitch, StoreUnavailable } from "#exports/domain.ts"
import { Switches } from "#providers/Switches.ts"
import { SwitchesRepo } from "#infrastructure/store/accounts/SwitchesRepo.ts"
import { operator } from "#test/support/account.ts"

const platform = ProviderName.make("first")
const off = { platform, enabled: false, reason: "its prices are off" } as const
const on = { platform, enabled: true, reason: "well again" } as const

/** Records that several replicas share, and that can be away. */
const records = () => {
  const rows: Array<ProviderSwitch> = []
  const state = { away: false }
  const whenThere = <A>(value: () => A) =>
    Effect.suspend(() =>
      state.away
        ? Effect.fail(new StoreUnavailable({ operation: "Switches", cause: "away" }))
        : Effect.sync(value)
    )
  const repo = SwitchesRepo.of({
    add: (change, { actor, at }) =>
      whenThere(() => void rows.push({ ...change, changedBy: actorName(actor), changedAt: at })),
    latest: whenThere(() => rows.slice(-1)),
  })
  const replica = Layer.build(Switches.layer.pipe(Layer.provide(Layer.succeed(SwitchesRepo, repo)))).pipe(
    Effect.flatMap((context) => Effect.provide(Switches, context)),
  )
  return { state, replica }
}

const reasons = (switches: Switches["Service"]) =>
  Effect.map(switches.current(platform), (all) => all.map(({ reason }) => reason))

describe("Switches", () => {
  it.effect("are in force at once where they are set, with who and when", function* () {
    yield* TestClock.setTime(1_785_333_864_000)
    const switches = yield* records().replica
    assert.deepStrictEqual(yield* switches.current(platform), [])
    yield* switches.set(off, operator)
    const [change] = yield* switches.current(platform)
    assert.deepStrictEqual<unknown>(change, {
      ...off,
      changedBy: "cli",
      changedAt: 1_785_333_864_000,
    })
    assert.deepStrictEqual(yield* switches.current(ProviderName.make("second")), [])
    yield* switches.set(on, operator)
    assert.deepStrictEqual(yield* switches.current(platform), [])
  })

  it.effect("are followed by other replicas within a second", function* () {
    const { replica } = records()
    const [here, there] = [yield* replica, yield* replica]
    yield* here.set(off, operator)
    assert.deepStrictEqual(yield* reasons(there), [])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* reasons(there), [off.reason])
    yield* here.set(on, operator)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* reasons(there), [])
  })

  it.effect("are in force from the start of a replica that starts later", function* () {
    const { replica } = records()
    yield* (yield* replica).set(off, operator)
    assert.deepStrictEqual(yield* reasons(yield* replica), [off.reason])
  })

  it.effect("stay as they were last known while the database is away, and are followed again after", function* () {
    const { state, replica } = records()
    const [here, there] = [yield* replica, yield* replica]
    yield* here.set(off, operator)
    yield* TestClock.adjust("1 second")
    state.away = true
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(yield* reasons(there), [off.reason])
    assert.isTrue(Exit.isFailure(yield* Effect.exit(here.set(on, operator))))
    assert.deepStrictEqual(yield* reasons(here), [off.reason])
    state.away = false
    yield* here.set(on, operator)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* reasons(there), [])
  })

  it.effect("stop the start where they cannot be read", function* () {
    const { state, replica } = records()
    state.away = true
    const error = yield* Effect.flip(replica)
    assert.strictEqual(error._tag, "StoreUnavailable")
  })
})
