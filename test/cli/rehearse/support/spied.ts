import { Effect, Layer, Result } from "effect"
import type { ProviderOptions } from "#providers/definition.ts"
import { builtIn } from "#providers/mod.ts"
import { type Around, intercept } from "#providers/operations.ts"
import { Registry } from "#providers/Registry.ts"

/** Every provider of this build, with `around` around each call of its port. */
export const spied = (around: Around) => {
  const spying = Layer.effect(
    Registry,
    Effect.map(Registry, (registry) =>
      Registry.of({
        ...registry,
        register: (provider) => registry.register(intercept(provider, around)),
      })),
  )
  return builtIn.map((definition) => ({
    ...definition,
    read: (found: Parameters<typeof definition.read>[0]) =>
      Result.map(definition.read(found), (configured) => ({
        ...configured,
        layer: (surroundings: ProviderOptions) => Layer.provide(configured.layer(surroundings), spying),
      })),
  }))
}
