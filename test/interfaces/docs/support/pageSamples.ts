import { find, isList, type Json, JsonNumber, objectAt, textAt } from "#test/contract/support/Json.ts"
import { resolve } from "#test/contract/support/JsonSchema.ts"

/** A request as the page sends it when asked to, and the text that it shows of it. */
export interface PageSample {
  readonly operationId: string
  readonly method: string
  /** As in the document, such as `/webhooks/{id}`. */
  readonly template: string
  readonly path: Readonly<Record<string, string>>
  readonly query: ReadonlyArray<readonly [name: string, value: string]>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /** Whether the page sends the key that was typed in. */
  readonly hasKey: boolean
  /** A command for a shell. */
  readonly shown: string
}

const resolved = (document: Json, json: Json): Json => {
  const reference = find(json, "$ref")
  return typeof reference === "string" ? resolve(document, reference) : json
}

interface Example {
  readonly value: Json | undefined
  readonly isOff: boolean
}

/** The name of the examples that Scalar 1.43 sends where nobody chose another one. */
const exampleName = "default"

const first = (json: Json | undefined): Json | undefined => isList(json) ? json[0] : undefined

/**
 * What Scalar 1.43 sends as a parameter: its example of that name, which `x-disabled` switches off, else what its schema
 * has: `default`, the first of `enum`, the first of `examples`, `example`. Whatever has a value is sent, required or not.
 */
const exampleOf = (parameter: Json): Example => {
  const example = find(parameter, "examples", exampleName)
  if (example !== undefined) {
    return { value: find(example, "value"), isOff: find(example, "x-disabled") === true }
  }
  const schema = find(parameter, "schema") ?? {}
  const value = find(schema, "default") ?? first(find(schema, "enum")) ?? first(find(schema, "examples")) ??
    find(schema, "example")
  return { value, isOff: false }
}

/** JSON as text, its numbers as they were written. */
export const writeJson = (json: Json): string =>
  JSON.stringify(json, (_, value) => value instanceof JsonNumber ? JSON.rawJSON(value.text) : value)

const textOf = (value: Json): string => typeof value === "string" ? value : writeJson(value)

const bodyOf = (operation: Json): Json | undefined => {
  return find(operation, "requestBody", "content", "application/json", "examples", exampleName, "value")
}

const sampleOf = (document: Json, template: string, method: string, operation: Json): PageSample => {
  const parameters = find(operation, "parameters")
  const sent = (isList(parameters) ? parameters : []).flatMap((reference) => {
    const parameter = resolved(document, reference)
    const { isOff, value } = exampleOf(parameter)
    return isOff || value === undefined
      ? []
      : [{ place: textAt(parameter, "in"), name: textAt(parameter, "name"), value }]
  })
  const of = (place: string) =>
    sent.filter((one) => one.place === place).flatMap(({ name, value }) =>
      (isList(value) ? value : [value]).map((one) => [name, textOf(one)] as const)
    )
  const security = find(operation, "security")
  return {
    operationId: textAt(operation, "operationId"),
    method: method.toUpperCase(),
    template,
    path: Object.fromEntries(of("path")),
    query: of("query"),
    headers: Object.fromEntries(of("header")),
    body: bodyOf(operation),
    hasKey: isList(security) && security.length > 0,
    shown: textAt(operation, "x-codeSamples", 0, "source"),
  }
}

/** The sample of every operation, in the order of the document. */
export const pageSamples = (document: Json): ReadonlyArray<PageSample> =>
  Object.entries(objectAt(document, "paths")).flatMap(([template, operations]) =>
    Object.entries(objectAt(operations)).map(([method, operation]) =>
      sampleOf(document, template, method, operation)
    )
  )
