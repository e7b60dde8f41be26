import { Effect, Layer, Option, Predicate, Result, Schema, SchemaAST } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { heldKeyIssues, holdsKey } from "#application/accounts/ApiKey.ts"
import { type CurrentAccount, ParameterFaults, RuleFaults } from "#api/Authorization.ts"
import { idempotencyKeyHeader } from "#api/Idempotency.ts"
import { combineIssues, hasIssues, InvalidRequest, type Issues, issuesOf, noIssues } from "#domain/Issues.ts"
import type { Registry } from "#providers/Registry.ts"
import type { Quoting } from "#application/quoting/Quoting.ts"
import type { VaultSwaps } from "#application/swapping/payloads/VaultSwaps.ts"
import type { Swaps } from "#application/swapping/Swaps.ts"
import { membersOf, problemResponse } from "./failedRequests.ts"
import {
  accept,
  type Given,
  parameterIssues,
  plainBody,
  type RawParameters,
  type Reader,
  readerOf,
} from "./parameterIssues.ts"
import { renameIssues } from "#domain/renameIssues.ts"
import { requireIds } from "./pathNames.ts"
import { RequestMeta } from "./RequestMeta.ts"
import { closestOf, givenTo, isOperators, listIgnored, refusedNames, strangerIssues } from "./nearNames.ts"
import { isKept } from "#api/parameterKinds.ts"
import { SwitchBody } from "#api/Providers.ts"
import { unknownMembers } from "#api/unknownMembers.ts"
import { ReplayBody } from "#api/WebhookBodies.ts"
import { switchIssues } from "#domain/operations/ProviderSwitch.ts"
import { alreadyTold } from "#domain/RequestRules.ts"
import { rangeOf } from "#application/webhooks/replayRange.ts"

/** A rule over the members of a body that can be read. */
const ruled =
  <Whole extends Part, Part>({ part }: Reader<Whole, Part>, rule: (values: Part) => Issues) =>
  (raw: RawParameters): Issues => rule(part(raw).values)

/** The rules over several members of a body, by its schema. */
const rules: ReadonlyMap<SchemaAST.AST, (raw: RawParameters) => Issues> = new Map([
  [SwitchBody.ast, ruled(readerOf(SwitchBody), switchIssues)],
  [ReplayBody.ast, ruled(readerOf(ReplayBody), (range) => issuesOf([rangeOf(range)]))],
])

/** The names of texts that are kept, which must not hold an API key. */
const keptNames = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(ast)
    ? ast.propertySignatures
      .filter(({ type }) => Schema.resolveAnnotations(Schema.make(type))?.[isKept] === true)
      .map(({ name }) => String(name))
    : []

/** The members of a body with those that are null, which stand for absent ones. */
const withNulls = (raw: RawParameters, nulls: ReadonlyArray<string>): RawParameters => ({
  ...raw,
  ...Object.fromEntries(nulls.map((name) => [name, null])),
})

/** Reads a body by the schema of its endpoint's payload: the JSON that HttpApi decodes, or all issues (decision 15). */
const readPayload = (schema: Schema.Top) => {
  const payload: Schema.Codec<unknown, unknown> = Schema.make(schema.ast)
  const decode = Schema.decodeUnknownOption(Schema.toCodecArrayFromSingle(payload))
  const encode = Schema.encodeUnknownSync(payload)
  const issuesOf = parameterIssues(schema)
  const rule = rules.get(schema.ast) ?? (() => noIssues)
  const kept = keptNames(schema.ast)
  const strangersIn = unknownMembers(schema, closestOf)
  return Effect.gen(function* () {
    const { issues: repeated, nulls = [], raw } = yield* plainBody
    yield* accept([repeated], Result.void)
    const { credentials } = yield* RequestMeta
    const unread = issuesOf(raw)
    const held = combineIssues(
      kept.filter((name) => Object.hasOwn(raw, name) && !Object.hasOwn(unread, name))
        .map((name) => heldKeyIssues(name, `${raw[name]}`, credentials)),
    )
    const whole = Option.match(decode(raw), { onNone: () => alreadyTold, onSome: Result.succeed })
    const strangers = strangersIn(withNulls(raw, nulls), (name) => holdsKey(name, credentials))
    const encoded = encode(yield* accept([unread, rule(raw), held, strangers], whole))
    return JSON.stringify({ ...raw, ...(Predicate.isObject(encoded) ? encoded : {}) })
  })
}

const withBody = ({ headers, method, url }: HttpServerRequest.HttpServerRequest, body: string) =>
  HttpServerRequest.fromWeb(new Request("http://broker.invalid/", { method, body })).modify({
    url,
    headers: Headers.set(headers, "content-type", "application/json"),
  })

const noPayload = ""

/** The methods whose requests may have a body that an endpoint without a payload is asked to heed. */
const withBodies: ReadonlyArray<string> = ["POST", "PUT", "PATCH", "DELETE"]

/** Refuses the members of a body where the endpoint takes none. A body that is no JSON object says nothing. */
const refuseMembers = Effect.gen(function* () {
  const { credentials } = yield* RequestMeta
  const { nulls = [], raw } = yield* Effect.orElseSucceed(
    plainBody,
    (): Given => ({ raw: {}, issues: noIssues }),
  )
  const strangers = unknownMembers(Schema.Struct({}))(
    withNulls(raw, nulls),
    (name) => holdsKey(name, credentials),
  )
  yield* accept([strangers], Result.void)
})

/**
 * Makes a middleware that reads bodies for HttpApi, which would see neither a member that stands twice nor more issues
 * than one. A body that is refused is told where HttpApi would decode it: after the path, the header and the query.
 */
export const readingPayload = ({ method, payload }: HttpApiEndpoint.Top) => {
  const [body] = [...payload.values()].flatMap((body) => "schemas" in body ? [...body.schemas] : [])
  const read = body === undefined ? undefined : readPayload(body)
  const isBare = read === undefined && withBodies.includes(method)
  return <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    isBare
      ? Effect.matchEffect(refuseMembers, { onFailure: problemResponse, onSuccess: () => answer })
      : read === undefined
      ? answer
      : Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const given = yield* Effect.result(read)
        return yield* answer.pipe(
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            withBody(request, Result.getOrElse(given, () => noPayload)),
          ),
          Effect.catch((error) =>
            HttpApiSchemaError.is(error) && error.kind === "Payload" && Result.isFailure(given)
              ? problemResponse(given.failure)
              : Effect.fail(error)
          ),
        )
      })
}

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
  Layer.effect(RuleFaults)(
    Effect.map(Effect.context<Registry | Quoting | Swaps | VaultSwaps>(), (context) => (answer, of) => {
      const reading = readings[of.endpoint.identifier] ?? readAlone(of.endpoint)
      return tellingIssues(of, (raw, known) => Effect.provideContext(reading(raw, known), context))(answer)
    }),
  )
