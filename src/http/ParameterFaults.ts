import { Effect, Layer } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { ParameterFaults } from "../api/Authorization.ts"
import { hasIssues, InvalidRequest, noIssues } from "../domain/Issues.ts"
import { Registry } from "../providers/Registry.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { problemResponse } from "./orProblem.ts"
import { queryParameters } from "./rawParameters.ts"
import { explain } from "./readParameters.ts"
import { withKeyIssues } from "./readIdempotencyKey.ts"
import { readStatusStream, readSwapEvents } from "./readEventsQuery.ts"
import { readCommissionQuery } from "./readCommissionQuery.ts"
import { readHistoryQuery } from "./readHistoryQuery.ts"
import { readPayloadOrder, readPostedPayloadOrder } from "./readPayloadOrder.ts"
import { readQuoteNativeOrder, readQuoteOrder } from "./readQuoteOrder.ts"
import { readPostedSwapOrder, readSwapOrder } from "./readSwapOrder.ts"
import { listIgnored } from "./unknownParameters.ts"

/** Reads a request for what is wrong with it. */
type Reading = Effect.Effect<
  unknown,
  Effect.Error<typeof readPostedSwapOrder>,
  Effect.Services<typeof readPostedSwapOrder>
>

/** How parameters are read between which there are rules, or which the schema of their endpoint does not have. */
const readers: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ["quotes", readQuoteOrder],
  ["quotesNative", readQuoteNativeOrder],
  ["quote", readQuoteOrder],
  ["quoteNative", readQuoteNativeOrder],
  ["swap", readSwapOrder],
  ["swapPost", readPostedSwapOrder],
  ["swaps", readHistoryQuery],
  ["swapEvents", readSwapEvents],
  ["statusStream", readStatusStream],
  ["commission", readCommissionQuery],
  ["bitcoinPayload", readPayloadOrder("bitcoin")],
  ["bitcoinPayloadPost", readPostedPayloadOrder("bitcoin")],
  ["evmPayload", readPayloadOrder("evm")],
  ["evmPayloadPost", readPostedPayloadOrder("evm")],
  ["solanaPayload", readPayloadOrder("solana")],
  ["solanaPayloadPost", readPostedPayloadOrder("solana")],
  ["tronPayload", readPayloadOrder("tron")],
  ["tronPayloadPost", readPostedPayloadOrder("tron")],
])

/** Fails with everything that is wrong with the parameters of a query, between which there are no rules. */
const readAlone = (query: HttpApiEndpoint.Top["query"]): Reading => {
  const issuesOf = query === undefined ? () => noIssues : explain(query)
  return Effect.flatMap(queryParameters, (raw) => {
    const errors = issuesOf(raw)
    return hasIssues(errors) ? Effect.fail(new InvalidRequest({ errors })) : Effect.void
  })
}

/**
 * When the schema of an endpoint refuses a request, reads it again in the way that collects every issue.
 * An answer of ours that does not encode stays a defect, as does a refusal that the reader cannot explain.
 */
export const ParameterFaultsLayer: Layer.Layer<ParameterFaults, never, Registry | AddressPolicy> = Layer
  .effect(
    ParameterFaults,
    Effect.gen(function* () {
      const registry = yield* Registry
      const settings = yield* AddressPolicy

      const explained = (endpoint: HttpApiEndpoint.Top) => {
        const { headers, identifier, query } = endpoint
        const reading = readers.get(identifier) ?? readAlone(query)
        // The only header that an endpoint reads is the key that it can be sent again under.
        const whole = headers === undefined ? reading : withKeyIssues(reading)
        return (refusal: HttpApiSchemaError) =>
          refusal.kind === "Query" || refusal.kind === "Headers"
            ? whole.pipe(
              Effect.andThen(Effect.die(refusal)),
              Effect.catch(problemResponse),
              Effect.provideService(Registry, registry),
              Effect.provideService(AddressPolicy, settings),
            )
            : Effect.die(refusal)
      }

      return ParameterFaults.of((answer, { endpoint }) => {
        const explain = explained(endpoint)
        return listIgnored(
          endpoint.identifier,
          Effect.catch(answer, (error) => HttpApiSchemaError.is(error) ? explain(error) : Effect.fail(error)),
        )
      })
    }),
  )
