import { makeWith } from "./memory/provider.ts"
import { memoryWorld } from "./memory/world.ts"
import { type Variant, variants } from "./memory/variants.ts"
import { suite } from "./Provider.ts"

for (const { fixtures, name, traits } of Object.values<Variant>(variants)) {
  suite(name, makeWith(traits), memoryWorld, fixtures)
}
