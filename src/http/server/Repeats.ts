import type { Context } from "effect"
import type { Meter } from "../../limits/admission.ts"
import { metrics } from "../../ops/Metrics.ts"
import { limitField, limitValue } from "../../limits/headers.ts"
import { newTraceId } from "../traceId.ts"
import { textResponse } from "./textResponse.ts"

/** An answer that may be given again, letter for letter, to the same request of the same caller. */
export interface Repeatable {
  /** The path of the contract. */
  readonly route: string
  readonly body: string
  /** When what it says is too old, in epoch milliseconds. */
  readonly until: number
  /** The providers whose calls are spared. */
  readonly providers: ReadonlyArray<string>
}

const unmetered: Meter = () => undefined

interface Kept {
  readonly body: string
  readonly until: number
  readonly meter: Meter
  /** What counts one repetition, which took so many seconds. */
  readonly counter: () => (seconds: number) => void
  readonly headers: () => ReadonlyArray<[string, string]>
}

/**
 * The longest that an answer is repeated. Who may ask was found out when it was made, from something known for
 * up to 900 ms: a revoked key must be of no use after a second.
 */
const longestMillis = 100

/** Each is a few kilobytes; far more requests than that are not asked over and over at one time. */
const mostKept = 512

const requestIdHeader = "x-request-id"

/** Headers that each answer has of its own. */
const ownHeaders: ReadonlyArray<string> = [requestIdHeader, limitField]

/** A trace of the caller's is gone on with, and a body is read. */
const ownAnswer: ReadonlyArray<string> = ["traceparent", "b3", "content-length", "transfer-encoding"]

/** What names the caller and what it asks; nothing for a request whose answer is its own in some other way. */
const keyOf = (request: Request): string | undefined => {
  if (request.method !== "GET") return undefined
  const { headers } = request
  if (ownAnswer.some((name) => headers.has(name))) return undefined
  return [request.url, headers.get("x-api-key"), headers.get("authorization"), headers.get("origin")].join(
    "\n",
  )
}

/** Makes something when it is first asked for: most of what is kept never is. */
const once = <A>(make: () => A): () => A => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/**
 * Answers that are given again within moments, without the way through routes, accounts and providers: many
 * callers ask for the same busy pair, and then everything but the request's id is the same. Only answers that
 * were shared already are kept, so that requests which do not come again take no room. Whatever is not read
 * only ends all of them, as it may change what is answered.
 */
export interface Repeats {
  /** The answer to give again, if there is one and the caller has not used up its limit. */
  readonly find: (request: Request) => Response | undefined
  /** What keeps the answer to a request that begins now. */
  readonly keeper: (request: Request) => (repeatable: Repeatable, response: Response, meter?: Meter) => void
  /** Something may have changed. */
  readonly forget: () => void
}

/** `context` is where the metrics are; `now` tells epoch milliseconds. */
export const makeRepeats = (context: Context.Context<never>, now: () => number): Repeats => {
  const kept = new Map<string, Kept>()
  let changes = 0

  /** With the series at hand, as finding them takes longer than counting. */
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
