import { Effect, Layer } from "effect"
import { runMain } from "./platform/runMain.ts"
import { standalone } from "./sandbox/standalone.ts"
import { readSettings } from "./settings.ts"

runMain(Layer.unwrap(Effect.map(readSettings, standalone)))
