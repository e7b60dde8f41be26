import { found, nameIn } from "#api/document/Contract.ts"
import type { Contract, Endpoint, JsonSchema, Parameter, Response } from "#api/document/Contract.ts"
import type { Sending } from "./typescript/request.ts"

export interface Field {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

export interface ClientOperation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly deprecated: boolean
  readonly sending: Sending
  readonly isPublic: boolean
  readonly isSigned: boolean
  readonly hasBody: boolean
  readonly fields: ReadonlyArray<Field>
  /** A body that is no single object with members; its members come beside `fields`. */
  readonly body?: JsonSchema
  readonly answer: { readonly json: JsonSchema } | { readonly events: ReadonlyArray<StreamEvent> } | "text"
}

export interface StreamEvent {
  readonly name: string
  readonly data: JsonSchema
}

const idempotencyKey = "Idempotency-Key"
const signature = "Signature"

const parametersOf = ({ components }: Contract, { parameters = [] }: Endpoint): ReadonlyArray<Parameter> =>
  parameters.map((one) => found<Parameter>(one, components.parameters))

const responsesOf = ({ components }: Contract, { responses }: Endpoint) =>
  Object.entries(responses)
    .map(([status, one]) => ({ status, response: found<Response>(one, components.responses) }))

const toField = ({ name, required = false, schema }: Parameter): Field => ({ name, required, schema })

const schemaOf = ({ components }: Contract, schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : found<JsonSchema>({ $ref: schema.$ref }, components.schemas)

/** The members of a body that is an object, as fields; none where it is anything else. */
const membersOf = (document: Contract, body: JsonSchema): ReadonlyArray<Field> | undefined => {
  const { properties, required = [] } = schemaOf(document, body)
  return properties === undefined ? undefined : Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
  }))
}

/** The data of each event of a stream: what the document says of its text, else the swap's event of the same types. */
const eventsOf = (document: Contract, { properties = {} }: JsonSchema): ReadonlyArray<StreamEvent> => {
  const { data = {}, event = {} } = properties
  const names = (schemaOf(document, event).enum ?? []).map((name) => `${name}`)
  const kinds = data.contentSchema?.anyOf ?? []
  if (kinds.length === names.length) return names.flatMap((name, at) => ({ name, data: kinds[at] ?? {} }))
  const [component] = Object.entries(document.components.schemas)
    .find(([, { properties = {} }]) => {
      const types = schemaOf(document, properties.type ?? {}).enum ?? []
      return names.length > 1 && names.every((name) => types.includes(name))
    }) ?? []
  if (component === undefined) throw new Error(`Nothing says what the data of ${names.join(", ")} is`)
  return names.map((name) => ({ name, data: { $ref: `#/components/schemas/${component}` } }))
}

const answerOf = (document: Contract, endpoint: Endpoint): ClientOperation["answer"] => {
  const [success] = responsesOf(document, endpoint).filter(({ status }) => status.startsWith("2"))
  const content = success?.response.content ?? {}
  const [json, events] = ["application/json", "text/event-stream"].map((type) => content[type]?.schema)
  if (events !== undefined) return { events: eventsOf(document, events) }
  return json === undefined ? "text" : { json }
}

/** The caller's values: of the path, and of the query or the body; each name once. */
const fieldsOf = (
  document: Contract,
  path: string,
  endpoint: Endpoint,
): Pick<ClientOperation, "fields" | "body"> => {
  const parameters = parametersOf(document, endpoint)
  const inPath = parameters.filter((one) => one.in === "path").map(toField)
  const inQuery = parameters.filter((one) => one.in === "query").map(toField)
  const body = endpoint.requestBody?.content["application/json"]?.schema
  if (body === undefined) return { fields: [...inPath, ...inQuery] }
  const members = membersOf(document, body)
  if (members === undefined) return { fields: inPath, body }
  // What begins a swap may also be sent by GET, whose parameters say better what a member is and whether it has to be there.
  const twin = document.paths[path]?.get
  const better = inQuery.length === 0 || twin === undefined
    ? []
    : parametersOf(document, twin).filter((one) => one.in === "query").map(toField)
  const names = [...inPath, ...members].map(({ name }) => name)
  if (new Set(names).size < names.length || inQuery.some(({ name }) => !names.includes(name))) {
    throw new Error(`${endpoint.operationId} has a name in two places`)
  }
  return {
    fields: [
      ...inPath,
      ...members.map((member) => better.find(({ name }) => name === member.name) ?? member),
    ],
  }
}

const isOf = (document: Contract, endpoint: Endpoint, header: string): boolean =>
  responsesOf(document, endpoint).some(({ response, status }) =>
    status.startsWith("2") && Object.hasOwn(response.headers ?? {}, header)
  )

const sendingOf = (document: Contract, method: string, endpoint: Endpoint): Sending => {
  if (parametersOf(document, endpoint).some(({ name }) => name === idempotencyKey)) return "keyed"
  return method === "get" ? "freely" : "once"
}

/** Every endpoint, but the one whose path has the key, which is for clients of an upstream. */
export const operationsOf = (document: Contract): ReadonlyArray<ClientOperation> =>
  Object.entries(document.paths).filter(([path]) => !path.includes("{apiKey}")).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({
      id: endpoint.operationId,
      method: method.toUpperCase(),
      path,
      summary: endpoint.summary,
      deprecated: endpoint.deprecated ?? false,
      sending: sendingOf(document, method, endpoint),
      isPublic: endpoint.security.length === 0,
      isSigned: isOf(document, endpoint, signature),
      hasBody: endpoint.requestBody !== undefined,
      ...fieldsOf(document, path, endpoint),
      answer: answerOf(document, endpoint),
    }))
  )

export const problemsOf = (document: Contract): ReadonlyArray<JsonSchema> => {
  const content = "application/problem+json"
  const schemas = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    .flatMap((endpoint) => responsesOf(document, endpoint))
    .flatMap(({ response }) => response.content?.[content]?.schema ?? [])
    .flatMap((schema) => schema.anyOf ?? schema)
  const names = new Set(schemas.flatMap(({ $ref }) => $ref === undefined ? [] : nameIn($ref)))
  return Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    names.has(name) ? schema : []
  )
}

/** Messages to webhooks that are alike, with their types. */
export interface Message {
  readonly schema: JsonSchema
  readonly types: ReadonlyArray<string>
}

const messagesOf = ({ webhooks }: Contract): ReadonlyArray<Message> => {
  const all = Object.entries(webhooks).flatMap(([type, { post }]) => {
    const schema = post.requestBody.content["application/json"]?.schema
    return schema === undefined ? [] : [{ schema, type }]
  })
  return [...Map.groupBy(all, ({ schema }) => JSON.stringify(schema)).values()].flatMap((alike) =>
    alike.slice(0, 1).map(({ schema }) => ({ schema, types: alike.map(({ type }) => type) }))
  )
}

export interface Plan {
  readonly version: string
  readonly operations: ReadonlyArray<ClientOperation>
  readonly problems: ReadonlyArray<JsonSchema>
  readonly messages: ReadonlyArray<Message>
  /** The schemas by name that these need. */
  readonly schemas: ReadonlyMap<string, JsonSchema>
}

const problemBase = "Problem"

const partsOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => [
  ...Object.values(schema.properties ?? {}),
  ...schema.anyOf ?? [],
  ...[schema.items, schema.additionalProperties].flatMap((part) => part ?? []),
]

export const planOf = (document: Contract): Plan => {
  const operations = operationsOf(document)
  const problems = problemsOf(document)
  const messages = messagesOf(document)
  const needed = new Set<string>()
  const need = (schema: JsonSchema): void => {
    const name = schema.$ref === undefined ? undefined : nameIn(schema.$ref)
    if (name !== undefined && !needed.has(name)) {
      needed.add(name)
      need(schemaOf(document, schema))
    }
    partsOf(schema).forEach(need)
  }
  for (const { answer, body, fields } of operations) {
    fields.forEach(({ schema }) => need(schema))
    if (body !== undefined) need(body)
    if (typeof answer === "object") {
      ;("json" in answer ? [answer.json] : answer.events.map(({ data }) => data)).forEach(need)
    }
  }
  messages.forEach(({ schema }) => need(schema))
  problems.flatMap(partsOf).forEach(need)
  return {
    version: document.info.version,
    operations,
    problems,
    messages,
    schemas: new Map(
      Object.entries(document.components.schemas).filter(([name]) =>
        needed.has(name) && name !== problemBase
      ),
    ),
  }
}
