import { Effect, Layer, Result } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { type CurrentAccount, ParameterFaults, RuleFaults } from "../api/Authorization.ts"
import { StatusStreamParameters, SwapEventsParameters } from "../api/Events.ts"
import { CommissionParameters, HistoryParameters } from "../api/History.ts"
import { idempotencyKeyHeader } from "../api/Idempotency.ts"
import { QuoteNativeParameters, QuoteParameters } from "../api/Quotes.ts"
import { combineIssues, InvalidRequest, type Issues, noIssues } from "../domain/Issues.ts"
import type { Registry } from "../providers/Registry.ts"
import type { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { accept, explain, type RawParameters, readBy, readerOf } from "./explain.ts"
import { commissionQuery, historyQuery } from "./historyRules.ts"
import { inOtherNames } from "./inOtherNames.ts"
import { knownEvent } from "./lastEventId.ts"
import { readPayload, readPostedPayload, readPostedSwap, readSwap } from "./openingOrders.ts"
import { problemResponse } from "./orProblem.ts"
import { quoteOrderOf } from "./quoteRules.ts"
import { Received } from "./server/Received.ts"
import { givenTo, listIgnored } from "./unknownParameters.ts"

/** Reads the parameters of a request for what is wrong with them. */
type Reading<R> = (raw: RawParameters, known: Issues) => Effect.Effect<unknown, InvalidRequest, R>

type RuleServices = CurrentAccount | Registry | AddressPolicy | HttpServerRequest.HttpServerRequest

const human = readBy(readerOf(QuoteParameters), quoteOrderOf)
const native = readBy(readerOf(QuoteNativeParameters), quoteOrderOf)

/** How the parameters of an endpoint are read that has rules over all of them. */
const readings: ReadonlyMap<string, Reading<RuleServices>> = new Map<string, Reading<RuleServices>>([
  ["quotes", human],
  ["quotesNative", native],
  ["quote", human],
  ["quoteNative", native],
  ["swap", readSwap],
  ["swapPost", readPostedSwap],
  ["bitcoinPayload", readPayload("bitcoin")],
  ["bitcoinPayloadPost", readPostedPayload("bitcoin")],
  ["evmPayload", readPayload("evm")],
  ["evmPayloadPost", readPostedPayload("evm")],
  ["solanaPayload", readPayload("solana")],
  ["solanaPayloadPost", readPostedPayload("solana")],
  ["tronPayload", readPayload("tron")],
  ["tronPayloadPost", readPostedPayload("tron")],
  ["swaps", readBy(readerOf(HistoryParameters), historyQuery)],
  ["commission", readBy(readerOf(CommissionParameters), (asked) => Effect.succeed(commissionQuery(asked)))],
  ["swapEvents", readBy(readerOf(SwapEventsParameters), knownEvent)],
  ["statusStream", readBy(readerOf(StatusStreamParameters), knownEvent)],
])

/** Reads each parameter of a query by itself. */
const readAlone = ({ query }: HttpApiEndpoint.Top): Reading<never> => {
  const issuesOf = query === undefined ? () => noIssues : explain(query)
  return (raw, known) => accept([known, issuesOf(raw)], Result.void)
}

const headerName = idempotencyKeyHeader.toLowerCase()
const spelling = new Map([[headerName, idempotencyKeyHeader]])

/** What is wrong with the one header that an endpoint reads: the key that its request can be sent again under. */
const headerIssues = (schema: HttpApiEndpoint.Top["headers"]) => {
  const issuesOf = schema === undefined ? () => noIssues : explain(schema)
  return Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { credentials } = yield* Received
    const held = schema === undefined ? noIssues : heldKeyIssues(headerName, headers[headerName], credentials)
    return inOtherNames(spelling, combineIssues([issuesOf(headers), held]))
  })
}

/** Fails with everything that is wrong with a request, its header included (decision 15). */
const explained = <R>(endpoint: HttpApiEndpoint.Top, reading: Reading<R>) =>
  Effect.gen(function* () {
    const own = yield* headerIssues(endpoint.headers)
    yield* givenTo(endpoint).pipe(
      Effect.flatMap(({ issues, raw }) => reading(raw, issues)),
      Effect.mapError((failure) =>
        failure._tag === "InvalidRequest"
          ? new InvalidRequest({ errors: combineIssues([own, failure.errors]) })
          : failure
      ),
    )
    yield* accept([own], Result.void)
  })

/**
 * When the schema of an endpoint refuses a request, reads it again in the way that collects every issue.
 * An answer of ours that does not encode stays a defect, as does a refusal that the reading cannot explain.
 */
const explaining = <R>(endpoint: HttpApiEndpoint.Top, reading: Reading<R>) => {
  const told = explained(endpoint, reading)
  return <E, R1>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R1>) =>
    listIgnored(
      endpoint,
      Effect.catch(answer, (error) => {
        if (!HttpApiSchemaError.is(error)) return Effect.fail(error)
        return error.kind === "Query" || error.kind === "Headers"
          ? Effect.catch(Effect.andThen(told, Effect.die(error)), problemResponse)
          : Effect.die(error)
      }),
    )
}

export const ParameterFaultsLayer = Layer.succeed(
  ParameterFaults,
  (answer, { endpoint }) => explaining(endpoint, readAlone(endpoint))(answer),
)

export const RuleFaultsLayer = Layer.effect(
  RuleFaults,
  Effect.map(
    Effect.context<Registry | AddressPolicy>(),
    (context) => (answer, { endpoint }) =>
      explaining(endpoint, (raw, known) =>
        Effect.provideContext(
          (readings.get(endpoint.identifier) ?? readAlone(endpoint))(raw, known),
          context,
        ))(answer),
  ),
)
