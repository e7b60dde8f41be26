import { Predicate } from "effect"
import { exampleName } from "./exampleName.ts"
import type { Members } from "./json.ts"

const members = (json: unknown): Members => Predicate.isObject(json) ? json : {}

const exampleOf = (holder: unknown): Members => members(members(members(holder).examples)[exampleName])

const textOf = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

interface Sent {
  readonly place: unknown
  readonly name: string
  readonly value: string
}

const sentBy = (operation: Members): ReadonlyArray<Sent> =>
  (Array.isArray(operation.parameters) ? operation.parameters : []).flatMap((parameter) => {
    const { value, "x-disabled": isOff } = exampleOf(parameter)
    const { in: place, name } = members(parameter)
    return isOff === true ? [] : [{ place, name: `${name}`, value: textOf(value) }]
  })

const targetOf = (path: string, sent: ReadonlyArray<Sent>): string => {
  const inPath = new Map(sent.flatMap(({ name, place, value }) => place === "path" ? [[name, value]] : []))
  const query = sent.flatMap(({ name, place, value }) => place === "query" ? [[name, value]] : [])
  const written = path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath.get(name) ?? "")
    .replace("YOUR_API_KEY", "$KEY")
  return query.length === 0 ? written : `${written}?${new URLSearchParams(query)}`
}

/** For a shell: nothing inside is looked at. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const hasKey = ({ security }: Members): boolean => Array.isArray(security) && security.length > 0

const curlOf = (path: string, method: string, operation: Members): string => {
  const body = exampleOf(members(members(operation.requestBody).content)["application/json"]).value
  return [
    `curl "$URL${targetOf(path, sentBy(operation))}"`,
    ...(method === "get" || method === "post" && body !== undefined
      ? []
      : [`--request ${method.toUpperCase()}`]),
    ...(hasKey(operation) ? ['--header "X-API-Key: $KEY"'] : []),
    ...(body === undefined
      ? []
      : ['--header "Content-Type: application/json"', `--data ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(" \\\n  ")
}

/**
 * The request of an operation for a shell, with `URL` and `KEY` as in the quickstart. Scalar's own samples would have every
 * parameter there is, and no two of them agree.
 */
export const withCodeSample = (operation: Members, path: string, method: string): Members => ({
  ...operation,
  "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlOf(path, method, operation) }],
})
