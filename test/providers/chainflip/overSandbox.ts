import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"
import { make } from "#providers/chainflip/provider.ts"
import { brokerAccount } from "#sandbox/engine/figures.ts"
import { startSandbox } from "#test/sandbox/support.ts"
import { options } from "./fakeChainflip.ts"

/** A sandbox, and the provider over its sockets. */
export const providerOverSandbox = Effect.gen(function* () {
  const client = yield* startSandbox()
  const provider = yield* make({
    ...options,
    nodeUrl: new URL("/chainflip/node", client.url),
    brokerUrl: Redacted.make(new URL("/chainflip/broker", client.url)),
    backendUrl: new URL("/chainflip/backend", client.url),
    brokerAccount,
    environmentMaxAge: 0,
  }).pipe(Effect.provide(FetchHttpClient.layer))
  return { client, provider }
})
