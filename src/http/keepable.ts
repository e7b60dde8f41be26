import { Duration, Effect } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { entityTag, isKnownTag } from "./entityTag.ts"

/** A body that anybody may keep for a while, ready to be sent. */
export interface Keepable {
  readonly text: string
  readonly contentType: string
  readonly headers: { readonly etag: string; readonly "cache-control": string }
}

/** Text, of JSON where nothing else is said, that anybody may keep for `maxAge`, counted in whole seconds. */
export const keepable = (
  text: string,
  maxAge: Duration.Duration,
  contentType = "application/json",
): Keepable => ({
  text,
  contentType,
  headers: {
    etag: entityTag(text),
    "cache-control": `public, max-age=${Math.floor(Duration.toSeconds(maxAge))}`,
  },
})

/** Answers with the body, or with 304 and none where the caller has it already (RFC 9110 15.4.5). */
export const answerKeepable = (
  { contentType, headers, text }: Keepable,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const ifNoneMatch = request.headers["if-none-match"]
    return ifNoneMatch !== undefined && isKnownTag(ifNoneMatch, headers.etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.text(text, { contentType, headers })
  })
