import { type JsonSchema, Predicate, Struct } from "effect"
import { exactDecimalIdentifier } from "../shape.ts"
import { guides, operatorGuide } from "./guides.ts"
import { illustrate, recordedMessage } from "./examples.ts"
import { mapMembers, mapOperations, type Members } from "./json.ts"
import { descriptionOf } from "./vocabulary.ts"
import { webhooks, webhookTest } from "./webhooks.ts"

const seconds = { type: "integer", minimum: 1 }

const headers: Members = {
  RateLimit: {
    description: "The rest of the limit that the request counted against: its name, tokens left (`r`), " +
      "and for how many seconds they have to do (`t`). As in draft-ietf-httpapi-ratelimit-headers-11; absent " +
      "where the operator set no such limit.",
    schema: { type: "string", examples: ['"default";r=5999;t=1'] },
  },
  "RateLimit-Policy": {
    description: "The limit: so many tokens (`q`) can be used at once, and come back evenly in so many " +
      "seconds (`w`). `swap` is for requests that open or prepare a swap, `default` for all others of an API " +
      "key, `credentials` for wrong keys from one address.",
    schema: { type: "string", examples: ['"default";q=6000;w=60'] },
  },
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: seconds },
}

const references = (names: ReadonlyArray<string>): Members =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const limited = references(["RateLimit", "RateLimit-Policy"])
const delayed = references(["Retry-After"])

/** The headers of answers with a status. Callers without a valid key have no limit to report. */
const headersOf = (status: string): Members => ({
  ...(status === "401" ? {} : limited),
  ...(status === "429" || status === "503" ? delayed : {}),
})

const withHeaders = (response: unknown, status: string): unknown =>
  Predicate.isObject(response)
    ? {
      ...response,
      headers: { ...Predicate.isObject(response.headers) ? response.headers : {}, ...headersOf(status) },
    }
    : response

/** Whether an operation needs a key, as only then it can be refused for a limit. */
const needsKey = (operation: unknown): operation is Members =>
  Predicate.isObject(operation) && Predicate.isObject(operation.responses) && "429" in operation.responses

/** The document, with the headers of every operation that needs a key. */
const withLimitHeaders = (document: Members): Members => ({
  ...document,
  paths: mapMembers(
    document.paths,
    (operations) =>
      mapMembers(
        operations,
        (operation) =>
          needsKey(operation)
            ? { ...operation, responses: mapMembers(operation.responses, withHeaders) }
            : operation,
      ),
  ),
  components: { ...Predicate.isObject(document.components) ? document.components : {}, headers },
})

/** A value from an answer, or from its request, as a runtime expression of OpenAPI. */
const answered = (member: string): string => `$response.body#/${member}`
const asked = (parameter: string): string => `$request.path.${parameter}`

type Parameters = Readonly<Record<string, string>>

/** The parameters of operations, whose ids have blanks between them. */
const toAll = (operationIds: string, parameters: Parameters) =>
  Object.fromEntries(operationIds.split(" ").map((operationId) => [operationId, parameters]))

const ofSwap = {
  getStatusById: { swapId: answered("id") },
  followSwap: { swapId: answered("id") },
  getStatusByDepositChannel: {
    issuedBlock: answered("issuedBlock"),
    network: answered("network"),
    channelId: answered("channelId"),
  },
  ...toAll(
    "getSwapJournal getAnySwapJournal getCaseFile getAnyCaseFile getPaymentCode linkPayer",
    { id: answered("id") },
  ),
}

/** The operations that the values of an answer are used in, by the answering operation, with their parameters. */
const links: Readonly<Record<string, Readonly<Record<string, Parameters>>>> = {
  getQuotes: { explainQuote: { quoteId: answered("0/quoteId") } },
  openSwap: ofSwap,
  openSwapByPost: { ...ofSwap, ...toAll("acceptEnd moveSwap reindexSwap", { id: answered("id") }) },
  createSandboxDeposit: { getStatusByTransactionHash: { transactionHash: answered("transactionHash") } },
  createSandboxVaultSwap: { getStatusByTransactionHash: { transactionHash: answered("transactionHash") } },
  createWebhook: toAll(
    "getWebhook changeWebhook rotateWebhookSecret testWebhook replayWebhook listDeliveries removeWebhook",
    { id: answered("id") },
  ),
  testWebhook: { getDelivery: { id: asked("id"), delivery: answered("id") } },
  createAccount: toAll(
    "changeAccount getMerchant setMerchant listKeys issueKey listRoutes setRoute removeRoute " +
      "listAccountWebhooks createAccountWebhook linkPortal",
    { name: answered("name") },
  ),
  issueKey: { revokeKey: { id: answered("id") } },
  createAccountWebhook: toAll(
    "getAccountWebhook changeAccountWebhook rotateAccountWebhookSecret testAccountWebhook " +
      "replayAccountWebhook listAccountDeliveries removeAccountWebhook",
    { name: asked("name"), id: answered("id") },
  ),
  testAccountWebhook: {
    getAccountDelivery: { name: asked("name"), id: asked("id"), delivery: answered("id") },
  },
}

const linked = (operation: Members): Members => {
  const own = links[`${operation.operationId}`]
  if (own === undefined) return operation
  const described = mapMembers(own, (parameters, operationId) => ({ operationId, parameters }))
  return {
    ...operation,
    responses: mapMembers(
      operation.responses,
      (response, status) =>
        status.startsWith("2") && Predicate.isObject(response) ? { ...response, links: described } : response,
    ),
  }
}

const withLinks = (paths: unknown): unknown => mapOperations(paths, linked)

/** Whether a name in the derived document is internal to the library. */
const isInside = (name: string): boolean => name.startsWith("x-effect-")

const exactDecimalReference = { $ref: `#/components/schemas/${exactDecimalIdentifier}` }

/** Examples as numbers, where they were written as text. */
const numberExamples = (schema: Members): Members =>
  (schema.type === "integer" || schema.type === "number") && Array.isArray(schema.examples)
    ? { ...schema, examples: schema.examples.map(Number) }
    : schema

/** The value's schema: a parameter travels as text but has its check's meaning, so one schema is enough. */
const meaning = (schema: Members): Members => {
  const { allOf, ...text } = schema
  if (!Array.isArray(allOf) || !allOf.every(Predicate.isObject)) return schema
  return numberExamples(Object.assign(text, ...allOf))
}

/** Replaces a choice with a single alternative by that alternative. */
const withoutChoice = (schema: Members): Members => {
  const { anyOf, ...others } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 1 || !Predicate.isObject(anyOf[0])) return schema
  return { ...anyOf[0], ...others }
}

/** Removes the bounds of a double: every whole number has them, and they would look like bounds of ours. */
const withoutDoublesBounds = (schema: Members): Members => {
  const { minimum, maximum, ...others } = schema
  return minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? others : schema
}

/** Adds empty `items` to a list of anything, as linters take a list without items for a mistake. */
const withItems = (schema: Members): Members =>
  schema.type === "array" && !("items" in schema) && !("prefixItems" in schema)
    ? { ...schema, items: {} }
    : schema

/** Removes patterns with classes of Unicode: many validators do not set the flag that these need. */
const withoutClasses = (schema: Members): Members => {
  const { pattern, ...others } = schema
  return typeof pattern === "string" && pattern.includes("\\p{") ? others : schema
}

const tidySchema = (schema: Members): Members =>
  withItems(withoutClasses(withoutDoublesBounds(withoutChoice(meaning(schema)))))

/** Whether a schema says nothing but what its value is for. */
const isUntyped = (schema: unknown): schema is Members =>
  Predicate.isObject(schema) && Object.keys(schema).every((name) => name === "description")

const tidyProperties = (properties: unknown): unknown =>
  Predicate.isObject(properties)
    ? mapMembers(
      // A tag tells members of a union apart inside the house: no body has one.
      Struct.omit(properties, ["_tag"]),
      (schema) => isUntyped(schema) ? { ...exactDecimalReference, ...schema } : tidy(schema),
    )
    : properties

/** The library's forms as OpenAPI's: exact decimals get a type, and further members are allowed. */
export const tidy = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.map(tidy)
  if (!Predicate.isObject(json)) return json
  return tidySchema(Object.fromEntries(
    Object.entries(json)
      .filter(([name, value]) => !isInside(name) && !(name === "additionalProperties" && value === false))
      .map(([name, value]) => [name, name === "properties" ? tidyProperties(value) : tidy(value)]),
  ))
}

const place = "#/components/schemas/"

/** The meaning of a schema: its text without the description, which a second use of it may have of its own. */
const meaningOf = (schema: unknown): string => {
  if (!Predicate.isObject(schema)) return JSON.stringify(schema)
  const { description: _, ...others } = schema
  return JSON.stringify(others)
}

/** The suffix of a schema's second use, or of an error's encoded form. */
const derived = /(?:Encoded|_[0-9]+)$/

/** The component's name in our code, unless a component with another meaning has that name. */
const nameOf = (schemas: Members, name: string): string => {
  const plain = name.replace(derived, "")
  return !(plain in schemas) || meaningOf(schemas[plain]) === meaningOf(schemas[name]) ? plain : name
}

const redirect = (json: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(json)) return json.map((one) => redirect(one, names))
  if (Predicate.isObject(json)) return mapMembers(json, (member) => redirect(member, names))
  return typeof json === "string" && json.startsWith(place)
    ? `${place}${names.get(json.slice(place.length)) ?? json.slice(place.length)}`
    : json
}

/** Renames components as in our code, each once: generators turn them into classes. */
const renameComponents = (document: Members): Members => {
  const components = Predicate.isObject(document.components) ? document.components : {}
  const schemas = Predicate.isObject(components.schemas) ? components.schemas : {}
  const names = new Map(Object.keys(schemas).map((name) => [name, nameOf(schemas, name)]))
  // The plain name comes last, so that its own description stays.
  const kept = Object.entries(schemas).toSorted(([one], [other]) => other.length - one.length)
  const renamed = Object.fromEntries(kept.map(([name, schema]) => [names.get(name) ?? name, schema]))
  const whole = redirect({ ...document, components: { ...components, schemas: renamed } }, names)
  return Predicate.isObject(whole) ? whole : document
}

const described = (component: string | undefined, schema: unknown, name: string): unknown => {
  if (!Predicate.isObject(schema) || schema.description !== undefined) return schema
  const description = descriptionOf(component, name)
  return description === undefined ? schema : { ...schema, description }
}

/** Describes every member of a body by its name, unless its schema does. `component` is the component that it is in. */
const describe = (json: unknown, component?: string): unknown => {
  if (Array.isArray(json)) return json.map((one) => describe(one, component))
  return mapMembers(json, (member, name) => {
    if (name === "properties" && Predicate.isObject(member)) {
      return mapMembers(member, (schema, own) => described(component, describe(schema, component), own))
    }
    if (name === "schemas") return mapMembers(member, (schema, own) => describe(schema, own))
    return describe(member, component)
  })
}

const exactDecimal: JsonSchema.JsonSchema = {
  type: "number",
  description:
    "Exact decimal: all digits, no exponent. Read it as text where digits matter, or use the native twin.",
}

/** The contact for questions is the operator of the service; its authors operate none. */
const contact = { name: "The operator of this service" }

const licence = { name: "MIT", identifier: "MIT" }

/** The name of a scheme in lower case, because some clients distinguish case and do not know `Bearer`. */
const inLowerCase = (scheme: unknown): unknown =>
  Predicate.isObject(scheme) && typeof scheme.scheme === "string"
    ? { ...scheme, scheme: scheme.scheme.toLowerCase() }
    : scheme

/** The members of all problems; problems with a code or faults are components of their own. */
const problem = {
  type: "object",
  description: "Problem details (RFC 9457).",
  required: ["type", "title", "status", "detail", "traceId"],
  properties: {
    type: { type: "string", description: "URL of the definition of the status." },
    title: { type: "string", description: "Phrase of the status." },
    status: { type: "integer", description: "The HTTP status." },
    detail: { type: "string", description: "For people; wording can change, never branch on it." },
    traceId: { type: "string", description: "Trace identifier, also sent as X-Request-Id." },
  },
}

/** The refusal of a request before its path is matched; without it some operations would seem unable to refuse. */
const tooLong = {
  description: "The URL is longer than 8 KiB. Shorten it.",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
}

const refusable = (operation: Members): Members => ({
  ...operation,
  responses: { ...(Predicate.isObject(operation.responses) ? operation.responses : {}), "414": tooLong },
})

/** The groups of operations by what a client does, in the order of an integration. */
const tasks = {
  "Quotes API": ["Quotes", "Streaming quotes", "Assets"],
  "Swaps API": ["Swap", "Transaction payloads", "Payers", "Status", "History", "JSON-RPC"],
  "Events API": ["Webhooks", "Managing webhooks", "Events"],
  "Account API": ["Account", "Request errors", "Report cards", "Case file keys"],
} as const

/** The tags. Guides stand before the groups of operations; those of the operator, known by their scope, are last. */
const tagged = (tags: unknown) => {
  const groups = (Array.isArray(tags) ? tags : []).filter(Predicate.isObject)
  const isOperators = ({ description }: Members) => `${description}`.includes("`operate`")
  const namesOf = (wanted: typeof groups) => wanted.map(({ name }) => `${name}`)
  const listed = new Set<string>(Object.values(tasks).flat())
  const others = groups.filter((group) => !isOperators(group) && !listed.has(`${group.name}`))
  const isSandbox = ({ name }: Members) => name === "Sandbox"
  return {
    // Scalar shows what can be tried; the guides have pages of their own.
    tags: [...guides.map((guide) => ({ ...guide, "x-scalar-ignore": true })), ...groups],
    "x-tagGroups": [
      { name: "Guides", tags: guides.map(({ name }) => name).filter((name) => name !== operatorGuide) },
      ...Object.entries(tasks).map(([name, tags]) => ({ name, tags })),
      ...others.filter(isSandbox).map(() => ({ name: "Sandbox API", tags: ["Sandbox"] })),
      { name: "Service API", tags: namesOf(others.filter((group) => !isSandbox(group))) },
      { name: "Operator API", tags: [operatorGuide, ...namesOf(groups.filter(isOperators))] },
    ],
  }
}

const withComponents = (document: Members, components: Members): Members => {
  const schemas = Predicate.isObject(components.schemas) ? components.schemas : {}
  return {
    ...document,
    components: {
      ...components,
      schemas: {
        ...schemas,
        [exactDecimalIdentifier]: exactDecimal,
        Problem: problem,
        WebhookTest: webhookTest,
      },
      securitySchemes: mapMembers(components.securitySchemes, inLowerCase),
    },
  }
}

/**
 * The document: the part derived from the endpoints, and the parts that cannot be derived. The order matters: names of
 * components are settled before members are described, and examples come last, as nothing in them may be changed.
 */
export const document = (spec: Members): Record<string, unknown> => {
  const tidied = tidy(spec)
  if (!Predicate.isObject(tidied) || !Predicate.isObject(tidied.components)) return { ...spec }
  const whole = renameComponents(withComponents(tidied, tidied.components))
  const described = describe(withLimitHeaders(whole))
  if (!Predicate.isObject(described)) return { ...spec }
  return {
    ...described,
    info: { ...Predicate.isObject(described.info) ? described.info : {}, contact, license: licence },
    servers: [{ url: "/", description: "This service." }],
    ...tagged(described.tags),
    paths: withLinks(illustrate(mapOperations(described.paths, refusable))),
    webhooks: webhooks(recordedMessage),
  }
}
