import { Context, Effect, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { holdsKey } from "../accounts/ApiKey.ts"
import { NamesOfOpening } from "../api/Idempotency.ts"
import { combineIssues, issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { closestName, meant, nearMiss } from "./nearNames.ts"
import type { RawParameters } from "./parameterIssues.ts"
import { type Given, queryAndBodyParameters, queryParameters } from "./rawParameters.ts"
import { tagRefusal, tagsIn } from "./recipientTags.ts"
import { RequestMeta } from "./RequestMeta.ts"
import { listField, nameItem } from "./structuredFields.ts"

/** The most unknown names that are compared, as comparing takes time. No honest request has nearly so many. */
const mostCompared = 200

const unknownNames = (raw: RawParameters, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(raw).filter((name) => !known.includes(name)).slice(0, mostCompared)

/** Whether the request has the same value under our name, too. Nothing is lost then where the other name is ignored. */
const saysTheSame = (raw: RawParameters, name: string, known: ReadonlyArray<string>): boolean => {
  const ours = closestName(name, known)
  return ours !== undefined && raw[ours] === raw[name]
}

const slip = (raw: RawParameters, name: string, known: ReadonlyArray<string>): string | undefined =>
  saysTheSame(raw, name, known) ? undefined : nearMiss(name, known)

/** The issues of unknown names that would be a loss if they were ignored, by their paths in the request. */
const lossIssues = (raw: RawParameters, known: ReadonlyArray<string>): Issues => {
  const tags = tagsIn(raw, known)
  return combineIssues([
    ...tags.map((path) => issueAbout(path, tagRefusal(path))),
    ...unknownNames(raw, known).filter((name) => !tags.includes(name)).flatMap((name) => {
      const sentence = slip(raw, name, known)
      return sentence === undefined ? [] : [issueAbout(name, sentence)]
    }),
  ])
}

/** The most names in the header, and the longest one, so that proxies take it. Names left out are counted. */
const mostListed = 20
const longestListed = 64

const ignoredField = (names: ReadonlyArray<string>): string => {
  const listed = names.filter(({ length }) => length <= longestListed).slice(0, mostListed)
  const left = names.length - listed.length
  return listField([...listed.map(nameItem), ...(left === 0 ? [] : [`*;more=${left}`])])
}

/** The parts of an endpoint that say how its requests are read. */
export type Endpoint = Pick<HttpApiEndpoint.Top, "annotations" | "payload">

/**
 * Adds an issue for each unknown name that is nearly one of the endpoint's, or that of a tag of the recipient, where the
 * endpoint begins a swap: ignored, the name would change the swap.
 */
const withLosses = ({ annotations }: Endpoint, given: Given): Given =>
  Option.match(Context.getOption(annotations, NamesOfOpening), {
    onNone: () => given,
    onSome: (known) => ({ ...given, issues: combineIssues([given.issues, lossIssues(given.raw, known)]) }),
  })

/** The services that reading a request needs. */
export type RequestServices = Effect.Services<typeof queryAndBodyParameters>

/** The parameters of a GET. */
export const givenInQuery = (endpoint: Endpoint) =>
  Effect.map(queryParameters, (raw) => withLosses(endpoint, { raw, issues: noIssues }))

/** The parameters of a POST: in its query, its body, or both. */
export const givenInBoth = (endpoint: Endpoint) =>
  Effect.map(queryAndBodyParameters, (given) => withLosses(endpoint, given))

/** The parameters of a request, from wherever its endpoint takes them. */
export const givenTo = (endpoint: Endpoint): ReturnType<typeof givenInBoth> =>
  endpoint.payload.size > 0 ? givenInBoth(endpoint) : givenInQuery(endpoint)

/** Names that often mean something harmless, and ours where those are missing. */
const shortNames: ReadonlyMap<string, string> = new Map([["from", "sourceAsset"], ["to", "destinationAsset"]])

const strangerSentence = (raw: RawParameters, name: string, known: ReadonlyArray<string>): string => {
  const short = shortNames.get(name)
  return short !== undefined && known.includes(short) && !Object.hasOwn(raw, short)
    ? meant(short)
    : nearMiss(name, known) ?? "is no parameter here"
}

/**
 * The issues of names that an endpoint does not have, of a request that is refused anyway: where one of ours is missing,
 * such a name may have been meant for it. Endpoints that begin a swap tell theirs with every request.
 */
export const strangerIssues = (
  { annotations }: Endpoint,
  known: ReadonlyArray<string>,
  raw: RawParameters,
): Effect.Effect<Issues> =>
  Effect.map(
    RequestMeta,
    ({ credentials }) =>
      Option.isSome(Context.getOption(annotations, NamesOfOpening)) ? noIssues : combineIssues(
        unknownNames(raw, known)
          .filter((name) => name.length <= longestListed && !holdsKey(name, credentials))
          .slice(0, mostListed)
          .map((name) => issueAbout(name, strangerSentence(raw, name, known))),
      ),
  )

/** The names in a request that its endpoint ignores. A body that cannot be read has none. */
const ignoredBy = Effect.fnUntraced(function* (endpoint: Endpoint, known: ReadonlyArray<string>) {
  const { credentials } = yield* RequestMeta
  const given = yield* Effect.orElseSucceed(givenTo(endpoint), (): Given => ({ raw: {}, issues: noIssues }))
  const { issues, raw } = given
  // A name is in the issues where it was refused, and a null says nothing, whatever its name means.
  return [
    ...unknownNames(raw, known).filter((name) => !Object.hasOwn(issues, name)),
    ...(given.nulls ?? []).filter((name) => !known.includes(name) && !Object.hasOwn(raw, name)),
  ].filter((name) => !holdsKey(name, credentials))
})

/** Lists in `Ignored-Parameters` the names that an endpoint which begins a swap ignored. */
export const listIgnored = <E, R>(
  endpoint: Endpoint,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) =>
  Option.match(Context.getOption(endpoint.annotations, NamesOfOpening), {
    onNone: () => answer,
    onSome: (known) =>
      Effect.flatMap(
        answer,
        (response) =>
          Effect.map(ignoredBy(endpoint, known), (names) =>
            names.length === 0
              ? response
              : HttpServerResponse.setHeader(response, "ignored-parameters", ignoredField(names))),
      ),
  })
