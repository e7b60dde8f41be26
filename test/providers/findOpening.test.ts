import { assert, describe, it, swapRequest } from "./support.ts"
import { Context, Effect, Layer } from "effect"
import { EpochMillis, type ProviderSwitch, TimedOut } from "#exports/domain.ts"
import { Guard } from "#providers/guard/Guard.ts"
import { nothingListed, OpeningTrace } from "#providers/Provider.ts"
import { ScriptedProvider } from "#test/support/provider.ts"
import { guardLayer } from "./guard/support.ts"
import { switched, Switches } from "#providers/Switches.ts"

const at = EpochMillis.make(0)

const finding = (find: NonNullable<ScriptedProvider["findOpening"]>) => {
  const provider = new ScriptedProvider("first")
  provider.findOpening = find
  return provider
}

const nothingOpened = () => Effect.succeed(OpeningTrace.NothingOpened())

const under = (provider: ScriptedProvider, ...off: ReadonlyArray<Pick<ProviderSwitch, "operation">>) =>
  switched(
    Switches.of({
      current: () =>
        Effect.succeed(off.map((what) => ({
          ...what,
          platform: provider.name,
          enabled: false,
          reason: "test",
          changedBy: "default",
          changedAt: at,
        }))),
      set: () => Effect.die("is not asked for"),
    }),
    provider,
  )

describe("Looking an opening up", () => {
  it.effect("is guarded like a status, and counts as one", function* () {
    const guard = Context.get(yield* Layer.build(guardLayer()), Guard)
    const provider = finding(nothingOpened)
    const wrapped = guard.wrap(provider)
    assert.deepStrictEqual(
      yield* wrapped.channels?.findOpening?.(swapRequest, at, nothingListed) ?? Effect.void,
      {
        _tag: "NothingOpened",
      },
    )
    provider.findOpening = () =>
      Effect.fail(provider.fails(new TimedOut({ detail: "no answer", reached: true })))
    const failing = guard.wrap(provider)
    yield* Effect.flip(
      failing.channels?.findOpening?.(swapRequest, at, nothingListed) ?? Effect.die("it cannot"),
    )
    const view = yield* guard.view(provider.name)
    assert.deepInclude(view.status.calls, { succeeded: 1, failed: 1 })
    assert.deepInclude(view.open.calls, { succeeded: 0, failed: 0 })
  })

  it.effect("goes on while a provider is switched off, but for its status", function* () {
    const provider = finding(nothingOpened)
    yield* under(provider, {}).channels?.findOpening?.(swapRequest, at, nothingListed) ??
      Effect.die("it cannot")
    const off = under(provider, { operation: "status" })
    const error = yield* Effect.flip(
      off.channels?.findOpening?.(swapRequest, at, nothingListed) ?? Effect.die("it cannot"),
    )
    assert.strictEqual(error.reason._tag, "NotCalled")
  })

  it.effect("stays impossible where the provider cannot", function* () {
    const guard = Context.get(yield* Layer.build(guardLayer()), Guard)
    const provider = new ScriptedProvider("first")
    assert.notProperty(guard.wrap(provider), "findOpening")
    assert.notProperty(under(provider), "findOpening")
  })
})
