import { assert } from "@effect/vitest"
import type { Answer } from "./call.ts"
import { find, type Json } from "./Json.ts"
import { schemaFaults } from "./JsonSchema.ts"

/** What the server answers before it looks at which endpoint is meant; documented at none of them. */
const statusesOfAll: ReadonlyArray<number> = [404, 405, 413, 414]

/** That the OpenAPI document has the answer: its status, its content type and everything in its body. */
export const assertDocumented = (
  document: Json,
  { method, path }: { readonly method: string; readonly path: string },
  { body, headers, status, text }: Answer,
): void => {
  const response = find(document, "paths", path, method.toLowerCase(), "responses", `${status}`)
  if (response === undefined) {
    const known = find(document, "paths", path, method.toLowerCase())
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
  if (schema !== undefined) assert.deepStrictEqual(schemaFaults(document, schema, body), [], text)
}
