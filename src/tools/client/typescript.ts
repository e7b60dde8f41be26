import { type JsonSchema, nameIn } from "#api/document/Contract.ts"
import type { ClientOperation, Field, Plan } from "./operations.ts"
import { decimalName, isNative, makeShapes } from "./shapes.ts"
import type { Reading } from "./typescript/request.ts"

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
const problemTypes = (plan: Plan): string => {
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

const inputName = ({ id }: ClientOperation): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Input`

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
const inputDeclarations = ({ operations }: Plan): string => {
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

/** The written part of the client, in an order in which each file comes after those that it needs to begin. */
const runtimeFiles = [
  "amounts",
  "bytes",
  "json",
  "errors",
  "time",
  "request",
  "signatures",
  "webhooks",
  "connection",
  "events",
] as const

/** Reads the text of a file of the written part, or of its list of public names. */
type RuntimeTexts = (file: (typeof runtimeFiles)[number] | "mod") => string

const importLine = /^import [^;]*? from "[^"]+"\n/gm

/** The names that users get. */
const publicNames = (mod: string): ReadonlySet<string> =>
  new Set(
    [...mod.matchAll(/^export \{([^}]*)\} from/gm)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim().replace(/^type /, "")).filter((name) => name !== "")
    ),
  )

const exported = /^export ((?:async )?(?:const|class|function\*?|interface|type) (\w+))/gm

/** The written part as one text, in which only the public names are exported. */
const written = (texts: RuntimeTexts): string => {
  const isPublic = publicNames(texts("mod"))
  return runtimeFiles.map((file) =>
    texts(file).replaceAll(importLine, "").replaceAll(
      exported,
      (whole: string, rest: string, name: string) => isPublic.has(name) ? whole : rest,
    ).trim()
  ).join("\n\n")
}

const literal = (value: unknown): string => JSON.stringify(value)

const reading = ({ answer }: ClientOperation, shapeOf: ReturnType<typeof makeShapes>["shapeOf"]): Reading => {
  if (answer === "text") return answer
  if ("json" in answer) return { json: shapeOf(answer.json) }
  return {
    events: Object.fromEntries(answer.events.flatMap(({ data, name }) => {
      const shape = shapeOf(data)
      return shape === undefined ? [] : [[name, shape]]
    })),
  }
}

/** What a method gives: for a stream one event of it. */
const answerType = ({ answer }: ClientOperation): string => {
  if (answer === "text") return "string"
  if ("json" in answer) return typeOf(answer.json)
  const byData = Map.groupBy(answer.events, ({ data }) => typeOf(data))
  return [...byData].map(([data, events]) => {
    const names = events.map(({ name }) => literal(name)).join(" | ")
    return `{ readonly id: string; readonly event: ${
      byData.size === 1 ? `${names} | Other` : names
    }; readonly data: ${data} }`
  }).join(" | ")
}

const tableEntry = (
  operation: ClientOperation,
  shapeOf: ReturnType<typeof makeShapes>["shapeOf"],
): string => {
  const { hasBody, id, isPublic, isSigned, method, path, sending } = operation
  const facts = {
    name: id,
    method,
    path,
    sending,
    reads: reading(operation, shapeOf),
    ...(hasBody ? { hasBody } : {}),
    ...(isPublic ? { isPublic } : {}),
    ...(isSigned ? { isSigned } : {}),
  }
  const reads = answerType(operation)
  // A reading without a shape has no exact numbers, and JSON would leave it out.
  const text = literal(facts).replace('"reads":{}', '"reads":{"json":undefined}')
  return `const ${id}Operation: Operation<${reads}> = ${text}\n`
}

const describe = ({ deprecated, method, path, summary }: ClientOperation): string =>
  `${deprecated ? "@deprecated " : ""}${summary}: \`${method} ${path}\`.`

const methodOf = (operation: ClientOperation): string => {
  const { answer, body, fields, id } = operation
  const takes = body !== undefined || fields.length > 0
  const isNeeded = body !== undefined || fields.some(({ required }) => required)
  const isStream = typeof answer === "object" && "events" in answer
  const input = takes ? [`input: ${inputName(operation)}${isNeeded ? "" : " = {}"}`] : []
  const given = takes ? "input" : "{}"
  const type = answerType(operation)
  const [result, options, made] = isStream
    ? [
      `AsyncGenerator<${type}, void, void>`,
      "options: StreamOptions = {}",
      `follow({ connection: this.#connection, operation: ${id}Operation, input: ${given}, options })`,
    ]
    : [
      `Promise<${type}>`,
      "options: CallOptions = {}",
      `this.#connection.call(${id}Operation, ${given}, options)`,
    ]
  return `${comment(describe(operation), "  ")}  ${id}(${[...input, options].join(", ")}): ${result} {\n` +
    `    return ${made}\n  }\n`
}

const clientClass = ({ operations }: Plan): string =>
  `/**
 * A client of one service with one key, for its whole contract. A method throws a ProblemError where the service
 * refuses or fails, a NoAnswer where there is no answer, a SignatureRejected where one was changed on the way.
 */
export class SwapBroker {
  readonly #connection: Connection

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options)
  }

${operations.map(methodOf).join("\n")}}
`

/** The client as one file. */
export const typescriptClient = (plan: Plan, texts: RuntimeTexts): string => {
  const { shapeOf, table } = makeShapes(plan)
  return [
    `// Client of Swap Broker ${plan.version}, made of its contract by \`deno task client\`. Licence: MIT.\n`,
    `/** The version of the service whose contract this is. */\nexport const version = ${
      literal(plan.version)
    }\n`,
    `${written(texts)}\n`,
    problemTypes(plan),
    declarations(plan),
    inputDeclarations(plan),
    `const problemCodes: ReadonlyArray<string> = ${literal(codesOf(plan).map(([code]) => code))}\n`,
    `const shapes: Shapes = ${literal(table)}\n`,
    plan.operations.map((operation) => tableEntry(operation, shapeOf)).join(""),
    clientClass(plan),
  ].join("\n")
}
