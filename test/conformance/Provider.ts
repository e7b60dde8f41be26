import { describe } from "@effect/vitest"
import type { Layer } from "effect"
import type { Fixtures } from "./Fixtures.ts"
import type { Subject, Upstream } from "./Subject.ts"
import { assets } from "./verbs/assets.ts"
import { deposits } from "./verbs/deposits.ts"
import { endings } from "./verbs/endings.ts"
import { failures } from "./verbs/failures.ts"
import { features } from "./verbs/features.ts"
import { openings } from "./verbs/openings.ts"
import { payloads } from "./verbs/payloads.ts"
import { quotes } from "./verbs/quotes.ts"
import { unknown } from "./verbs/unknown.ts"

/**
 * What every provider has to keep to, whatever its upstream: each test gets a world of its own from `layer`
 * and speaks to it in the verbs of the domain. `R` is what the fixtures themselves need of that world.
 */
export const suite = <R, E>(
  name: string,
  layer: Layer.Layer<Subject | Upstream | R, E>,
  fixtures: Fixtures<R>,
): void => {
  describe(`The provider ${name}`, () => {
    const kit = { layer, fixtures }
    assets(kit)
    quotes(kit)
    openings(kit)
    features(kit)
    endings(kit)
    payloads(kit)
    deposits(kit)
    unknown(kit)
    failures(kit)
  })
}
