import { Effect, Option, Predicate, Result, Schema, SchemaAST } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { heldKeyIssues, holdsKey } from "#application/accounts/ApiKey.ts"
import { isKept } from "#api/parameterKinds.ts"
import { SwitchBody } from "#api/Providers.ts"
import { unknownMembers } from "#api/unknownMembers.ts"
import { ReplayBody } from "#api/WebhookBodies.ts"
import { combineIssues, type Issues, issuesOf, noIssues } from "#domain/Issues.ts"
import { switchIssues } from "#domain/operations/ProviderSwitch.ts"
import { alreadyTold } from "#domain/RequestRules.ts"
import { rangeOf } from "#application/webhooks/replayRange.ts"
import { closestOf } from "./nearNames.ts"
import { problemResponse } from "./failAsProblem.ts"
import { accept, parameterIssues, type RawParameters, type Reader, readerOf } from "./parameterIssues.ts"
import { type Given, plainBody } from "./rawParameters.ts"
import { RequestMeta } from "./RequestMeta.ts"

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

/** The request with this JSON for its body. */
const withBody = ({ headers, method, url }: HttpServerRequest.HttpServerRequest, body: string) =>
  HttpServerRequest.fromWeb(new Request("http://broker.invalid/", { method, body })).modify({
    url,
    headers: Headers.set(headers, "content-type", "application/json"),
  })

/** What no payload is. */
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
