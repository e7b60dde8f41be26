import { Effect } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { InvalidRequest, issueAbout } from "../domain/Issues.ts"

/** Refuses a browser's prefetch, as nobody asked for its effect (decision 12). `would` continues "this request". */
export const refusePrefetch = Effect.fnUntraced(function* (would: string) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const prefetching = ["Sec-Purpose", "Purpose"].find((name) =>
    /\bprefetch\b/i.test(headers[name.toLowerCase()] ?? "")
  )
  if (prefetching !== undefined) {
    return yield* new InvalidRequest({
      errors: issueAbout(prefetching, `is prefetch, but this request ${would}`),
    })
  }
})
