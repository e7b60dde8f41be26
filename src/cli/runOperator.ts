import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { runCommand } from "../platform/runMain.ts"
import { run } from "./cli.ts"
import { operatorLayer } from "./operator.ts"

/** Runs the operator's command that the arguments name, and ends the process with its exit code. */
export const runOperator = (args: ReadonlyArray<string>): void =>
  runCommand(run(args, operatorLayer).pipe(Effect.provide(NodeServices.layer)))
