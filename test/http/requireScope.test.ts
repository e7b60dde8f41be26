import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AccountId, CurrentAccount, Scope } from "../../src/domain/Account.ts"
import { noBps } from "../../src/domain/Bps.ts"
import { requireScope } from "../../src/http/requireScope.ts"
import { toProblem } from "../../src/http/toProblem.ts"

const calling = (scopes: ReadonlyArray<Scope>) => ({
  id: AccountId.make(1),
  name: "an integrator",
  commissionBps: noBps,
  scopes,
})

describe("requireScope", () => {
  it.effect("lets through whoever has the scope", () =>
    requireScope("operate").pipe(Effect.provideService(CurrentAccount, calling(["quote", "operate"]))))

  it.effect("answers everybody else with a 403 that has no code and names the scope", () =>
    Effect.gen(function* () {
      const others = Scope.literals.filter((scope) => scope !== "operate")
      const missing = yield* Effect.flip(
        Effect.provideService(requireScope("operate"), CurrentAccount, calling(others)),
      )
      assert.deepStrictEqual(toProblem(missing), {
        status: 403,
        detail: 'This API key has no scope "operate", which this endpoint needs',
      })
    }))
})
