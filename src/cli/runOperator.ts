import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { run } from "./cli.ts"
import { type OperatorHandlers, operatorLayer } from "./operator.ts"

/** Runs the operator's command that the arguments name, to its exit code. */
export const operate = (args: ReadonlyArray<string>, handlers: OperatorHandlers) =>
  run(args, operatorLayer(handlers)).pipe(Effect.provide(NodeServices.layer))
