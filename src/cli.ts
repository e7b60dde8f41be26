import "./platform/plainFibers.ts"
import { runOperator } from "./cli/runOperator.ts"

runOperator(Deno.args)
