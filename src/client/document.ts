import { Schema } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../api/Api.ts"
import { shared } from "../api/document/shared.ts"
import { SandboxApi } from "../http/Sandbox.ts"

/** A JSON schema, with what the contract uses of it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly contentSchema?: JsonSchema
  readonly description?: string
}

const optional = Schema.optionalKey

const JsonSchema: Schema.Codec<JsonSchema> = Schema.Struct({
  $ref: optional(Schema.String),
  type: optional(Schema.String),
  enum: optional(Schema.Array(Schema.Union([Schema.String, Schema.Finite]))),
  properties: optional(Schema.Record(Schema.String, Schema.suspend(() => JsonSchema))),
  required: optional(Schema.Array(Schema.String)),
  items: optional(Schema.suspend(() => JsonSchema)),
  additionalProperties: optional(Schema.suspend(() => JsonSchema)),
  anyOf: optional(Schema.Array(Schema.suspend(() => JsonSchema))),
  contentSchema: optional(Schema.suspend(() => JsonSchema)),
  description: optional(Schema.String),
})

const Reference = Schema.Struct({ $ref: Schema.String })

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header"]),
  required: optional(Schema.Boolean),
  schema: JsonSchema,
})
export type Parameter = typeof Parameter.Type

const Content = Schema.Record(Schema.String, Schema.Struct({ schema: JsonSchema }))

const Response = Schema.Struct({
  content: optional(Content),
  headers: optional(Schema.Record(Schema.String, Schema.Unknown)),
})
export type Response = typeof Response.Type

const Endpoint = Schema.Struct({
  operationId: Schema.String,
  summary: Schema.String,
  description: optional(Schema.String),
  deprecated: optional(Schema.Boolean),
  security: Schema.Array(Schema.Unknown),
  parameters: optional(Schema.Array(Schema.Union([Reference, Parameter]))),
  requestBody: optional(Schema.Struct({ required: optional(Schema.Boolean), content: Content })),
  responses: Schema.Record(Schema.String, Schema.Union([Reference, Response])),
})
export type Endpoint = typeof Endpoint.Type

const Message = Schema.Struct({ post: Schema.Struct({ requestBody: Schema.Struct({ content: Content }) }) })

/** The OpenAPI document, with what a client is made of. */
const Contract = Schema.Struct({
  info: Schema.Struct({ version: Schema.String }),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Endpoint)),
  webhooks: Schema.Record(Schema.String, Message),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, JsonSchema),
    parameters: Schema.Record(Schema.String, Parameter),
    responses: Schema.Record(Schema.String, Response),
  }),
})
export type Contract = typeof Contract.Type

/** What clients are made of, in the text of an OpenAPI document. */
export const contractIn = (text: string): Contract => Schema.decodeUnknownSync(Contract)(JSON.parse(text))

/** The contract of this code, sandbox included, as the service serves it. */
export const contract = (): Contract =>
  contractIn(JSON.stringify(shared({ ...OpenApi.fromApi(Api.addHttpApi(SandboxApi)) })))

/** The name that a reference ends with. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)
