import "./platform/plainFibers.ts"
import { runOperator } from "./cli/runOperator.ts"
import { operatorHandlers } from "./http/Operator.ts"

runOperator(Deno.args, operatorHandlers)
