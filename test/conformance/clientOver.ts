import { Effect } from "effect"
import { HttpClient, HttpClientError, HttpClientRequest, HttpClientResponse } from "effect/http"

/** A client whose requests a function answers, in place of sockets; what it throws is a connection that was cut. */
export const clientOver = (handle: (request: Request) => Promise<Response>): HttpClient.HttpClient =>
  HttpClient.make((request) =>
    Effect.flatMap(HttpClientRequest.toWeb(request).pipe(Effect.orDie), (web) =>
      Effect.tryPromise({
        try: async () => HttpClientResponse.fromWeb(request, await handle(web)),
        catch: (cause) =>
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, cause }),
          }),
      }))
  )
