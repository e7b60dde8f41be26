import { Effect, Layer } from "effect"
import type { HttpClient } from "effect/http"
import { Registry } from "../Registry.ts"
import type { Options } from "./Options.ts"
import { make } from "./provider.ts"

/** Registers the provider for as long as the layer lives. Asks the upstream nothing by itself. */
export const layer = (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registry = yield* Registry
    yield* registry.register(yield* make(options))
  }))
