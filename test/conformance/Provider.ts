import { describe, it } from "@effect/vitest"
import type { Effect, Layer, Scope } from "effect"
import type { Provider } from "#providers/Provider.ts"
import type { Fixtures } from "./Fixtures.ts"
import type { Upstream } from "./Upstream.ts"
import { assets } from "./verbs/assets.ts"
import { deposits } from "./verbs/deposits.ts"
import { endings } from "./verbs/endings.ts"
import { failures } from "./verbs/failures.ts"
import { features } from "./verbs/features.ts"
import type { Check, Kit } from "./verbs/kit.ts"
import { lies } from "./verbs/lies.ts"
import { openings } from "./verbs/openings.ts"
import { payloadEndings } from "./verbs/payloadEndings.ts"
import { payloadLookups } from "./verbs/payloadLookups.ts"
import { payloads } from "./verbs/payloads.ts"
import { quotes } from "./verbs/quotes.ts"
import { recorded } from "./verbs/recorded.ts"
import { treasury } from "./verbs/treasury.ts"
import { unknown } from "./verbs/unknown.ts"

/** Everything that a provider is asked. */
export const checksOf = <R, E>(kit: Kit<R, E>): ReadonlyArray<Check<E>> =>
  [
    assets,
    quotes,
    openings,
    lies,
    features,
    endings,
    payloads,
    payloadLookups,
    payloadEndings,
    deposits,
    treasury,
    unknown,
    failures,
    recorded,
  ].flatMap((ask) => ask(kit))

/**
 * What every provider has to keep to, whatever its upstream: each test makes the provider anew, in a world of its own,
 * and speaks to both in the verbs of the domain. `Made` is what the provider is made of, `R` what the fixtures
 * themselves need of the world.
 */
export const suite = <Made, R, E>(
  name: string,
  provider: Effect.Effect<Provider, E, Made | Scope.Scope>,
  world: Layer.Layer<Upstream | Made | R, E>,
  fixtures: Fixtures<R>,
): void => {
  describe(`The provider ${name}`, () => {
    const checks = checksOf<Made | R, E>({ provider, world, fixtures })
    for (const group of new Set(checks.map(({ group }) => group))) {
      const register = () =>
        checks.filter((check) => check.group === group).forEach(({ name, run }) => it.effect(name, () => run))
      if (group === undefined) register()
      else describe(group, register)
    }
  })
}
