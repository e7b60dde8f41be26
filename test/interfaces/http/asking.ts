import { Effect } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"

/** A JSON object whose members nobody vouches for. */
export type Members = Readonly<Record<string, unknown>>

const isMembers = (json: unknown): json is Members =>
  typeof json === "object" && json !== null && !Array.isArray(json)

/** A member that has to be an object; or the thing itself. */
export const members = (json: unknown, ...path: ReadonlyArray<string>): Members => {
  const [name, ...rest] = path
  if (!isMembers(json)) throw new Error(`No object: ${JSON.stringify(json)}`)
  return name === undefined ? json : members(json[name], ...rest)
}

/** A body that has to be a list of objects. */
export const list = (json: unknown): ReadonlyArray<Members> => {
  if (!Array.isArray(json)) throw new Error(`No list: ${JSON.stringify(json)}`)
  return json.map((item) => members(item))
}

/** An answer of the broker over its socket. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** Sends a request with the key of the account `default`, unless another is given or none (null). */
export const ask = Effect.fnUntraced(function* (
  method: string,
  path: string,
  body?: unknown,
  key: string | null = testKey,
  others: Readonly<Record<string, string>> = {},
) {
  const url = new URL(path, yield* brokerUrl)
  const headers = {
    ...others,
    ...(key === null ? {} : { "x-api-key": key }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  }
  return yield* Effect.promise(async (signal): Promise<Answer> => {
    const payload = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }
    const response = await reach(url, { method, headers, signal, ...payload })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get("content-type") ?? "")
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    }
  })
})
