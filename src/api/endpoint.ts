import { Option, Predicate, Schema, SchemaAST } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import { AccountName } from "#domain/accounts/Account.ts"
import type { Members } from "./document/json.ts"
import { parameter } from "./parameterKinds.ts"
import {
  BadRequest,
  ContentTooLarge,
  InternalServerError,
  NotFound,
  ServiceUnavailable,
  UnsupportedMediaType,
} from "./Problems.ts"

/** The problems of endpoints that read records, of those that read one, and of those that read a body. */
export const reading = [InternalServerError, ServiceUnavailable] as const
export const ofOne = [NotFound, ...reading] as const
export const writing = [BadRequest, ContentTooLarge, UnsupportedMediaType, ...reading] as const

/** What paths name by an id. Text that cannot be such an id is answered as one that is unknown. */
export type Named = "account" | "affiliate" | "delivery" | "key" | "swap" | "webhook" | "withdrawal"

interface IdWords {
  readonly named: Named
  readonly description: string
  readonly example: string
}

/** The annotation of an id in a path that says what it names. */
export const namedBy = "named"

const inPath = <S extends Schema.Top>(
  id: S,
  { named, ...words }: IdWords,
  parse: (text: string) => Option.Option<S["Encoded"]>,
) =>
  parameter({ ...words, issue: `must be the id of a known ${named}` }, id, parse).annotate({
    [namedBy]: named,
  })

/** An id in a path that is text. */
export const idIn = <Id extends string>(id: Schema.Codec<Id, string>, words: IdWords) =>
  inPath(id, words, Option.some)

/** An id in a path that is a number. */
export const numberIn = <Id extends number>(id: Schema.Codec<Id, number>, words: IdWords) =>
  inPath(id, words, (text) => /^[1-9][0-9]{0,15}$/.test(text) ? Option.some(Number(text)) : Option.none())

/** The headers of a request for an answer that may be cached. */
export const cacheHeaders = Schema.Struct({
  "if-none-match": Schema.optionalKey(Schema.String.annotate({
    description: "Entity tags of earlier responses, weak or strong, with commas between them; or `*`.",
    examples: ['"2jmj7l5rSw0yVb_vlWAYkK_YBwk"'],
  })),
})

export const SvgBody = Schema.String.annotate({ description: "An SVG image." }).pipe(
  HttpApiSchema.asText({ contentType: "image/svg+xml" }),
)

export const accountPath = {
  name: idIn(AccountName, { named: "account", description: "Name of an account.", example: "wallet-one" }),
}

/**
 * Documents an endpoint: its `operationId`, after which generators name a client's functions and which therefore never
 * changes; a summary of one line; and everything else that a caller has to know.
 */
export const about = (identifier: string, summary: string, description: string) =>
  OpenApi.annotations({ identifier, summary, description })

/** The contract's own words about a member, for faces that ask people for it; those of a parameter stand below the checks of its encoded side. */
export const wordsOf = ({ schema: { ast } }: { readonly schema: Schema.Top }): string =>
  SchemaAST.resolveDescription(ast) ?? `${SchemaAST.toEncoded(ast).annotations?.description ?? ""}`

/** Headers by the status of the answer, in addition to those in the derived document. */
export type AnswerHeaders = Readonly<Record<string, Members>>

const withOwn = (response: unknown, own: Members | undefined): unknown =>
  own === undefined || !Predicate.isObject(response) ? response : {
    ...response,
    headers: { ...(Predicate.isObject(response.headers) ? response.headers : {}), ...own },
  }

/** The answers of an operation, each with the headers for its status. */
export const answersWith = (headers: AnswerHeaders, { responses }: Members): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(Predicate.isObject(responses) ? responses : {})
      .map(([status, response]) => [status, withOwn(response, headers[status])]),
  )

/** Makes an operation's body optional, as the derived document calls it required. */
export const optionalBody = (operation: Members): Record<string, unknown> => ({
  ...operation,
  ...(Predicate.isObject(operation.requestBody)
    ? { requestBody: { ...operation.requestBody, required: false } }
    : {}),
})
