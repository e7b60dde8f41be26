import "../platform/plainFibers.ts"
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { app } from "../App.ts"
import { run } from "../cli/cli.ts"
import { operatorLayer } from "../cli/operator.ts"
import { operatorHandlers } from "../http/Operator.ts"
import { runCommand, runMain } from "../platform/runMain.ts"
import type { ProviderDefinition } from "../providers/definition.ts"
import { builtIn, ProviderDefinitions } from "../providers/mod.ts"
import { readSettings } from "../settings.ts"

export { app, builtIn, ProviderDefinitions, readSettings, runMain }
export type { MoreProviders } from "../App.ts"

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
export const cli = (more: ReadonlyArray<ProviderDefinition> = []): void =>
  runCommand(
    run(Deno.args, operatorLayer(operatorHandlers)).pipe(
      Effect.provide([NodeServices.layer, definitions(more)]),
    ),
  )
