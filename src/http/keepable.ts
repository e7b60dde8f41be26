import { Duration, Effect } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { entityTag, isKnownTag } from "./entityTag.ts"

/** A body that anybody may keep for a while, ready to be sent. */
export interface Keepable {
  readonly json: string
  readonly headers: { readonly etag: string; readonly "cache-control": string }
}

/** JSON text that anybody may keep for `maxAge`, counted in whole seconds. */
export const keepable = (json: string, maxAge: Duration.Duration): Keepable => ({
  json,
  headers: {
    etag: entityTag(json),
    "cache-control": `public, max-age=${Math.floor(Duration.toSeconds(maxAge))}`,
  },
})

/** Answers with the body, or with 304 and none where the caller has it already (RFC 9110 15.4.5). */
export const answerKeepable = (
  { json, headers }: Keepable,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const ifNoneMatch = request.headers["if-none-match"]
    return ifNoneMatch !== undefined && isKnownTag(ifNoneMatch, headers.etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.text(json, { contentType: "application/json", headers })
  })
