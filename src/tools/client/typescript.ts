import type { ClientOperation, Plan } from "./operations.ts"
import { makeShapes } from "./shapes.ts"
import {
  codesOf,
  comment,
  declarations,
  inputDeclarations,
  inputName,
  problemTypes,
  typeOf,
} from "./typescriptTypes.ts"
import type { Reading } from "./typescript/request.ts"

/** The written part of the client, in an order in which each file comes after those that it needs to begin. */
export const runtimeFiles = [
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
export type RuntimeTexts = (file: (typeof runtimeFiles)[number] | "mod") => string

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
