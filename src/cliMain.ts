import "./platform/plainFibers.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { operatorLayer } from "./cli/operatorLayer.ts"
import { run } from "./cli/run.ts"
import { runCommand } from "./platform/runMain.ts"

runCommand(run(Deno.args, operatorLayer).pipe(Effect.provide(NodeServices.layer)))
