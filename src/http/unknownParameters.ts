import { Context, Effect, Option } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { holdsKey } from "../accounts/ApiKey.ts"
import { NamesOfOpening } from "../api/Idempotency.ts"
import { combineIssues, issueAbout, type Issues, noIssues } from "../domain/Issues.ts"
import { closestName, nearMiss } from "./nearNames.ts"
import type { RawParameters } from "./explain.ts"
import { type Given, queryAndBodyParameters, queryParameters } from "./rawParameters.ts"
import { Received } from "./server/Received.ts"
import { listField, nameItem } from "./structuredFields.ts"

/** Comparing names takes time: no honest request has nearly so many that mean nothing. */
const mostCompared = 200

const unknownNames = (raw: RawParameters, known: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(raw).filter((name) => !known.includes(name)).slice(0, mostCompared)

/** A caller that says the same by our name, too, loses nothing where the other name is ignored. */
const saysTheSame = (raw: RawParameters, name: string, known: ReadonlyArray<string>): boolean => {
  const ours = closestName(name, known)
  return ours !== undefined && raw[ours] === raw[name]
}

const slip = (raw: RawParameters, name: string, known: ReadonlyArray<string>): string | undefined =>
  saysTheSame(raw, name, known) ? undefined : nearMiss(name, known)

const nearMissIssues = (raw: RawParameters, known: ReadonlyArray<string>): Issues =>
  combineIssues(
    unknownNames(raw, known).flatMap((name) => {
      const sentence = slip(raw, name, known)
      return sentence === undefined ? [] : [issueAbout(name, sentence)]
    }),
  )

/** A header has to fit into what proxies take; what is over is counted. */
const mostListed = 20
const longestListed = 64

const ignoredField = (names: ReadonlyArray<string>): string => {
  const listed = names.filter(({ length }) => length <= longestListed).slice(0, mostListed)
  const left = names.length - listed.length
  return listField([...listed.map(nameItem), ...(left === 0 ? [] : [`*;more=${left}`])])
}

/** What an endpoint says of how it reads its requests. */
export type Endpoint = Pick<HttpApiEndpoint.Top, "annotations" | "payload">

/**
 * Adds an issue for each name that an endpoint which begins a swap does not know, but that nearly is one which it
 * knows: ignored, it would change what is opened.
 */
const withNearMisses = ({ annotations }: Endpoint, { issues, raw }: Given): Given =>
  Option.match(Context.getOption(annotations, NamesOfOpening), {
    onNone: () => ({ raw, issues }),
    onSome: (known) => ({ raw, issues: combineIssues([issues, nearMissIssues(raw, known)]) }),
  })

/** What reading a request takes of it. */
export type RequestServices = Effect.Services<typeof queryAndBodyParameters>

/** What a GET says. */
export const givenInQuery = (endpoint: Endpoint) =>
  Effect.map(queryParameters, (raw) => withNearMisses(endpoint, { raw, issues: noIssues }))

/** What a POST says in its query, its body, or both. */
export const givenInBoth = (endpoint: Endpoint) =>
  Effect.map(queryAndBodyParameters, (given) => withNearMisses(endpoint, given))

/** What a request says, wherever its endpoint lets it be said. */
export const givenTo = (endpoint: Endpoint): ReturnType<typeof givenInBoth> =>
  endpoint.payload.size > 0 ? givenInBoth(endpoint) : givenInQuery(endpoint)

/** The names of a request that mean nothing to its endpoint; a body that cannot be read has none. */
const ignoredBy = Effect.fnUntraced(function* (endpoint: Endpoint, known: ReadonlyArray<string>) {
  const { credentials } = yield* Received
  const { raw } = yield* Effect.orElseSucceed(givenTo(endpoint), () => ({ raw: {} }))
  return unknownNames(raw, known).filter((name) =>
    slip(raw, name, known) === undefined && !holdsKey(name, credentials)
  )
})

/** Lists in `Ignored-Parameters` what an endpoint that begins a swap did not read of its request. */
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
