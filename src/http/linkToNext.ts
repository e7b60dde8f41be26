import { Effect } from "effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Points to the rest of a list: the same request from the next id on. The key is in none of it. */
export const linkToNext = Effect.fnUntraced(function* (next: number | string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const url = new URL(request.url, "http://localhost")
  url.searchParams.set("offset", `${next}`)
  yield* HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeader(response, "link", `<${url.pathname}${url.search}>; rel="next"`),
    )
  )
})
