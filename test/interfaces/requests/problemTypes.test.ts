import { assert, it } from "@effect/vitest"
import type { Effect } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { BadRequest, Conflict, NotFound, type ServiceUnavailable } from "#api/Problems.ts"
import type { StoreUnavailable } from "#domain/StoreError.ts"
import type { SwapNotFound } from "#domain/swaps/SwapRecord.ts"
import type { ProblemOf } from "#interfaces/requests/problems.ts"

type Equals<One, Other> = [One] extends [Other] ? [Other] extends [One] ? true : false : false

/** Does not compile unless what it is given is true. */
const expectType = <_ extends true>(): void => undefined

const whole = HttpApiEndpoint.get("whole", "/whole", { error: [BadRequest, NotFound, Conflict] })
const without = HttpApiEndpoint.get("without", "/without", { error: [BadRequest, Conflict] })

/** Whether a handler of the endpoint may fail so. */
type MayFail<Endpoint extends HttpApiEndpoint.Constraint, E> = (() => Effect.Effect<never, E>) extends
  HttpApiEndpoint.Handler<Endpoint, never, never> ? true : false

it("tells failures as the problems that endpoints declare, and no endpoint answers with another", () => {
  expectType<Equals<ProblemOf<SwapNotFound>, NotFound>>()
  expectType<Equals<ProblemOf<SwapNotFound | StoreUnavailable>, NotFound | ServiceUnavailable>>()
  expectType<Equals<MayFail<typeof whole, NotFound>, true>>()
  expectType<Equals<MayFail<typeof without, NotFound>, false>>()
  assert.notStrictEqual(whole.error.size, without.error.size)
})
