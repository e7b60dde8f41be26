import { Effect, Option, Predicate, Result, Schema, SchemaAST } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { heldKeyIssues } from "../accounts/ApiKey.ts"
import { isKept } from "../api/parameterKinds.ts"
import { SwitchBody } from "../api/Providers.ts"
import { ReplayBody } from "../api/WebhookBodies.ts"
import { combineIssues, type Issues, issuesOf, noIssues } from "../domain/Issues.ts"
import { switchIssues } from "../domain/ProviderSwitch.ts"
import { alreadyTold } from "../domain/RequestRules.ts"
import { rangeOf } from "../webhooks/replayRange.ts"
import { problemResponse } from "./orProblem.ts"
import { accept, parameterIssues, type RawParameters, type Reader, readerOf } from "./parameterIssues.ts"
import { plainBody } from "./rawParameters.ts"
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

/** Reads a body by the schema of its endpoint's payload: the JSON that HttpApi decodes, or all issues (decision 15). */
const readPayload = (schema: Schema.Top) => {
  const payload: Schema.Codec<unknown, unknown> = Schema.make(schema.ast)
  const decode = Schema.decodeUnknownOption(Schema.toCodecArrayFromSingle(payload))
  const encode = Schema.encodeUnknownSync(payload)
  const issuesOf = parameterIssues(schema)
  const rule = rules.get(schema.ast) ?? (() => noIssues)
  const kept = keptNames(schema.ast)
  return Effect.gen(function* () {
    const { issues: repeated, raw } = yield* plainBody
    yield* accept([repeated], Result.void)
    const { credentials } = yield* RequestMeta
    const unread = issuesOf(raw)
    const held = combineIssues(
      kept.filter((name) => Object.hasOwn(raw, name) && !Object.hasOwn(unread, name))
        .map((name) => heldKeyIssues(name, `${raw[name]}`, credentials)),
    )
    const whole = Option.match(decode(raw), { onNone: () => alreadyTold, onSome: Result.succeed })
    const encoded = encode(yield* accept([unread, rule(raw), held], whole))
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

/**
 * Makes a middleware that reads bodies for HttpApi, which would see neither a member that stands twice nor more issues
 * than one. A body that is refused is told where HttpApi would decode it: after the path, the header and the query.
 */
export const readingPayload = ({ payload }: HttpApiEndpoint.Top) => {
  const [body] = [...payload.values()].flatMap((body) => "schemas" in body ? [...body.schemas] : [])
  const read = body === undefined ? undefined : readPayload(body)
  return <E, R>(answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    read === undefined ? answer : Effect.gen(function* () {
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
