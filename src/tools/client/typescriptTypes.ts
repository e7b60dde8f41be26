import { type JsonSchema, nameIn } from "#api/document/Contract.ts"
import type { ClientOperation, Field, Plan } from "./operations.ts"
import { decimalName, isNative } from "./shapes.ts"

/** A comment before a declaration, for editors; empty where there is nothing to say. */
export const comment = (text: string | undefined, indent = ""): string =>
  text === undefined || text === ""
    ? ""
    : `${indent}/** ${text.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n`

const member = (name: string): string => /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)

/** Texts that will get more values are open; a single text tells variants apart and stays. */
const texts = (values: ReadonlyArray<string | number>): string =>
  [...values.map((value) => JSON.stringify(value)), ...(values.length > 1 ? ["Other"] : [])].join(" | ")

const listOf = (type: string): string => `ReadonlyArray<${type}>`

const plainTypes: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
}

const object = (schema: JsonSchema): string => {
  const { additionalProperties, properties, required = [] } = schema
  if (properties === undefined) {
    const values = additionalProperties === undefined ? "unknown" : typeOf(additionalProperties)
    return `{ readonly [name: string]: ${values} }`
  }
  const members = Object.entries(properties).map(([name, part]) =>
    `readonly ${member(name)}${required.includes(name) ? "" : "?"}: ${typeOf(part, name)}`
  )
  return `{ ${members.join("; ")} }`
}

/** The type of what a schema describes, as the reader makes it: exact numbers are text or bigint. */
export const typeOf = (schema: JsonSchema, name = ""): string => {
  if (schema.$ref !== undefined) {
    const target = nameIn(schema.$ref)
    return target === decimalName ? "Decimal" : target
  }
  if (isNative(name, schema)) return "bigint"
  if (schema.anyOf !== undefined) {
    const types = [...new Set(schema.anyOf.map((one) => typeOf(one)))]
    // A decimal may be sent as text or as a number: text has every digit.
    const exact = types.includes("number") && types.includes("string") &&
      schema.anyOf.some(({ type }) => type === "number")
    return (exact
      ? types.filter((type) => type !== "number").map((type) => type === "string" ? "Decimal" : type)
      : types)
      .join(" | ")
  }
  if (schema.enum !== undefined) return texts(schema.enum)
  if (schema.type === "array") return listOf(typeOf(schema.items ?? {}))
  if (schema.type === "object") return object(schema)
  return plainTypes[schema.type ?? ""] ?? "unknown"
}

const interfaceOf = (name: string, members: ReadonlyArray<string>, description?: string): string =>
  `${comment(description)}export interface ${name} {\n${members.join("")}}\n`

const memberLines = (schema: JsonSchema): ReadonlyArray<string> =>
  Object.entries(schema.properties ?? {}).map(([name, part]) => {
    const mark = schema.required?.includes(name) ? "" : "?"
    return `${comment(part.description, "  ")}  readonly ${member(name)}${mark}: ${typeOf(part, name)}\n`
  })

const declaration = (name: string, schema: JsonSchema): string =>
  schema.properties === undefined
    ? `${comment(schema.description)}export type ${name} = ${typeOf(schema)}\n`
    : interfaceOf(name, memberLines(schema), schema.description)

/** The declarations of all schemas that the client needs. */
export const declarations = ({ messages, schemas }: Plan): string =>
  [
    ...[...schemas].filter(([name]) => name !== decimalName).map(([name, schema]) =>
      declaration(name, schema)
    ),
    // Open texts tell no variants apart: here the types are those that this client knows, though newer ones may come.
    `/** A message to a webhook: of a type that is newer than this client, too. */\nexport type WebhookMessage = ${
      messages.map(({ schema, types }) =>
        `(Omit<${typeOf(schema)}, "type"> & { readonly type: ${
          types.map((type) => JSON.stringify(type)).join(" | ")
        } })`
      ).join(" | ")
    }\n`,
  ].join("\n")

const problemFacts = ["type", "title", "detail", "traceId", "instance"]

const factLines = problemFacts.map((name) => `  readonly ${name}${name === "instance" ? "?" : ""}: string\n`)

const furtherMembers = (problems: ReadonlyArray<JsonSchema>): ReadonlyArray<string> => {
  const known = [...problemFacts, "status", "code"]
  const properties = Object.assign({}, ...problems.map((problem) => problem.properties ?? {}))
  return memberLines({ properties }).filter((_, at) => !known.includes(Object.keys(properties)[at] ?? ""))
}

export const codesOf = ({ problems }: Plan): ReadonlyArray<readonly [code: string, status: string]> =>
  problems.flatMap(({ properties = {} }) =>
    (properties.code?.enum ?? []).map((code) => [`${code}`, `${properties.status?.enum?.[0]}`] as const)
  )

/** The problems as a union of all codes, and of what has none. */
export const problemTypes = (plan: Plan): string => {
  const withCode = plan.problems.filter(({ properties = {} }) => properties.code !== undefined)
  // Faults of parameters never stand beside a code.
  const coded = furtherMembers(withCode).filter((line) => !line.includes(" errors?"))
  const union = codesOf(plan).map(([code, status]) =>
    `  | CodedProblem<${JSON.stringify(code)}, ${status}>\n`
  )
  return [
    interfaceOf("ProblemFacts", factLines, "What every failure of the service has (RFC 7807)."),
    interfaceOf("CodedProblem<Code extends string, Status extends number> extends ProblemFacts", [
      "  readonly code: Code\n",
      "  readonly status: Status\n",
      ...coded,
    ], "A failure with a code that never changes its meaning."),
    interfaceOf("UncodedProblem extends ProblemFacts", [
      "  readonly code?: undefined\n",
      "  /** A code that is newer than this client: some other failure. */\n  readonly unknownCode?: string\n",
      "  readonly status: number\n",
      ...furtherMembers(plan.problems),
    ], "Any other failure: `status` gives its kind, `errors` the faults of the request."),
    `/** A failure of the service. A \`switch\` over \`code\` that has every code and \`undefined\` is exhaustive. */\nexport type Problem =\n${
      union.join("")
    }  | UncodedProblem\n`,
  ].join("\n")
}

/** The type of a caller's value. A number of a query is written as text, in which no digit is lost. */
const inputType = ({ name, schema }: Field): string =>
  schema.type === "number" ? "Decimal" : typeOf(schema, name)

export const inputName = ({ id }: ClientOperation): string =>
  `${id.charAt(0).toUpperCase()}${id.slice(1)}Input`

/** What the caller of a method gives; none where it takes nothing. */
const inputBody = ({ body, fields }: ClientOperation): string | undefined => {
  if (body !== undefined) return `${typeOf(body)}\n`
  if (fields.length === 0) return undefined
  const lines = fields.map((field) => {
    const mark = field.required ? `: ${inputType(field)}` : `?: ${inputType(field)} | undefined`
    return `${comment(field.schema.description, "  ")}  readonly ${member(field.name)}${mark}\n`
  })
  return `{\n${lines.join("")}}\n`
}

/** What the callers of methods give. What several take alike is written once. */
export const inputDeclarations = ({ operations }: Plan): string => {
  const first = new Map<string, string>()
  return operations.flatMap((operation) => {
    const body = inputBody(operation)
    if (body === undefined) return []
    const name = inputName(operation)
    const same = first.get(body)
    if (same === undefined) first.set(body, name)
    return `/** Of \`${operation.id}\`. */\nexport type ${name} = ${same ?? body.trimEnd()}\n`
  }).join("\n")
}
