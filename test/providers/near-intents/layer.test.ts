import { assert, describe, it, TestClock } from "../support.ts"
import { Effect, Layer, Option, Ref, type Scope } from "effect"
import type { Provider } from "#providers/Provider.ts"
import { Registry } from "#providers/Registry.ts"
import { fakeOneClick, options, type Script } from "./fakeOneClick.ts"
import { layer } from "#providers/near-intents/provider.ts"

/** A registry that only takes note. */
const registryInto = (registered: Ref.Ref<Option.Option<Provider>>) =>
  Layer.mock(Registry, {
    register: (provider: Provider): Effect.Effect<void, never, Scope.Scope> =>
      Effect.acquireRelease(
        Ref.set(registered, Option.some(provider)),
        () => Ref.set(registered, Option.none()),
      ),
  })

const running = Effect.fnUntraced(function* (script: Script) {
  const { asked, layer: http } = fakeOneClick(script)
  const registered = yield* Ref.make(Option.none<Provider>())
  const scope = layer({ ...options, catalogueMaxAge: "1 hour" }).pipe(
    Layer.provide(Layer.merge(http, registryInto(registered))),
  )
  return { asked, registered, scope }
})

describe("The NEAR Intents provider's layer", () => {
  it.effect("registers it while it lives and fetches its tokens beside that, again and again", function* () {
    const { asked, registered, scope } = yield* running({})
    const name = yield* Effect.gen(function* () {
      yield* TestClock.adjust("150 minutes")
      return Option.map(yield* Ref.get(registered), (provider) => provider.name)
    }).pipe(Effect.provide(scope))
    assert.deepStrictEqual<unknown>(name, Option.some("near-intents"))
    assert.deepStrictEqual(asked.map(({ url }) => url.pathname), Array(3).fill("/near-intents/v0/tokens"))
    assert.isTrue(Option.isNone(yield* Ref.get(registered)))
    yield* TestClock.adjust("1 day")
    assert.strictEqual(asked.length, 3)
  })

  it.effect("starts although the service is away", function* () {
    const { registered, scope } = yield* running({ tokens: { status: 503, body: "" } })
    const isThere = yield* Effect.map(Ref.get(registered), Option.isSome).pipe(Effect.provide(scope))
    assert.isTrue(isThere)
  })
})
