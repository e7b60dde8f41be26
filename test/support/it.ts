import { it as effectIt, layer as effectLayer, type Vitest } from "@effect/vitest"
import { Effect } from "effect"

export { afterAll, assert, describe, vi } from "@effect/vitest"

/** What a test does: a generator of effects, as of `Effect.gen`, or what gives an effect. */
type Body<Given, R> = (given: Given) => Made<R>

type Made<R> =
  | Effect.Effect<unknown, unknown, R>
  | Generator<Effect.Effect<unknown, unknown, R>, unknown, never>

type Options = Parameters<typeof effectIt.effect>[2]

const effectOf = <Given, R>(body: Body<Given, R>) => (given: Given): Effect.Effect<unknown, unknown, R> =>
  Effect.suspend(() => {
    const made = body(given)
    return Effect.isEffect(made) ? made : Effect.gen(() => made)
  })

const tester = <R>(under: Vitest.Tester<R>) =>
  Object.assign(
    (name: string, body: Body<unknown, R>, options?: Options) => under(name, effectOf(body), options),
    {
      each: <Row>(rows: ReadonlyArray<Row>) => (name: string, body: Body<Row, R>, options?: Options) =>
        under.each(rows)(name, effectOf(body), options),
      prop: under.prop,
    },
  )

const withGenerators = <R>(under: Vitest.MethodsNonLive<R>) =>
  Object.assign(under.extend({}), { effect: tester(under.effect), prop: under.prop })

/** What the tests of a layer are declared with. */
export type Tests<R> = ReturnType<typeof withGenerators<R>>

/** As `it` of `@effect/vitest`, where a test may be a generator: `it.effect("…", function* () { … })`. */
export const it = Object.assign(withGenerators(effectIt), { live: tester(effectIt.live) })

/** As `layer` of `@effect/vitest`, with this `it`. */
export const layer = <R, E>(...given: Parameters<typeof effectLayer<R, E>>) => {
  const under = effectLayer(...given)
  return (name: string, tests: (it: Tests<R>) => void) => under(name, (it) => tests(withGenerators(it)))
}
