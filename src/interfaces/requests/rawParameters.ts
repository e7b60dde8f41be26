import { Effect, Option, Predicate } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { withoutExponent } from "#domain/money/Decimal.ts"
import {
  combineIssues,
  hasIssues,
  InvalidRequest,
  issueAbout,
  type Issues,
  noIssues,
} from "#domain/Issues.ts"
import { type JsonText, parseJsonText, repeatedMembers } from "#domain/JsonText.ts"
import type { RawParameters } from "./parameterIssues.ts"
import { BodyNotJson } from "./HttpFailure.ts"

declare global {
  interface JSON {
    /** The form whose reviver gets a number's digits as they were written, so that none passes through a double. */
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

/** The text of a body, which is empty or JSON by its `Content-Type`. A body without one is taken for JSON. */
export const jsonBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* Effect.orDie(request.text)
  const contentType = request.headers["content-type"] ?? "application/json"
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)
  return isJson || text.trim() === "" ? text : yield* new BodyNotJson()
})

/** The most repeated members that are told: a body of 64 kB can have thousands. */
const mostRepeated = 20

const repeatedIn = (json: JsonText): Issues =>
  combineIssues(
    repeatedMembers(json).slice(0, mostRepeated).map((name) => issueAbout(name, "may be given only once")),
  )

/** Refuses a body in which a member stands twice. Further rules are left to the reader of the body. */
export const requireSingleMembers = (text: string): Effect.Effect<void, InvalidRequest> => {
  const issues = Option.match(parseJsonText(text), { onNone: () => noIssues, onSome: repeatedIn })
  return hasIssues(issues) ? Effect.fail(new InvalidRequest({ errors: issues })) : Effect.void
}

/** The parameters of a request as they came, and the issues of how they are written. */
export interface Given {
  readonly raw: RawParameters
  readonly issues: Issues
  /** The members of the body that are null: they stand for absent ones. */
  readonly nulls?: ReadonlyArray<string>
}

const emptyBody: Given = { raw: {}, issues: noIssues }

/** The members of a JSON body. A null stands for an absent member, and an empty body has no members. */
const bodyRead = (parse: (json: JsonText) => unknown) =>
  Effect.gen(function* () {
    const text = yield* jsonBody
    if (text.trim() === "") return emptyBody
    const json = Option.getOrUndefined(parseJsonText(text))
    if (json === undefined) return yield* unreadable
    const body = parse(json)
    if (!Predicate.isObject(body)) return yield* notAnObject
    const members = Object.entries(body)
    const nulls = members.filter(([, value]) => value === null).map(([name]) => name)
    const read: Given = {
      raw: Object.fromEntries(members.filter(([, value]) => value !== null)),
      issues: repeatedIn(json),
      ...(nulls.length === 0 ? {} : { nulls }),
    }
    return read
  })

/** The members of a JSON body. Numbers become text of their digits, without exponents. */
export const bodyParameters = bodyRead((json) =>
  JSON.parse(
    json,
    (_, value, { source }) =>
      typeof value === "number" && source !== undefined ? withoutExponent(source) : value,
  )
)

/** The members of a JSON body without amounts, as any reader of JSON has them. */
export const plainBody = bodyRead((json) => JSON.parse(json))

/**
 * The members of a body with the gas budget of `ccmPayload` under the contract's name. Clients write `gas_budget`, as
 * the network's own interface does, or `gasBudget`.
 */
const withOneGasBudget = (
  raw: RawParameters,
): Given => {
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

/** The issues of members that query and body have with different values (decision 4). */
const contradictions = (query: RawParameters, body: RawParameters): Issues =>
  combineIssues(
    Object.keys(body)
      .filter((name) => Object.hasOwn(query, name) && query[name] !== body[name])
      .map((name) => issueAbout(name, "is in the query and in the body with different values")),
  )

/** The parameters of query and body together, with an issue for each contradiction of the two (decision 4). */
export const queryAndBodyParameters = Effect.gen(function* () {
  const query = yield* queryParameters
  const body = yield* bodyParameters
  const members = withOneGasBudget(body.raw)
  const raw: RawParameters = { ...members.raw, ...query }
  const issues = combineIssues([body.issues, members.issues, contradictions(query, members.raw)])
  const given: Given = { ...body, raw, issues }
  return given
})
