import { Predicate } from "effect"
import { mapMembers, type Members } from "./json.ts"

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
export const withLimitHeaders = (document: Members): Members => ({
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
