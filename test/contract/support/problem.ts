import { assert } from "@effect/vitest"
import type { Answer } from "./call.ts"
import { find, integerAt, isList, objectAt, textAt } from "./Json.ts"

const rfc9110 = (section: string): string => `https://tools.ietf.org/html/rfc9110#section-15.${section}`

/** The definition and the phrase of each status (decision 14). */
const statuses: Readonly<Record<number, readonly [type: string, title: string]>> = {
  400: [rfc9110("5.1"), "Bad Request"],
  401: [rfc9110("5.2"), "Unauthorized"],
  403: [rfc9110("5.4"), "Forbidden"],
  404: [rfc9110("5.5"), "Not Found"],
  405: [rfc9110("5.6"), "Method Not Allowed"],
  408: [rfc9110("5.9"), "Request Timeout"],
  409: [rfc9110("5.10"), "Conflict"],
  410: [rfc9110("5.11"), "Gone"],
  413: [rfc9110("5.14"), "Content Too Large"],
  414: [rfc9110("5.15"), "URI Too Long"],
  415: [rfc9110("5.16"), "Unsupported Media Type"],
  422: [rfc9110("5.21"), "Unprocessable Content"],
  429: ["https://tools.ietf.org/html/rfc6585#section-4", "Too Many Requests"],
  500: [rfc9110("6.1"), "Internal Server Error"],
  503: [rfc9110("6.4"), "Service Unavailable"],
}

/** The problem of every failure (decisions 14 and 15). */
export const assertProblem = ({ body, headers, status, text }: Answer): void => {
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json\b/)
  const problem = objectAt(body)
  const [type, title] = statuses[status] ?? ["a status that no problem has"]
  assert.strictEqual(textAt(problem, "type"), type)
  assert.strictEqual(textAt(problem, "title"), title)
  assert.strictEqual(integerAt(problem, "status"), status)
  assert.isNotEmpty(textAt(problem, "detail"))
  assert.strictEqual(textAt(problem, "traceId"), headers.get("x-request-id"))
  assert.isFalse("code" in problem && "errors" in problem, `code and errors together: ${text}`)
  if ("code" in problem) assert.match(textAt(problem, "code"), /^[a-z]+(?:_[a-z]+)*$/)
  if ("errors" in problem) {
    assert.strictEqual(status, 400)
    assertErrors(objectAt(problem, "errors"), textAt(problem, "detail"))
  }
}

/** The names under which a deposit below the minimum has figures instead of sentences (decision 15). */
const figures = ["minimalAmount", "minimalAmountNative"]

/** Whole sentences that begin with the parameter's name, the first of which is the detail (decision 15). */
const assertErrors = (errors: ReturnType<typeof objectAt>, detail: string): void => {
  assert.isNotEmpty(Object.keys(errors))
  for (const [name, sentences] of Object.entries(errors)) {
    assert.isArray(sentences, name)
    assert.isNotEmpty(sentences, name)
    // Words, never a regular expression or what a schema says of itself.
    assert.notMatch(JSON.stringify(sentences), /\(\?:|\\\\d|\[0-9\]|Expected |SchemaError|undefined|\[object/)
    if (figures.includes(name)) continue
    for (const sentence of isList(sentences) ? sentences : []) {
      assert.strictEqual(String(sentence).slice(0, name.length + 1), `${name} `, String(sentence))
    }
  }
  const [first, ...others] = Object.values(errors).flat()
  const isBelowMinimum = figures.every((name) => name in errors)
  if (isBelowMinimum) return
  assert.strictEqual(detail, others.length === 0 ? first : `${first} (and ${others.length} more)`)
}

/** The names of the parameters that a 400 complains of, in the order of the alphabet. */
export const faultyParameters = ({ body, status, text }: Answer): ReadonlyArray<string> => {
  assert.strictEqual(status, 400, text)
  assertErrors(objectAt(body, "errors"), textAt(body, "detail"))
  return Object.keys(objectAt(body, "errors")).sort()
}

/** Everything that a 400 says of one parameter. */
export const faultText = ({ body }: Answer, parameter: string): string => {
  assertErrors(objectAt(body, "errors"), textAt(body, "detail"))
  const sentences = find(body, "errors", parameter)
  assert.isTrue(isList(sentences), `nothing is said of ${parameter}: ${JSON.stringify(body)}`)
  return isList(sentences) ? sentences.join(" ") : ""
}

/** That an answer is a failure with this status and code; without a code, that it has none. */
export const assertFailure = ({ body, status, text }: Answer, expected: number, code?: string): void => {
  assert.strictEqual(status, expected, text)
  assert.strictEqual(find(body, "code"), code, text)
  if (code !== undefined) assert.notProperty(objectAt(body), "errors")
}
