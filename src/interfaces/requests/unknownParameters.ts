import { Context, Effect, Option } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { HttpServerResponse } from "effect/http"
import { holdsKey } from "#application/accounts/ApiKey.ts"
import { NamesOfOpening } from "#api/Idempotency.ts"
import { membersOf } from "./failedRequests.ts"
import { combineIssues, issueAbout, type Issues, noIssues } from "#domain/Issues.ts"
import { RequiredScopes } from "#api/Authorization.ts"
import { strangeName } from "#api/unknownMembers.ts"
import { closestName, closestOf, meant, nearMiss, tagRefusal, tagsIn } from "./nearNames.ts"
import { type Given, queryAndBodyParameters, queryParameters, type RawParameters } from "./parameterIssues.ts"
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

const slip = (raw: RawParameters, name: string, known: ReadonlyArray<string>): string | undefined => {
  const sentence = nearMiss(name, known)
  return sentence === undefined || saysTheSame(raw, name, known) ? undefined : sentence
}

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
export type Endpoint = Pick<HttpApiEndpoint.Top, "annotations" | "payload" | "query">

/** Adds an issue for each unknown name near a known one, or of a recipient's tag, where ignoring it changes the swap. */
const withLosses = ({ annotations }: Endpoint, given: Given): Given =>
  Option.match(Context.getOption(annotations, NamesOfOpening), {
    onNone: () => given,
    onSome: (known) => ({ ...given, issues: combineIssues([given.issues, lossIssues(given.raw, known)]) }),
  })

export type RequestServices = Effect.Services<typeof queryAndBodyParameters>

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
    : nearMiss(name, known) ?? "is not a parameter here"
}

/** Whether an endpoint's group is the operator's own: an unknown name of its queries is refused, not ignored. */
export const isOperators = ({ annotations }: Pick<HttpApiGroup.Top, "annotations">): boolean =>
  Option.exists(Context.getOption(annotations, RequiredScopes), (scopes) => scopes.includes("operate"))

/** A parameter whose name is not repeated: it is longer than any of ours, or holds an API key. */
const nameless = issueAbout("query", "has an unknown parameter (its name is not repeated)")

/** The issues of all names in the query of an operator's endpoint that it does not have, each with the nearest one. */
export const refusedNames = (known: ReadonlyArray<string>): Effect.Effect<Issues, never, RequestServices> =>
  Effect.gen(function* () {
    const { credentials } = yield* RequestMeta
    const names = unknownNames(yield* queryParameters, known).slice(0, mostListed)
    return combineIssues(
      names.map((name) =>
        name.length > longestListed || holdsKey(name, credentials)
          ? nameless
          : issueAbout(name, strangeName("parameter", closestOf(name, known), known))
      ),
    )
  })

/**
 * The issues of names that an endpoint does not have, of a request that is refused anyway: where one of ours is missing,
 * such a name may have been meant for it. Endpoints that begin a swap tell theirs with every request.
 */
export const strangerIssues = (
  { annotations }: Endpoint,
  known: ReadonlyArray<string>,
): Effect.Effect<Issues, never, RequestServices> =>
  Option.isSome(Context.getOption(annotations, NamesOfOpening))
    ? Effect.succeed(noIssues)
    : Effect.gen(function* () {
      const { credentials } = yield* RequestMeta
      const raw = yield* queryParameters
      return combineIssues(
        unknownNames(raw, known)
          .filter((name) => name.length <= longestListed && !holdsKey(name, credentials))
          .slice(0, mostListed)
          .map((name) => issueAbout(name, strangerSentence(raw, name, known))),
      )
    })

/** The names in a request that an endpoint which begins a swap ignores. A body that cannot be read has none. */
const ignoredByOpening = (endpoint: Endpoint, known: ReadonlyArray<string>) =>
  Effect.map(
    Effect.orElseSucceed(givenTo(endpoint), (): Given => ({ raw: {}, issues: noIssues })),
    ({ issues, nulls = [], raw }) => [
      // A name is in the issues where it was refused, and a null says nothing, whatever its name means.
      ...unknownNames(raw, known).filter((name) => !Object.hasOwn(issues, name)),
      ...nulls.filter((name) => !known.includes(name) && !Object.hasOwn(raw, name)),
    ],
  )

/** The names in a request that its endpoint ignores: of openings in query and body, of others in the query. */
const ignoredBy = (endpoint: Endpoint) =>
  Option.match(Context.getOption(endpoint.annotations, NamesOfOpening), {
    onNone: () => Effect.map(queryParameters, (raw) => unknownNames(raw, membersOf(endpoint.query))),
    onSome: (known) => ignoredByOpening(endpoint, known),
  })

/** Lists in `Ignored-Parameters` the names that an endpoint ignored (decision 3). */
export const listIgnored = <E, R>(
  endpoint: Endpoint,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) =>
  Effect.gen(function* () {
    const response = yield* answer
    const { credentials } = yield* RequestMeta
    const names = (yield* ignoredBy(endpoint)).filter((name) => !holdsKey(name, credentials))
    return names.length === 0
      ? response
      : HttpServerResponse.setHeader(response, "ignored-parameters", ignoredField(names))
  })
