import { Effect, Layer } from "effect"
import { runCommand, runMain } from "./platform/runMain.ts"
import { printSettings, standalone } from "./sandbox/standalone.ts"
import { readSettings } from "./settings.ts"

if (Deno.args.includes("--env")) runCommand(Effect.as(Effect.flatMap(readSettings, printSettings), 0))
else runMain(Layer.unwrap(Effect.map(readSettings, standalone)))
