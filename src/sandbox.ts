import { Effect, Layer } from "effect"
import { runCommand, runMain } from "#infrastructure/platform/runMain.ts"
import { completeCatalogue } from "#providers/completeCatalogue.ts"

// What reads the whole catalogue is loaded once it is complete.
const loaded = Effect.gen(function* () {
  yield* completeCatalogue
  const { readSettings } = yield* Effect.promise(() => import("./settings.ts"))
  const { printSettings, standalone } = yield* Effect.promise(() => import("#sandbox/standalone.ts"))
  return { printSettings, settings: yield* readSettings, standalone }
})

if (Deno.args.includes("--env")) {
  runCommand(Effect.flatMap(loaded, ({ printSettings, settings }) => Effect.as(printSettings(settings), 0)))
} else {
  runMain(Layer.unwrap(Effect.map(loaded, ({ settings, standalone }) => standalone(settings))))
}
