import { Effect } from "effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { holdsKey } from "../accounts/ApiKey.ts"
import { swapParameterNames } from "../api/Swap.ts"
import { payloadNamesOf } from "../api/TxPayload.ts"
import { combineIssues, issueAbout, type Issues } from "../domain/Issues.ts"
import { closestName, nearMiss } from "./nearNames.ts"
import { givenParameters, queryParameters } from "./rawParameters.ts"
import type { RawParameters } from "./readParameters.ts"
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

/** An issue for each name that is nearly one of the `known` ones: ignored, it would change what is opened. */
export const nearMissIssues = (raw: RawParameters, known: ReadonlyArray<string>): Issues =>
  combineIssues(
    unknownNames(raw, known).flatMap((name) => {
      const sentence = slip(raw, name, known)
      return sentence === undefined ? [] : [issueAbout(name, sentence)]
    }),
  )

/** What the paths that begin a swap are told, by the identifiers of their endpoints. */
const knownOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  swap: swapParameterNames,
  swapPost: swapParameterNames,
  bitcoinPayload: payloadNamesOf("bitcoin"),
  bitcoinPayloadPost: payloadNamesOf("bitcoin"),
  evmPayload: payloadNamesOf("evm"),
  evmPayloadPost: payloadNamesOf("evm"),
  solanaPayload: payloadNamesOf("solana"),
  solanaPayloadPost: payloadNamesOf("solana"),
  tronPayload: payloadNamesOf("tron"),
  tronPayloadPost: payloadNamesOf("tron"),
}

/** A header has to fit into what proxies take; what is over is counted. */
const mostListed = 20
const longestListed = 64

const ignoredField = (names: ReadonlyArray<string>): string => {
  const listed = names.filter(({ length }) => length <= longestListed).slice(0, mostListed)
  const left = names.length - listed.length
  return listField([...listed.map(nameItem), ...(left === 0 ? [] : [`*;more=${left}`])])
}

const parameters = Effect.flatMap(
  HttpServerRequest.HttpServerRequest,
  ({ method }) => method === "POST" ? givenParameters : queryParameters,
)

/** The names of a request that mean nothing to its endpoint; a body that cannot be read has none. */
const ignoredBy = Effect.fnUntraced(function* (known: ReadonlyArray<string>) {
  const { credentials } = yield* Received
  const raw = yield* Effect.orElseSucceed(parameters, (): RawParameters => ({}))
  return unknownNames(raw, known).filter((name) =>
    slip(raw, name, known) === undefined && !holdsKey(name, credentials)
  )
})

/** Lists in `Ignored-Parameters` what an endpoint that begins a swap did not read of its request. */
export const listIgnored = <E, R>(
  endpoint: string,
  answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) => {
  const known = knownOf[endpoint]
  if (known === undefined) return answer
  return Effect.flatMap(
    answer,
    (response) =>
      Effect.map(
        ignoredBy(known),
        (names) =>
          names.length === 0
            ? response
            : HttpServerResponse.setHeader(response, "ignored-parameters", ignoredField(names)),
      ),
  )
}
