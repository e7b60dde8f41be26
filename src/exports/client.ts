import { Effect, Redacted } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { Api } from "#api/Api.ts"

/** The service to call, and the key of an account. */
export interface ClientOptions {
  readonly url: URL
  readonly apiKey: Redacted.Redacted<string>
}

/**
 * A typed client of the whole contract: `client.quotes.quotes({ query })`. Answers and problems come decoded. Amounts in
 * human units pass through a JSON number; their `…Native` twins are exact.
 */
export const makeClient = Effect.fnUntraced(function* ({ apiKey, url }: ClientOptions) {
  return yield* HttpApiClient.makeWith(Api, {
    baseUrl: url,
    httpClient: HttpClient.mapRequest(
      yield* HttpClient.HttpClient,
      HttpClientRequest.setHeader("x-api-key", Redacted.value(apiKey)),
    ),
  })
})
