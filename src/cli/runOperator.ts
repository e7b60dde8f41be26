import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { runCommand } from "../platform/runMain.ts"
import { run } from "./cli.ts"
import { operatorLayer } from "./operator.ts"
import type { OperatorHandlers } from "./overDatabase.ts"

/** Runs the operator's command that the arguments name, and ends the process with its exit code. */
export const runOperator = (args: ReadonlyArray<string>, handlers: OperatorHandlers): void =>
  runCommand(run(args, operatorLayer(handlers)).pipe(Effect.provide(NodeServices.layer)))
