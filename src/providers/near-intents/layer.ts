import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { Registry } from "../Registry.ts"
import * as Catalogue from "./Catalogue.ts"
import * as OneClick from "./client/OneClick.ts"
import type { Options } from "./Options.ts"
import { make } from "./provider.ts"

/**
 * Registers the NEAR Intents provider for as long as the layer lives, and keeps its catalogue of tokens
 * fresh beside it: the start does not wait for the upstream.
 */
export const layer = (options: Options): Layer.Layer<never, never, Registry | HttpClient.HttpClient> =>
  Layer.effectDiscard(Effect.gen(function* () {
    const registry = yield* Registry
    const client = OneClick.make(yield* HttpClient.HttpClient, options)
    const catalogue = yield* Catalogue.make(client, options.catalogueMaxAge, options.lookupTimeout)
    yield* registry.register(make(options, client, catalogue))
    yield* Effect.forkScoped(catalogue.keepFresh)
  }))
