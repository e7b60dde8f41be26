import { assert, describe, it } from "#test/support/it.ts"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { makeClient } from "#providers/near-intents/client.ts"

const secret = "partner-token-7f3a"

describe("What is kept of an answer of 1Click", () => {
  it.effect("has no partner token in it", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const oneClick = makeClient(client, {
        url: new URL("http://one-click.test"),
        token: Option.some(Redacted.make(secret)),
      })
      const { text } = Option.getOrThrow(yield* oneClick.status("address"))
      assert.strictEqual(text, '{"authorization":"Bearer (hidden)"}')
    }).pipe(Effect.provide(Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) =>
        Effect.succeed(
          HttpClientResponse.fromWeb(
            request,
            new Response(JSON.stringify({ authorization: request.headers["authorization"] })),
          ),
        )
      ),
    ))))
})
