import type { Context } from "effect"
import type { Meter } from "#application/limits/admitRequest.ts"
import { metrics } from "#infrastructure/ops/Metrics.ts"
import { limitField, limitValue } from "#application/limits/RateLimits.ts"
import { isHost } from "../../requests/PublicUrl.ts"
import type { Repeatable } from "../../requests/RequestMeta.ts"
import { newTraceId } from "../../requests/traceId.ts"
import { textResponse } from "./webHandler.ts"

const unmetered: Meter = () => undefined

interface CacheEntry {
  readonly body: string
  readonly until: number
  readonly meter: Meter
  /** Counts one repetition, which took so many seconds. */
  readonly counter: () => (seconds: number) => void
  readonly headers: () => ReadonlyArray<[string, string]>
}

/**
 * The longest time for which an answer is repeated, in milliseconds. The right to it was checked when it was made, by
 * knowledge of up to 900 ms before, and a revoked key must be of no use after a second.
 */
const longestMillis = 100

/** The most answers that are kept, of a few kilobytes each. Far fewer requests are repeated at one time. */
const mostKept = 512

const requestIdHeader = "x-request-id"

/** Headers that differ in each answer, and so are not kept. */
const ownHeaders: ReadonlyArray<string> = [requestIdHeader, limitField]

/** Headers of requests whose answers are not repeated: they go on with the caller's trace, or have a body. */
const ownAnswer: ReadonlyArray<string> = ["traceparent", "b3", "content-length", "transfer-encoding"]

/** The key of an answer: the request and its caller's credentials. Nothing where the answer is not repeated. */
const keyOf = (request: Request): string | undefined => {
  if (request.method !== "GET") return undefined
  const { headers } = request
  // A `Host` that is none can make the URL look like another's: such a request is not received.
  const host = headers.get("host")
  if (host !== null && !isHost(host)) return undefined
  if (ownAnswer.some((name) => headers.has(name))) return undefined
  return [request.url, headers.get("x-api-key"), headers.get("authorization"), headers.get("origin")].join(
    "\n",
  )
}

/** Makes a value at its first use. Most values that are kept are never used. */
const once = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Answers that are repeated for moments, without the way through routes, accounts and providers. Many callers ask for
 * the same busy pair, and their answers differ in the request's id only. An answer is kept when its endpoint offers
 * it, which it does only for quotes that were shared already: requests that do not come again take no room. Every
 * request that is not read only empties the store, as it may change answers.
 */
export interface ResponseCache {
  /** The answer to repeat, if there is one and the caller's limits admit the request. */
  readonly find: (request: Request) => Response | undefined
  /** Makes the keeper of one answer, for a request that begins now. `forget` meanwhile makes it keep nothing. */
  readonly keeper: (request: Request) => (repeatable: Repeatable, response: Response, meter?: Meter) => void
  /** Forgets all answers, as something may have changed. */
  readonly forget: () => void
}

/** Makes an empty store. `context` holds the metrics; `now` tells epoch milliseconds. */
export const makeResponseCache = (context: Context.Context<never>, now: () => number): ResponseCache => {
  const kept = new Map<string, CacheEntry>()
  let changes = 0

  /** Makes a counter that holds its series, as finding them takes longer than counting. */
  const counterOf = ({ route, providers }: Repeatable) => {
    const requestSeconds = metrics.requestSeconds({ method: "GET", route, status: "200" })
    const shared = providers.map((provider) => metrics.quotesShared({ provider, how: "repeated" }))
    return (seconds: number): void => {
      requestSeconds.updateUnsafe(seconds, context)
      for (const series of shared) series.updateUnsafe(1, context)
    }
  }

  return {
    find: (request) => {
      if (kept.size === 0) return undefined
      const began = performance.now()
      const key = keyOf(request)
      const found = key === undefined ? undefined : kept.get(key)
      if (key === undefined || found === undefined) return undefined
      if (found.until <= now()) {
        kept.delete(key)
        return undefined
      }
      const standing = found.meter()
      if (standing?.isAdmitted === false) return undefined
      const response = textResponse(found.body, 200, found.headers())
      response.headers.set(requestIdHeader, newTraceId())
      if (standing !== undefined) response.headers.set(limitField, limitValue(standing))
      found.counter()((performance.now() - began) / 1_000)
      return response
    },
    keeper: (request) => {
      const begun = changes
      return (repeatable, { headers }, meter = unmetered) => {
        const key = keyOf(request)
        if (key === undefined || begun !== changes) return
        if (kept.size >= mostKept) kept.clear()
        kept.set(key, {
          body: repeatable.body,
          meter,
          counter: once(() => counterOf(repeatable)),
          until: Math.min(repeatable.until, now() + longestMillis),
          headers: once(() => [...headers].filter(([name]) => !ownHeaders.includes(name))),
        })
      }
    },
    forget: () => {
      changes += 1
      kept.clear()
    },
  }
}
