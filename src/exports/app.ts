import "#infrastructure/platform/plainFibers.ts"
import "effect/schema/SchemaJITCompiler/enable"
import { Effect, Layer } from "effect"
import type { MoreProviders } from "#App.ts"
import { runCommand, runMain } from "#infrastructure/platform/runMain.ts"
import type { ProviderDefinition } from "#providers/definition.ts"
import { builtIn, ProviderDefinitions } from "#providers/mod.ts"
import { completeCatalogue } from "#providers/completeCatalogue.ts"
import type { Settings } from "#settings.ts"

export { builtIn, ProviderDefinitions, runMain }

// What reads the whole catalogue is loaded once it is complete.

/** The settings of this process, once its catalogue is complete. */
export const readSettings = Effect.gen(function* () {
  yield* completeCatalogue
  const { readSettings } = yield* Effect.promise(() => import("#settings.ts"))
  return yield* readSettings
})

/** The service with these settings; a layer that registers a provider in some other way is the second argument. */
export const app = (settings: Settings, more?: MoreProviders) =>
  Layer.unwrap(Effect.map(Effect.promise(() => import("#App.ts")), ({ app }) => app(settings, more)))

export type { MoreProviders } from "#App.ts"

const definitions = (more: ReadonlyArray<ProviderDefinition>) =>
  Layer.succeed(ProviderDefinitions, [...builtIn, ...more])

/**
 * Runs the service, as `deno task start` does, with further providers: their settings are read, shown and checked like
 * those of the providers of this build.
 */
export const start = (more: ReadonlyArray<ProviderDefinition> = []): void =>
  runMain(
    Layer.unwrap(Effect.map(readSettings, (settings) => app(settings))).pipe(
      Layer.provide(definitions(more)),
    ),
  )

/** Runs one of the operator's commands, as `deno task cli` does, with further providers: the doctor checks them, too. */
export const cli = (
  more: ReadonlyArray<ProviderDefinition> = [],
  args: ReadonlyArray<string> = Deno.args,
): void =>
  runCommand(
    Effect.gen(function* () {
      yield* completeCatalogue
      const { operatorHandlers } = yield* Effect.promise(() => import("#interfaces/http/Operator.ts"))
      const { operate } = yield* Effect.promise(() => import("#cli/runOperator.ts"))
      return yield* operate(args, operatorHandlers)
    }).pipe(Effect.provide(definitions(more))),
  )
