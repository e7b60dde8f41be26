import { Context, Effect, Option, Predicate, Result, SchemaAST } from "effect"
import {
  type HttpApi,
  HttpApiBuilder,
  type HttpApiEndpoint,
  type HttpApiGroup,
  OpenApi,
} from "effect/http-api"
import { HttpEffect, HttpRouter, HttpServerRequest, HttpServerResponse, ProblemDetails } from "effect/http"
import { RequestErrors } from "#application/accounts/RequestErrors.ts"
import { Api } from "#api/Api.ts"
import { idempotencyKeyHeader, NamesOfOpening } from "#api/Idempotency.ts"
import type { AccountId } from "#domain/accounts/Account.ts"
import { encodeNames, openNames } from "./rpcNames.ts"
import { providerTitle } from "#providers/Registry.ts"
import { findAssetId } from "#domain/chains/Asset.ts"
import { defined } from "#infrastructure/platform/optionalMembers.ts"
import type { AnyProblem } from "#api/Problems.ts"
import type { WrittenAnswer } from "#domain/swaps/Idempotency.ts"
import { beginsSwap, carriesText, type ProviderError } from "#domain/ProviderError.ts"
import { issueAbout, noIssues } from "#domain/Issues.ts"
import { warnSparsely } from "#infrastructure/platform/rateLimitedLog.ts"
import { type Failure, type Failures, type Tagged, toProblem } from "./problems.ts"
import { unlessAway } from "#infrastructure/platform/outages.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { RequestErrorsParameters } from "#api/Account.ts"
import type { RequestErrorsQuery } from "#domain/RequestError.ts"
import { dayMillis, EpochMillis } from "#domain/Time.ts"
import { currentMillis } from "#infrastructure/platform/currentMillis.ts"
import { accept } from "./parameterIssues.ts"

/** What a failed request is counted as, and what its problem says. */
export interface Failed {
  /** The failure by its name in the code, or the error of JSON-RPC by its number. */
  readonly kind: string
  readonly status: number
  readonly code?: string | undefined
  /** The names of the parameters at fault, as the caller wrote them. */
  readonly parameters: ReadonlyArray<string>
  readonly detail: string
  /** The provider that failed, by its title: it stands for the words of its upstream. */
  readonly provider?: string | undefined
}

/** A defect of ours. */
export const unexpected: Failed = { kind: "Unexpected", status: 500, parameters: [], detail: "" }

/** Counts the failure of a request whose account is known; requests of nobody are not counted. */
export const NoteFailure = Context.Reference<(failed: Failed) => Effect.Effect<void>>(
  "swap-broker/requests/NoteFailure",
  { defaultValue: () => () => Effect.void },
)

/** The name that stands for all names that the contract does not have: a caller makes them up. */
const otherName = "(other)"

/** Names that are in no schema: of the whole body, of the key, of the header, of a minimum (decision 15). */
const commonNames: ReadonlyArray<string> = [
  "body",
  "apiKey",
  idempotencyKeyHeader,
  "minimalAmount",
  "minimalAmountNative",
]

export const membersOf = (schema: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(schema, "ast") && SchemaAST.isAST(schema.ast) && SchemaAST.isObjects(schema.ast)
    ? schema.ast.propertySignatures.map(({ name }) => String(name))
    : []

const namesOf = ({ annotations, payload, query }: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const bodies = [...payload.values()].flatMap((body) => "schemas" in body ? [...body.schemas] : [])
  return new Set([
    ...commonNames,
    ...openNames.values(),
    ...encodeNames.values(),
    ...Option.getOrElse(Context.getOption(annotations, NamesOfOpening), () => []),
    ...[query, ...bodies].flatMap(membersOf),
  ])
}

const knownNames = new WeakMap<HttpApiEndpoint.Top, ReadonlySet<string>>()

/** `namesOf`, once for each endpoint. */
const contractNames = (endpoint: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const known = knownNames.get(endpoint) ?? namesOf(endpoint)
  knownNames.set(endpoint, known)
  return known
}

/** Texts and numbers of a JSON body. An open text ends with the body, or each of its quotes would be tried, for seconds. */
const jsonParts = /"((?:[^"\\]|\\.)*)(?:"|\\?$)|-?\d[\d.eE+-]*/gs

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** What the caller of this request made up: values of path, query, body and key, and unknown names; but no provider's. */
const madeUp = Effect.fnUntraced(function* (known: ReadonlySet<string>) {
  const request = yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest)
  const route = yield* Effect.serviceOption(HttpRouter.RouteContext)
  if (Option.isNone(request) || Option.isNone(route)) return []
  const { headers, text, url } = request.value
  const body = yield* Effect.orElseSucceed(text, () => "")
  return [
    ...Object.values(route.value.params).map((value) => decoded(value ?? "")),
    ...[...new URL(url, "http://localhost").searchParams].flat(),
    ...[...body.matchAll(jsonParts)].map(([whole, inside]) => inside ?? whole),
    headers[idempotencyKeyHeader.toLowerCase()] ?? "",
  ].filter((text) => !known.has(text) && providerTitle(text) === text)
})

/** Counts failures of requests to an endpoint for the account that sends them. */
export const noteFor = (
  errors: RequestErrors["Service"],
  account: AccountId,
  endpoint: HttpApiEndpoint.Top,
) =>
({ kind, status, code, parameters, detail, provider }: Failed): Effect.Effect<void> => {
  const known = contractNames(endpoint)
  const failed = {
    account,
    endpoint: Context.getOption(endpoint.annotations, OpenApi.Identifier).pipe(
      Option.getOrElse(() => endpoint.identifier),
    ),
    status,
    ...defined({ code }),
    kind,
    parameters: [...new Set(parameters.map((name) => known.has(name) ? name : otherName))].toSorted(),
  }
  const example = provider === undefined
    ? Effect.map(madeUp(known), (values) => redactValues(detail, values))
    : Effect.succeed(`Provider: ${provider}`)
  return errors.note(failed, example)
}

/** The longest text that is kept, and the length from which on no word of ours is. */
const longestText = 300
const longestWord = 20

/** Where a value was. */
const gap = "…"

/** Text in quotes is somebody else's. */
const quoted = /"[^"]*"|“[^”]*”|`[^`]*`/g

const word = /^[a-zA-Z]+(?:['’-][a-zA-Z]+)*$/
/** A short number, as in "at most 995"; amounts, ids and addresses are longer or mixed with letters. */
const shortNumber = /^\d{1,4}$/
const edges = /^([(]*)(.*?)([.,:;!?)]*)$/s

/** Words this short are in nearly every value, and say nothing of it. */
const shortest = 3

const isOurs = (token: string, given: string): boolean => {
  if (findAssetId(token) !== undefined) return true
  if (shortNumber.test(token)) return !given.includes(token)
  if (!word.test(token) || token.length > longestWord) return false
  return token.length <= shortest || !given.includes(token.toLowerCase())
}

/** A problem's sentence without the request's values and anything like an address, amount, ID or secret. */
export const redactValues = (sentence: string, values: ReadonlyArray<string>): string => {
  const given = values.join("\n").toLowerCase()
  return sentence.slice(0, longestText).replace(quoted, gap).split(/\s+/).map((token) => {
    const [, before = "", inner = "", after = ""] = edges.exec(token) ?? []
    return inner === "" || inner === gap || isOurs(inner, given) ? token : `${before}${gap}${after}`
  }).join(" ").replace(/…(?: …)+/g, gap)
}

const idBytes = new Uint8Array(16)
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** A new trace id, for a trace that begins here. */
export const newTraceId = (): string => {
  crypto.getRandomValues(idBytes)
  let id = ""
  for (const byte of idBytes) id += hex[byte]
  return id
}

/** The W3C trace id of the current request: 32 hex digits (decision 14). */
export const traceId: Effect.Effect<string> = Effect.currentParentSpan.pipe(
  Effect.map((span) => span.traceId),
  Effect.orDie,
)

/** The most log lines a second about one kind of failure; calls that were not made have one, and metrics. */
const linesPerSecond = 10

/** Logs the failure of a call to a provider. An answer that was refused, and a defect, have their line already. */
const logProviderError = ({ message, operation, provider, reason }: ProviderError) => {
  if (reason._tag === "MalformedBody" || reason._tag === "ProviderDefect") return Effect.void
  const text = `${message}${"detail" in reason ? `: ${reason.detail}` : ""}`
  return reason._tag === "NotCalled"
    ? warnSparsely(`${provider} ${beginsSwap(operation) ? "open" : operation} not called`, 1, text)
    : warnSparsely(`${provider} ${operation} ${reason._tag}`, linesPerSecond, text)
}

/** Logs the details that the caller is not told, under the trace id that the caller has. */
export const logFailure = (failure: Failure): Effect.Effect<void> => {
  if (failure._tag === "ProviderError") return logProviderError(failure)
  if (failure._tag === "QuotesFailed") return logProviderError(failure.failure)
  if (failure._tag === "Unexpected") return Effect.void
  const text = failure.message === "" ? failure._tag : failure.message
  return unlessAway(failure, warnSparsely(failure._tag, linesPerSecond, text))
}

export const writeProblem = (failure: Failure, id: string): WrittenAnswer => {
  const { problem } = toProblem(failure, { traceId: id })
  return { status: problem.status, body: JSON.stringify(problem) }
}

/** The name of a failure; of a call to a provider, of its reason. */
const kindOf = (failure: Failure): string => providerErrorOf(failure)?.reason._tag ?? failure._tag

const providerErrorOf = (failure: Failure): ProviderError | undefined => {
  if (failure._tag === "ProviderError") return failure
  return failure._tag === "QuotesFailed" ? failure.failure : undefined
}

/** Counts a failure for the account of the request, with the name of an upstream in place of its words. */
const noteFailure = Effect.fnUntraced(function* (failure: Failure, problem: AnyProblem) {
  const note = yield* NoteFailure
  const error = providerErrorOf(failure)
  const { code, errors } = { code: undefined, errors: noIssues, ...problem }
  yield* note({
    kind: kindOf(failure),
    status: problem.status,
    code,
    parameters: Object.keys(errors),
    detail: problem.detail,
    provider: error !== undefined && carriesText(error.reason) ? providerTitle(error.provider) : undefined,
  })
})

/** The problem of a failure of the current request. A failure with 500 or above is logged, and each is counted. */
const tell = Effect.fnUntraced(function* <Tag extends keyof Failures>(failure: Tagged<Tag>) {
  const { problem, headers } = toProblem(failure, { traceId: yield* traceId })
  if (problem.status >= 500) yield* logFailure(failure)
  yield* noteFailure(failure, problem)
  return { problem, headers }
})

/** Turns failures of a handler into the problems that its endpoint declares. */
export const failAsProblem = <A, Tag extends keyof Failures, R>(effect: Effect.Effect<A, Tagged<Tag>, R>) =>
  Effect.catch(effect, (failure) =>
    Effect.flatMap(tell(failure), ({ problem, headers }) =>
      Effect.andThen(
        HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.succeed(HttpServerResponse.setHeaders(response, headers))
        ),
        Effect.fail(problem),
      )))

type Groups = typeof Api extends HttpApi.HttpApi<string, infer All> ? All : never

/** The layer of the handlers of a group of the contract, built of the services that they ask. */
export const handlersOf = <const Name extends HttpApiGroup.Identifier<Groups>>(name: Name) =>
<Return>(
  build: (
    handlers: HttpApiBuilder.Handlers.FromGroup<HttpApiGroup.WithIdentifier<Groups, Name>>,
  ) => HttpApiBuilder.Handlers.ValidateReturn<Return>,
) => HttpApiBuilder.group(Api, name, build)

/** Answers with a problem outside endpoints: before the route is found, or where a schema refused the request. */
export const problemResponse = <Tag extends keyof Failures>(failure: Tagged<Tag>) =>
  Effect.map(tell(failure), ({ problem, headers }) =>
    HttpServerResponse.text(JSON.stringify(problem), {
      status: problem.status,
      contentType: ProblemDetails.contentType,
      headers,
    }))

const defaultLimit = 100

/** The part that a query asks for: the last day unless it says otherwise. */
const errorsQuery = Effect.fnUntraced(function* ({ from, limit, to }: RequestErrorsParameters) {
  const end = to ?? (yield* currentMillis)
  const begin = from ?? Math.max(0, end - dayMillis)
  const query: RequestErrorsQuery = {
    from: EpochMillis.make(begin),
    to: EpochMillis.make(end),
    limit: limit ?? defaultLimit,
  }
  return yield* accept(
    [],
    begin > end ? Result.fail(issueAbout("from", "must not be after to")) : Result.succeed(query),
  )
})

export const RequestErrorsHandlers = handlersOf("requestErrors")(Effect.fnUntraced(function* (handlers) {
  const errors = yield* RequestErrors
  return handlers.handle("list", ({ query }) =>
    Effect.gen(function* () {
      const { name } = yield* CurrentAccount
      return yield* errors.ofAccount(name, yield* errorsQuery(query))
    }).pipe(Effect.catchTag("AccountUnknown", Effect.die), failAsProblem))
}))

export const OperatorRequestErrorsHandlers = handlersOf("operatorRequestErrors")(
  Effect.fnUntraced(function* (handlers) {
    const errors = yield* RequestErrors
    return handlers.handle("list", ({ params, query }) =>
      Effect.gen(function* () {
        return yield* errors.ofAccount(params.name, yield* errorsQuery(query))
      }).pipe(failAsProblem))
  }),
)
