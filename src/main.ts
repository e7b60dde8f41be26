import "./platform/plainFibers.ts"
import "effect/schema/SchemaJITCompiler/enable"
import { Effect, Layer } from "effect"
import { app } from "./App.ts"
import { runMain } from "./platform/runMain.ts"
import { readSettings } from "./settings.ts"

runMain(Layer.unwrap(Effect.map(readSettings, (settings) => app(settings))))
