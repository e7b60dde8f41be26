import { it as given, type Vitest } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import type { TestContext, TestOptions } from "vitest"

export { assert, describe, layer } from "@effect/vitest"

/** A test as an Effect, or the steps of one: what `Effect.gen` takes. */
type Body<Args extends ReadonlyArray<unknown>> = (
  ...args: Args
) =>
  | Effect.Effect<unknown, unknown, Scope.Scope>
  | Generator<Effect.Effect<unknown, unknown, Scope.Scope>, unknown, never>

const toEffect = <Args extends ReadonlyArray<unknown>>(body: Body<Args>) => (...args: Args) =>
  Effect.suspend(() => {
    const made = body(...args)
    return Effect.isEffect(made) ? made : Effect.gen(() => made)
  })

type Limit = number | TestOptions

const takingSteps = (test: Vitest.Tester<Scope.Scope>) =>
  Object.assign(
    (name: string, body: Body<[TestContext]>, limit?: Limit) => test(name, toEffect(body), limit),
    {
      each: <T>(rows: ReadonlyArray<T>) => (name: string, body: Body<[T, TestContext]>, limit?: Limit) =>
        test.each(rows)(name, toEffect(body), limit),
      prop: test.prop,
    },
  )

/** The `it` of `@effect/vitest`, whose Effects may be written as their steps: `it.effect(name, function* () {…})`. */
export const it = Object.assign(given.extend({}), {
  effect: takingSteps(given.effect),
  live: takingSteps(given.live),
})
