import { it as given, layer as givenLayer, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import type { TestContext, TestOptions } from "vitest"

export { assert, describe } from "@effect/vitest"

/** A test as an Effect, or the steps of one: what `Effect.gen` takes. `R` is what it may ask for. */
type Body<Args extends ReadonlyArray<unknown>, R> = (
  ...args: Args
) => Effect.Effect<unknown, unknown, R> | Generator<Effect.Effect<unknown, unknown, R>, unknown, never>

const toEffect = <Args extends ReadonlyArray<unknown>, R>(body: Body<Args, R>) => (...args: Args) =>
  Effect.suspend(() => {
    const made = body(...args)
    return Effect.isEffect(made) ? made : Effect.gen(() => made)
  })

type Limit = number | TestOptions

const takingSteps = <R>(test: Vitest.Tester<R>) =>
  Object.assign(
    (name: string, body: Body<[TestContext], R>, limit?: Limit) => test(name, toEffect(body), limit),
    {
      each: <T>(rows: ReadonlyArray<T>) => (name: string, body: Body<[T, TestContext], R>, limit?: Limit) =>
        test.each(rows)(name, toEffect(body), limit),
      prop: test.prop,
    },
  )

/** The `it` of `@effect/vitest`, whose Effects may be written as their steps: `it.effect(name, function* () {…})`. */
export const it = Object.assign(given.extend({}), {
  effect: takingSteps(given.effect),
  live: takingSteps(given.live),
})

/** The `layer` of `@effect/vitest`, whose tests may be written in the same way. */
export const layer = <R, E>(shared: Layer.Layer<R, E>, options?: Parameters<typeof givenLayer>[1]) =>
(
  name: string,
  tests: (it: { readonly effect: ReturnType<typeof takingSteps<R | Scope.Scope>> }) => void,
): void => givenLayer(shared, options)(name, ({ effect }) => tests({ effect: takingSteps(effect) }))
