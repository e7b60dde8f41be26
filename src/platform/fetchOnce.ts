import { Effect, Layer } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"

/** Requests that change nothing; the runtime may send these again as it likes. */
const repeatable: ReadonlyArray<string> = ["GET", "HEAD"]

/**
 * An HTTP client that sends what changes something exactly once. The runtime's own sends a request a second
 * time, without a word, when a kept connection is cut before the answer: an opening that happened would then
 * happen twice. So such requests get a connection of their own, which is not kept.
 */
export const fetchOnce: Layer.Layer<HttpClient.HttpClient> = Layer.unwrap(Effect.gen(function* () {
  const unpooled = yield* Effect.acquireRelease(
    Effect.sync(() => Deno.createHttpClient({ poolMaxIdlePerHost: 0 })),
    (client) => Effect.sync(() => client.close()),
  )
  const fetchIt: typeof fetch = (input, init) =>
    repeatable.includes(init?.method ?? "GET")
      ? fetch(input, init)
      : fetch(input, { ...init, client: unpooled })
  return FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetchIt)))
}))
