import { Schema } from "effect"

/** A JSON schema, with what the contract uses of it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<string | number>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly additionalProperties?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly contentSchema?: JsonSchema
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
}

const optional = Schema.optionalKey
const text = optional(Schema.String)
const figure = optional(Schema.Number)

const JsonSchema: Schema.Codec<JsonSchema> = Schema.Struct({
  $ref: text,
  type: text,
  enum: optional(Schema.Array(Schema.Union([Schema.String, Schema.Finite]))),
  properties: optional(Schema.Record(Schema.String, Schema.suspend(() => JsonSchema))),
  required: optional(Schema.Array(Schema.String)),
  items: optional(Schema.suspend(() => JsonSchema)),
  prefixItems: optional(Schema.Array(Schema.suspend(() => JsonSchema))),
  additionalProperties: optional(Schema.suspend(() => JsonSchema)),
  anyOf: optional(Schema.Array(Schema.suspend(() => JsonSchema))),
  contentSchema: optional(Schema.suspend(() => JsonSchema)),
  description: text,
  minimum: figure,
  maximum: figure,
  exclusiveMinimum: figure,
  minLength: figure,
  maxLength: figure,
  minItems: figure,
  maxItems: figure,
  pattern: text,
})

const Reference = Schema.Struct({ $ref: Schema.String })
type Reference = typeof Reference.Type

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header"]),
  required: optional(Schema.Boolean),
  schema: JsonSchema,
})
export type Parameter = typeof Parameter.Type

const Example = Schema.Struct({ value: Schema.Unknown })
export type Example = typeof Example.Type

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({
    schema: JsonSchema,
    examples: optional(Schema.Record(Schema.String, Schema.Union([Reference, Example]))),
  }),
)
/** Bodies by their types. */
export type Content = typeof Content.Type

const Response = Schema.Struct({
  description: Schema.String,
  content: optional(Content),
  headers: optional(Schema.Record(Schema.String, Schema.Unknown)),
})
export type Response = typeof Response.Type

const Told = {
  operationId: Schema.String,
  summary: Schema.String,
  description: text,
  tags: Schema.Array(Schema.String),
  parameters: optional(Schema.Array(Schema.Union([Reference, Parameter]))),
}

const Endpoint = Schema.Struct({
  ...Told,
  deprecated: optional(Schema.Boolean),
  security: Schema.Array(Schema.Unknown),
  requestBody: optional(Schema.Struct({ required: optional(Schema.Boolean), content: Content })),
  responses: Schema.Record(Schema.String, Schema.Union([Reference, Response])),
  "x-codeSamples": optional(Schema.Array(Schema.Struct({ lang: Schema.String, source: Schema.String }))),
})
export type Endpoint = typeof Endpoint.Type

const Message = Schema.Struct({
  post: Schema.Struct({ ...Told, requestBody: Schema.Struct({ content: Content }) }),
})
export type Message = typeof Message.Type

/** The OpenAPI document, with what clients and the pages of the documentation are made of. */
const Contract = Schema.Struct({
  info: Schema.Struct({ version: Schema.String, description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: text })),
  "x-tagGroups": Schema.Array(Schema.Struct({ name: Schema.String, tags: Schema.Array(Schema.String) })),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Endpoint)),
  webhooks: Schema.Record(Schema.String, Message),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, JsonSchema),
    parameters: Schema.Record(Schema.String, Parameter),
    responses: Schema.Record(Schema.String, Response),
    examples: Schema.Record(Schema.String, Example),
  }),
})
export type Contract = typeof Contract.Type

/** The contract in the text of an OpenAPI document of this service. */
export const contractIn = (text: string): Contract => Schema.decodeUnknownSync(Contract)(JSON.parse(text))

/** The name that a reference ends with. */
export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1)

/** What a reference leads to, or the part itself. */
export const found = <A>(part: A | Reference, among: Readonly<Record<string, A>>): A => {
  if (typeof part !== "object" || part === null || !("$ref" in part)) return part
  const target = among[nameIn(part.$ref)]
  if (target === undefined) throw new Error(`The document has no ${part.$ref}`)
  return target
}
