import "./platform/plainFibers.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer, Logger, References } from "effect"
import { operatorLayer } from "./cli/operatorLayer.ts"
import { run } from "./cli/run.ts"
import { runCommand } from "./platform/runMain.ts"

/** Standard output is the command's alone. */
const logging = Layer.merge(
  Logger.layer([Logger.withConsoleError(Logger.formatSimple)]),
  Layer.succeed(References.MinimumLogLevel, "Error"),
)

runCommand(run(Deno.args, operatorLayer).pipe(Effect.provide([NodeServices.layer, logging])))
