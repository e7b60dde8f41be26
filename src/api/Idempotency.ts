import { Context, Predicate, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { IdempotencyKey, keyInHeader } from "#domain/swaps/Idempotency.ts"
import { type AnswerHeaders, answersWith, optionalBody } from "./endpoint.ts"
import { parameter } from "./parameterKinds.ts"
import { Conflict, UnprocessableContent } from "./Problems.ts"

/** The request header's name, in the documentation and in faults. */
export const idempotencyKeyHeader = "Idempotency-Key"

/** The name of the header that marks a repeated answer. */
export const replayedHeader = "Idempotent-Replayed"

export const IdempotencyKeyText = parameter(
  {
    description:
      "Recommended. Makes a repeat safe: 1 to 255 printable ASCII characters, bare or in quotes, new for each swap. A " +
      "repeat with the same method, path and parameters gets the response of the first request (200, 500 or 503). After a " +
      "503, use a new key. See [Idempotency](/docs/idempotency).",
    example: "5f0c6c0e-7d2b-4c1e-9a53-0e6b9f3d2a71",
    jsonSchema: { minLength: 1, maxLength: 255 },
    issue: "must be 1 to 255 printable ASCII characters, bare or in quotes",
  },
  IdempotencyKey,
  keyInHeader,
)

/** The headers of an endpoint whose requests can be repeated under a key. */
export const IdempotencyHeaders = Schema.Struct({ "idempotency-key": Schema.optionalKey(IdempotencyKeyText) })

/** The further problems of such an endpoint. */
export const idempotencyProblems = [Conflict, UnprocessableContent] as const

const inItsSpelling = (parameter: unknown): unknown =>
  Predicate.isObject(parameter) && parameter.in === "header" &&
    `${parameter.name}`.toLowerCase() === idempotencyKeyHeader.toLowerCase()
    ? { ...parameter, name: idempotencyKeyHeader }
    : parameter

const ignoredParameters = {
  "Ignored-Parameters": {
    description:
      "Names in the request that mean nothing here, as a list of RFC 9651; absent where there are none.",
    schema: { type: "string", examples: ["utm_source, referrer"] },
  },
}

const text = (description: string) => ({ description, schema: { type: "string" } })

/** The headers of a signed answer (decisions 47 and 65). */
const signed = {
  "Content-Digest": text("SHA-256 of the body (RFC 9530); absent where the service has no key to sign with."),
  "Swap-Key-Id": text(
    "Public id of the API key that the response is signed for; absent where the key is unknown.",
  ),
  "Swap-Request-Digest": text("SHA-256 of the body of the request, written as in `Content-Digest`."),
  "Signature-Input": text("What `Signature` covers and how (RFC 9421), under the label `swap`."),
  Signature: text("Ed25519 signature (RFC 9421) of the response and of the request; see Signed responses."),
  "Swap-Signature": {
    ...text(
      "Former signature, for whichever key and `Idempotency-Key`. Verify `Signature`: this header ends in June " +
        "2027 at the earliest.",
    ),
    deprecated: true,
  },
}

/** The headers, by status, about the key, about the signature or about ignored parameters. */
const headersOf: AnswerHeaders = {
  "400": ignoredParameters,
  ...Object.fromEntries(["200", "500", "503"].map((status) => [status, {
    ...ignoredParameters,
    ...signed,
    [replayedHeader]: {
      description: "true: the response was given before, and is repeated; absent otherwise.",
      schema: { type: "string", enum: ["true"] },
    },
  }])),
  "409": {
    "Retry-After": { description: "Seconds to wait before asking again.", schema: { type: "integer" } },
  },
}

/** Adds the headers of the key to an operation, as the derived document lacks some of them. */
export const documentKey = (operation: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...optionalBody(operation),
  parameters: Array.isArray(operation.parameters) ? operation.parameters.map(inItsSpelling) : [],
  responses: answersWith(headersOf, operation),
})

/**
 * The names of an endpoint that begins a swap. Other names are listed in its answer as ignored, but a name that nearly
 * matches one of these is refused, as it would change what is opened.
 */
export class NamesOfOpening extends Context.Service<NamesOfOpening, ReadonlyArray<string>>()(
  "swap-broker/api/Idempotency/NamesOfOpening",
) {}

/** Annotates an endpoint that begins a swap with its names, and documents its key. */
export const beginsSwap = (names: ReadonlyArray<string>) =>
  Context.make(NamesOfOpening, names).pipe(Context.add(OpenApi.Transform, documentKey))
