import { Effect, Layer, Result } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { heldKeyIssues } from "#application/accounts/ApiKey.ts"
import { type CurrentAccount, ParameterFaults, RuleFaults } from "#api/Authorization.ts"
import { idempotencyKeyHeader } from "#api/Idempotency.ts"
import { combineIssues, hasIssues, InvalidRequest, type Issues, noIssues } from "#domain/Issues.ts"
import type { Registry } from "#providers/Registry.ts"
import type { Quoting } from "#application/quoting/Quoting.ts"
import type { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import type { Swaps } from "#application/swapping/Swaps.ts"
import { membersOf } from "./failedRequests.ts"
import { accept, parameterIssues, type RawParameters } from "./parameterIssues.ts"
import { renameIssues } from "#domain/renameIssues.ts"
import { problemResponse } from "./failAsProblem.ts"
import { requireIds } from "./pathNames.ts"
import { readingPayload } from "./payloads.ts"
import { RequestMeta } from "./RequestMeta.ts"
import { givenTo, isOperators, listIgnored, refusedNames, strangerIssues } from "./unknownParameters.ts"

/** Reads the parameters of a request again, and fails with all that is wrong with them. */
type Reading<R> = (raw: RawParameters, known: Issues) => Effect.Effect<unknown, InvalidRequest, R>

type RuleServices =
  | CurrentAccount
  | Registry
  | Quoting
  | Swaps
  | VaultSwaps
  | HttpServerRequest.HttpServerRequest

/** The readings of endpoints that have rules over all their parameters, by endpoint identifier. */
export type Readings = Readonly<Record<string, Reading<RuleServices>>>

/** An endpoint with its group. */
interface Of {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** The reading of an endpoint without such rules: each parameter of the query by itself. */
const readAlone = ({ query }: HttpApiEndpoint.Top): Reading<never> => {
  const issuesOf = query === undefined ? () => noIssues : parameterIssues(query)
  return (raw, known) => accept([known, issuesOf(raw)], Result.void)
}

const headerName = idempotencyKeyHeader.toLowerCase()
const spelling = new Map([[headerName, idempotencyKeyHeader]])

/** The issues of `Idempotency-Key`, the only header that endpoints read. */
const headerIssues = (schema: HttpApiEndpoint.Top["headers"]) => {
  const issuesOf = schema === undefined ? () => noIssues : parameterIssues(schema)
  return Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const { credentials } = yield* RequestMeta
    const held = schema === undefined ? noIssues : heldKeyIssues(headerName, headers[headerName], credentials)
    return renameIssues(spelling, combineIssues([issuesOf(headers), held]))
  })
}

/** Fails with all that is wrong with a request, its header and the names that it has beside the endpoint's included (decision 15). */
const failWithIssues = <R>(endpoint: HttpApiEndpoint.Top, reading: Reading<R>, isStrict: boolean) => {
  const known = membersOf(endpoint.query)
  const strangers = isStrict ? refusedNames(known) : strangerIssues(endpoint, known)
  return Effect.gen(function* () {
    const own = yield* headerIssues(endpoint.headers)
    const { issues, raw } = yield* givenTo(endpoint)
    yield* Effect.catchTag(
      reading(raw, issues),
      "InvalidRequest",
      ({ errors }) =>
        Effect.flatMap(
          strangers,
          (strangers) => Effect.fail(new InvalidRequest({ errors: combineIssues([own, errors, strangers]) })),
        ),
    )
    yield* accept([own, isStrict ? yield* strangers : noIssues], Result.void)
  })
}

/**
 * Reads a request again when the schema of its endpoint refuses it, and collects every issue. An answer of ours that
 * does not encode stays a defect, as does a refusal in which the reading finds no issue. A request with a name that an
 * endpoint of the operator's does not have is refused before that (decision 57).
 */
const tellingIssues = <R>({ endpoint, group }: Of, reading: Reading<R>) => {
  const isStrict = isOperators(group)
  const ids = requireIds(endpoint)
  const parameters = failWithIssues(endpoint, reading, isStrict)
  const names = refusedNames(membersOf(endpoint.query))
  const told = Effect.fnUntraced(function* (error: HttpApiSchemaError) {
    if (error.kind === "Params") yield* ids
    if (error.kind === "Query" || error.kind === "Headers") yield* parameters
    return yield* Effect.die(error)
  })
  const noStrangers = Effect.flatMap(names, (strangers) => hasIssues(strangers) ? parameters : Effect.void)
  return <E, R1>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R1>) => {
    const answered = Effect.catch(
      answer,
      (error) =>
        HttpApiSchemaError.is(error) ? Effect.catch(told(error), problemResponse) : Effect.fail(error),
    )
    return isStrict
      ? Effect.matchEffect(noStrangers, { onFailure: problemResponse, onSuccess: () => answered })
      : listIgnored(endpoint, answered)
  }
}

/** Tells the issues of refused parameters and bodies of endpoints without rules over query and body together. */
export const ParameterFaultsLayer = Layer.succeed(
  ParameterFaults,
  (answer, of) => tellingIssues(of, readAlone(of.endpoint))(readingPayload(of.endpoint)(answer)),
)

/** Tells the issues of refused parameters of all other endpoints, with their rules. */
export const RuleFaultsLayer = (readings: Readings) =>
  Layer.effect(
    RuleFaults,
    Effect.map(Effect.context<Registry | Quoting | Swaps | VaultSwaps>(), (context) => (answer, of) => {
      const reading = readings[of.endpoint.identifier] ?? readAlone(of.endpoint)
      return tellingIssues(of, (raw, known) => Effect.provideContext(reading(raw, known), context))(answer)
    }),
  )
