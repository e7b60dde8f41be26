import { Effect, Option, Predicate } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { withoutExponent } from "../domain/Decimal.ts"
import {
  combineIssues,
  hasIssues,
  InvalidRequest,
  issueAbout,
  type Issues,
  noIssues,
} from "../domain/Issues.ts"
import { type JsonText, parseJsonText, repeatedMembers } from "../domain/JsonText.ts"
import { BodyNotJson } from "./HttpFailure.ts"
import type { RawParameters } from "./readParameters.ts"

declare global {
  interface JSON {
    /** The form whose reviver sees how a number was written, so that none passes through a double. */
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** The parameters of the query string. */
export const queryParameters: Effect.Effect<RawParameters, never, HttpServerRequest.ParsedSearchParams> =
  HttpServerRequest.ParsedSearchParams

const notAnObject = new InvalidRequest({
  errors: issueAbout("body", "must be a JSON object with the parameters as its members"),
})

const unreadable = new InvalidRequest({ errors: issueAbout("body", "is not JSON that can be read") })

/** The text of a body, which may be empty, and else does not say that it is something other than JSON. */
export const jsonBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  const contentType = request.headers["content-type"] ?? "application/json"
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)
  return isJson || text.trim() === "" ? text : yield* new BodyNotJson()
})

const repeatedIn = (json: JsonText): Issues =>
  combineIssues(repeatedMembers(json).map((name) => issueAbout(name, "may be given only once")))

/** Refuses a body in which a member stands twice; whoever it is passed on to reads the rest of it. */
export const requireSingleMembers = (text: string): Effect.Effect<void, InvalidRequest> => {
  const issues = Option.match(parseJsonText(text), { onNone: () => noIssues, onSome: repeatedIn })
  return hasIssues(issues) ? Effect.fail(new InvalidRequest({ errors: issues })) : Effect.void
}

/** The members of a body, of which null stands for one that is absent, and what is wrong with how it is written. */
interface Body {
  readonly raw: RawParameters
  readonly issues: Issues
}

const emptyBody: Body = { raw: {}, issues: noIssues }

/** The members of a JSON body. An empty body has none. */
const bodyRead = (parse: (json: JsonText) => unknown) =>
  Effect.gen(function* () {
    const text = yield* jsonBody
    if (text.trim() === "") return emptyBody
    const json = Option.getOrUndefined(parseJsonText(text))
    if (json === undefined) return yield* unreadable
    const body = parse(json)
    if (!Predicate.isObject(body)) return yield* notAnObject
    return {
      raw: Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
      issues: repeatedIn(json),
    }
  })

/** The members of a JSON body, whose numbers are text, digit by digit and without exponents. */
const bodyParameters = bodyRead((json) =>
  JSON.parse(
    json,
    (_, value, { source }) =>
      typeof value === "number" && source !== undefined ? withoutExponent(source) : value,
  )
)

/** The members of a JSON body in which no number is an amount. */
export const bodyMembers = Effect.flatMap(
  bodyRead((json) => JSON.parse(json)),
  ({ raw, issues }) =>
    hasIssues(issues) ? Effect.fail(new InvalidRequest({ errors: issues })) : Effect.succeed(raw),
)

/**
 * The members of a body in which a message for the receiving contract has its gas budget under the one name of the
 * contract: clients write `gas_budget`, as the network's own interface does, or `gasBudget`.
 */
const withOneGasBudget = (
  raw: RawParameters,
): { readonly raw: RawParameters; readonly issues: Issues } => {
  const { ccmPayload } = raw
  if (!Predicate.isObject(ccmPayload) || !Object.hasOwn(ccmPayload, "gas_budget")) {
    return { raw, issues: noIssues }
  }
  const { gas_budget: gasBudget, ...message } = { gasBudget: undefined, gas_budget: undefined, ...ccmPayload }
  const differs = message.gasBudget !== undefined && message.gasBudget !== gasBudget
  return {
    raw: { ...raw, ccmPayload: { ...message, gasBudget } },
    issues: differs
      ? issueAbout("ccmPayload", "has a gasBudget and a gas_budget with different values")
      : noIssues,
  }
}

/** Members that the query and the body both have, with different values (decision 4). */
const contradictions = (query: RawParameters, body: RawParameters): Issues =>
  combineIssues(
    Object.keys(body)
      .filter((name) => Object.hasOwn(query, name) && query[name] !== body[name])
      .map((name) => issueAbout(name, "is in the query and in the body with different values")),
  )

/** The parameters of query and body together, and where the two contradict each other (decision 4). */
export const queryAndBodyParameters = Effect.gen(function* () {
  const query = yield* queryParameters
  const body = yield* bodyParameters
  const members = withOneGasBudget(body.raw)
  const raw: RawParameters = { ...members.raw, ...query }
  return { raw, issues: combineIssues([body.issues, members.issues, contradictions(query, members.raw)]) }
})

/** The parameters of query and body together, whatever is wrong with them. */
export const givenParameters = Effect.map(queryAndBodyParameters, ({ raw }) => raw)
