import "./platform/plainFibers.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { run } from "./cli/cli.ts"
import { operatorLayer } from "./cli/operator.ts"
import { runCommand } from "./platform/runMain.ts"

runCommand(run(Deno.args, operatorLayer).pipe(Effect.provide(NodeServices.layer)))
