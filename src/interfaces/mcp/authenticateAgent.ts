import { Context, Effect, Option, Predicate, type Redacted, Schema } from "effect"
import { Headers, HttpEffect, HttpServerRequest, HttpServerResponse, ProblemDetails } from "effect/http"
import { Accounts } from "#application/accounts/Accounts.ts"
import { Unauthorized } from "#api/Problems.ts"
import { type Caller, mayBeginFrom, originAllowed, type RequestOrigin } from "#domain/accounts/Account.ts"
import type { Scope } from "#domain/accounts/Key.ts"
import {
  authorise,
  McpDenied,
  OriginDenied,
  OriginMissing,
  passageOf,
  Unauthenticated,
} from "../requests/authorise.ts"
import { callerWith } from "../requests/Authorization.ts"
import { problemResponse, traceId } from "../requests/failedRequests.ts"
import { PublicUrl } from "../requests/PublicUrl.ts"
import { BodyTooLarge, RequestMeta } from "../requests/RequestMeta.ts"
import { makeAdmission } from "#application/limits/admitRequest.ts"
import { limitHeaders } from "#application/limits/RateLimits.ts"

/** The program that calls tools: the caller with its key, which the door has checked. */
export interface Agent {
  readonly caller: Caller
  /** The key itself, with which confirmations are bound to it. */
  readonly key: Redacted.Redacted<string>
}

/** The agent of the present request; the door provides it. */
export class CurrentAgent extends Context.Service<CurrentAgent, Agent>()("swap-broker/mcp/CurrentAgent") {}

/** The agent of the present request. The library calls tools with the services of the request, but does not type them. */
export const currentAgent: Effect.Effect<Agent> = Effect.flatMap(
  Effect.serviceOption(CurrentAgent),
  Option.match({
    onNone: () => Effect.die(new Error("A tool was called without authentication")),
    onSome: Effect.succeed,
  }),
)

/** The caller as key and account are now, or the refusal: both can change while a person answers. */
export const presentCaller = Effect.fnUntraced(function* ({ key }: Agent, scope: Scope) {
  const found = yield* (yield* Accounts).authenticate(key)
  if (Option.isNone(found)) return yield* new Unauthenticated()
  const caller = found.value
  if (!caller.mcp) return yield* new McpDenied()
  const denied = authorise(caller, { scopes: [scope], origin: undefined })
  return denied === undefined ? caller : yield* denied
})

/** The part of a message by which it is admitted. */
const Message = Schema.Struct({
  id: Schema.optionalKey(Schema.Unknown),
  method: Schema.optionalKey(Schema.String),
  params: Schema.optionalKey(Schema.Unknown),
})

/** A message that an agent sent, as far as the door has to know it. */
export interface ToolCall {
  /** The id that the answer carries; null where the message has none. */
  readonly id: string | number | null
  readonly method: string | undefined
  readonly tool: string | undefined
}

const decodeMessage = Schema.decodeUnknownOption(Schema.fromJsonString(Message))

const isId = Schema.is(Schema.Union([Schema.String, Schema.Finite]))

const nameIn = (params: unknown): string | undefined =>
  Predicate.hasProperty(params, "name") && Predicate.isString(params.name) ? params.name : undefined

/** What a body asks for; nothing where it is no message, which the protocol answers. */
export const askedBy = (body: string): ToolCall =>
  Option.match(decodeMessage(body), {
    onNone: () => ({ id: null, method: undefined, tool: undefined }),
    onSome: ({ id, method, params }) => ({
      id: isId(id) ? id : null,
      method,
      tool: method === "tools/call" ? nameIn(params) : undefined,
    }),
  })

/** The longest `initialize`: what a client says of itself is kept for as long as its session. */
const longestInitialize = 8 * 1024

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?$/

/**
 * Whether a page may call. Agents are no pages and send no `Origin`. A page of another origin is refused, also where
 * its name was made to lead to this machine: only names that always do count as this machine's own.
 */
const isOwnPage = (origin: string, host: string | undefined, publicUrl: Option.Option<URL>): boolean =>
  Option.exists(publicUrl, (url) => url.origin === origin) ||
  (loopback.test(origin) && origin === `http://${host}`)

/** The answer to a request without a key that counts. */
const unauthenticated = Effect.map(traceId, (traceId) => {
  const detail =
    "A valid API key is required in a header: Authorization: Bearer, or X-API-Key. Never in the URL"
  return HttpServerResponse.text(JSON.stringify(new Unauthorized({ detail, traceId })), {
    status: 401,
    contentType: ProblemDetails.contentType,
    headers: { "www-authenticate": 'Bearer realm="swap-broker"' },
  })
})

/** What happens behind the door, and to whoever is turned away because their key, or their account, may not call. */
interface Behind<E, R> {
  readonly pass: (agent: Agent, asked: ToolCall) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  readonly turnedAway: Effect.Effect<void, never, HttpServerRequest.HttpServerRequest>
}

/** Makes the check of who sends a request, before anything of the protocol is done with it. */
export const makeDoor = Effect.fnUntraced(function* (openingTools: ReadonlyArray<string>) {
  const admission = yield* makeAdmission
  const caller = callerWith(yield* Accounts, admission)
  const publicUrl = yield* PublicUrl

  /** The agent of a request, whose key is in a header: URLs are kept in logs, and in what models read. */
  const agentOf = Effect.gen(function* () {
    const { credentials: [key], hasKeyInUrl } = yield* RequestMeta
    if (key === undefined || hasKeyInUrl === true) return yield* new Unauthenticated()
    return { caller: yield* caller, key } satisfies Agent
  })

  /** Counts a request, and refuses what would be kept for long. */
  const admitted = Effect.fnUntraced(function* ({ caller }: Agent, passage: RequestOrigin) {
    if (!originAllowed(caller.allowedOrigins, passage.origin)) return yield* new OriginDenied()
    const { method, text } = yield* HttpServerRequest.HttpServerRequest
    const body = method === "POST" ? yield* Effect.orDie(text) : ""
    const asked = askedBy(body)
    if (asked.method === "initialize" && body.length > longestInitialize) {
      return yield* new BodyTooLarge({ maximumBytes: longestInitialize })
    }
    const purpose = asked.tool !== undefined && openingTools.includes(asked.tool) ? "swap" : "default"
    const taken = yield* admission.admit({ purpose, subject: caller })
    if (taken !== undefined) {
      const headers = limitHeaders(taken.state)
      yield* HttpEffect.appendPreResponseHandler((_, response) =>
        Effect.succeed(HttpServerResponse.setHeaders(response, headers))
      )
    }
    // Counted before, so that refusals have a limit, too.
    if (!caller.mcp) return yield* new McpDenied()
    if (purpose === "swap" && !mayBeginFrom(caller.allowedOrigins, passage)) {
      return yield* new OriginMissing()
    }
    return asked
  })

  /** Passes a request on with its agent, or answers why not. */
  return <E, R>({ pass, turnedAway }: Behind<E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { host, origin } = request.headers
      const checked = Effect.gen(function* () {
        if (origin !== undefined && !isOwnPage(origin, host, publicUrl)) return yield* new OriginDenied()
        const agent = yield* agentOf
        return { agent, asked: yield* admitted(agent, passageOf(request)) }
      })
      return checked.pipe(
        Effect.matchEffect({
          onFailure: (failure) => {
            if (failure._tag === "Unauthenticated") return Effect.andThen(turnedAway, unauthenticated)
            const refused = problemResponse(failure)
            return failure._tag === "McpDenied" ? Effect.andThen(turnedAway, refused) : refused
          },
          onSuccess: ({ agent, asked }) => pass(agent, asked),
        }),
        // The origin is checked here, and nowhere again.
        Effect.provideService(
          HttpServerRequest.HttpServerRequest,
          origin === undefined
            ? request
            : request.modify({ headers: Headers.remove(request.headers, "origin") }),
        ),
      )
    })
})
