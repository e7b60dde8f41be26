/** Serves on a free port until SIGTERM; an answer takes a second. Each request that arrives is said. */
import { Effect, Layer } from "effect"
import { runMain } from "#infrastructure/platform/runMain.ts"
import { serve } from "#infrastructure/platform/serve.ts"

const slowly = () => {
  console.log("Asked")
  return new Promise<Response>((resolve) => setTimeout(() => resolve(new Response("done")), 1_000))
}

runMain(Layer.effectDiscard(
  Effect.map(
    serve({ hostname: "127.0.0.1", port: 0, handler: slowly }),
    (url) => console.log(`Listening on ${url.origin}\n`),
  ),
))
