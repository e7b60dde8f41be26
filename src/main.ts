import "./platform/plainFibers.ts"
import "effect/schema/SchemaJITCompiler/enable"
import { Effect, Layer } from "effect"
import { app } from "./App.ts"
import { readSettings } from "./Config.ts"
import { runMain } from "./platform/runMain.ts"

runMain(Layer.unwrap(Effect.map(readSettings, app)))
