import { assert } from "@effect/vitest"
import type { Answer } from "./call.ts"
import { find, type Json, objectAt } from "./Json.ts"
import { schemaFaults } from "./JsonSchema.ts"

/** What the server answers before it looks at which endpoint is meant; where there is none, nothing documents it. */
const statusesOfAll: ReadonlyArray<number> = [404, 405, 413, 414]

const fits = (template: string, path: string): boolean => {
  const given = path.split("/")
  const wanted = template.split("/")
  return wanted.length === given.length &&
    wanted.every((part, index) => part === given[index] || /^\{\w+\}$/.test(part))
}

/** The path as the document has it, with the names of parameters in place of their values. */
const templateOf = (document: Json, path: string): string =>
  Object.keys(objectAt(document, "paths")).find((template) => fits(template, path)) ?? path

/** That the OpenAPI document has the answer: its status, its content type and everything in its body. */
export const assertDocumented = (
  document: Json,
  { method, path }: { readonly method: string; readonly path: string },
  { body, headers, status, text }: Answer,
): void => {
  const template = templateOf(document, path)
  const response = find(document, "paths", template, method.toLowerCase(), "responses", `${status}`)
  if (response === undefined) {
    const known = find(document, "paths", template, method.toLowerCase())
    const isDocumentItself = known === undefined && status === 200
    assert.isTrue(
      isDocumentItself || statusesOfAll.includes(status),
      `${method} ${path} does not document ${status}: ${text}`,
    )
    return
  }
  if (find(response, "content") === undefined) {
    assert.strictEqual(text, "", `${method} ${path} ${status} is documented without a body`)
    return
  }
  const [contentType = ""] = (headers.get("content-type") ?? "").split(";")
  const schema = find(response, "content", contentType, "schema")
  assert.isDefined(schema, `${method} ${path} ${status} is not documented as ${contentType}`)
  if (schema === undefined) return
  // What a stream holds, its own tests look at.
  if (contentType === "text/event-stream") return
  const answered = /\bjson$/.test(contentType) ? body : text
  assert.deepStrictEqual(schemaFaults(document, schema, answered), [], text)
}
