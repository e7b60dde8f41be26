import { Effect, Layer, Result } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { ParameterFaults } from "../api/Authorization.ts"
import { type Issues, noIssues } from "../domain/Issues.ts"
import { Registry } from "../providers/Registry.ts"
import { AddressPolicy } from "../swapping/AddressPolicy.ts"
import { accept } from "./accept.ts"
import { commissionRules, historyRules } from "./historyRules.ts"
import { sentLastEventId } from "./lastEventId.ts"
import { problemResponse } from "./orProblem.ts"
import { quoteNativeRules, quoteRules } from "./quoteRules.ts"
import { queryParameters } from "./rawParameters.ts"
import { explain, type RawParameters } from "./readParameters.ts"
import { withKeyIssues } from "./readIdempotencyKey.ts"
import { readPayloadOrder, readPostedPayloadOrder } from "./readPayloadOrder.ts"
import { readPostedSwapOrder, readSwapOrder } from "./readSwapOrder.ts"
import { listIgnored } from "./unknownParameters.ts"

/** Reads a request for what is wrong with it. */
type Reading = Effect.Effect<
  unknown,
  Effect.Error<typeof readPostedSwapOrder>,
  Effect.Services<typeof readPostedSwapOrder>
>

/** How parameters are read that become an order, or that are not in the schema of their endpoint alone. */
const readers: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ["swap", readSwapOrder],
  ["swapPost", readPostedSwapOrder],
  ["bitcoinPayload", readPayloadOrder("bitcoin")],
  ["bitcoinPayloadPost", readPostedPayloadOrder("bitcoin")],
  ["evmPayload", readPayloadOrder("evm")],
  ["evmPayloadPost", readPostedPayloadOrder("evm")],
  ["solanaPayload", readPayloadOrder("solana")],
  ["solanaPayloadPost", readPostedPayloadOrder("solana")],
  ["tronPayload", readPayloadOrder("tron")],
  ["tronPayloadPost", readPostedPayloadOrder("tron")],
])

/** Says of the parameters that can be read what is wrong with them together, or with a header beside them. */
type Rules = (
  raw: RawParameters,
) => Effect.Effect<
  Result.Result<unknown, Issues>,
  Effect.Error<ReturnType<typeof historyRules>>,
  Effect.Services<Reading>
>

const rules: ReadonlyMap<string, Rules> = new Map<string, Rules>([
  ["quotes", quoteRules],
  ["quotesNative", quoteNativeRules],
  ["quote", quoteRules],
  ["quoteNative", quoteNativeRules],
  ["swaps", historyRules],
  ["swapEvents", () => sentLastEventId],
  ["statusStream", () => sentLastEventId],
  ["commission", commissionRules],
])

const noRules: Rules = () => Effect.succeed(Result.void)

/** Fails with everything that is wrong with a query: with each parameter by itself, then by the rules. */
const readByRules = ({ identifier, query }: HttpApiEndpoint.Top): Reading => {
  const issuesOf = query === undefined ? () => noIssues : explain(query)
  const told = rules.get(identifier) ?? noRules
  return Effect.flatMap(
    queryParameters,
    (raw) => Effect.flatMap(told(raw), (result) => accept([issuesOf(raw)], result)),
  )
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
        const { headers, identifier } = endpoint
        const reading = readers.get(identifier) ?? readByRules(endpoint)
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
