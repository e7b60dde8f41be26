import { type JsonSchema, Predicate } from "effect"
import { withLimitHeaders } from "./limitHeaders.ts"
import { exactDecimalIdentifier } from "../shape.ts"
import { guides, operatorGuide } from "./guides.ts"
import { illustrate, recordedMessage } from "./examples.ts"
import { mapMembers, mapOperations, type Members } from "./json.ts"
import { withLinks } from "./links.ts"
import { renameComponents, tidy } from "./tidy.ts"
import { descriptionOf } from "./vocabulary.ts"
import { webhooks, webhookTest } from "./webhooks.ts"

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
  return {
    // Scalar shows what can be tried; the guides have pages of their own.
    tags: [...guides.map((guide) => ({ ...guide, "x-scalar-ignore": true })), ...groups],
    "x-tagGroups": [
      { name: "Guides", tags: guides.map(({ name }) => name).filter((name) => name !== operatorGuide) },
      ...Object.entries(tasks).map(([name, tags]) => ({ name, tags })),
      { name: "Service API", tags: namesOf(others) },
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
