import { Effect } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { InvalidRequest, issueAbout } from "#domain/Issues.ts"

/** The headers in which browsers say, each in its way, that nobody has asked for a page yet. */
const headerNames = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"]

/** Refuses a browser's guess, as nobody asked for its effect (decision 12). `would` continues "this request". */
export const refusePrefetch = Effect.fnUntraced(function* (would: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  for (const name of headerNames) {
    const [guess] = /\b(?:prefetch|prerender|preview)\b/i.exec(headers[name.toLowerCase()] ?? "") ?? []
    if (guess === undefined) continue
    return yield* new InvalidRequest({
      errors: issueAbout(name, `is ${guess.toLowerCase()}, but this request ${would}`),
    })
  }
})
