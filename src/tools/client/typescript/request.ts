import { utf8 } from "./bytes.ts"
import { type Shape, writeJson } from "./json.ts"

/** Whether a request may be sent again: freely, under its key only, or not at all. */
export type Sending = "freely" | "keyed" | "once"

/** How an answer is read: as JSON of a shape (of none: it has no exact numbers), as events by their names, or as text. */
export type Reading =
  | { readonly json: Shape | undefined }
  | { readonly events: { readonly [event: string]: Shape } }
  | "text"

/** An endpoint of the contract; `A` is what its answers are read as. */
export interface Operation<A> {
  readonly name: string
  readonly method: string
  /** With the names of its parameters in braces. */
  readonly path: string
  readonly sending: Sending
  readonly reads: Reading
  readonly hasBody?: boolean
  readonly isPublic?: boolean
  readonly isSigned?: boolean
  readonly of?: A
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** Headers of a call that are not of the contract. */
export interface SentWith {
  readonly apiKey: string | undefined
  readonly language?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly lastEventId?: string | undefined
}

const headersOf = (
  { hasBody, isPublic, reads }: Operation<unknown>,
  { apiKey, idempotencyKey, language, lastEventId }: SentWith,
): Readonly<Record<string, string>> => ({
  accept: reads === "text" ? "*/*" : "events" in reads ? "text/event-stream" : "application/json",
  ...(apiKey === undefined || isPublic ? {} : { "x-api-key": apiKey }),
  ...(language === undefined ? {} : { "accept-language": language }),
  ...(hasBody ? { "content-type": "application/json" } : {}),
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
})

/** A request with the caller's values: those that the path names there, the others in the body or the query. */
export const writeRequest = (
  base: URL,
  operation: Operation<unknown>,
  input: object,
  sentWith: SentWith,
): WireRequest => {
  const values = new Map<string, unknown>(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name)
    values.delete(name)
    if (value === undefined || `${value}` === "") throw new TypeError(`${operation.name} needs ${name}`)
    return encodeURIComponent(`${value}`)
  })
  const query = new URLSearchParams()
  if (!operation.hasBody) {
    for (const [name, value] of values) {
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, `${one}`)
    }
  }
  return {
    url: `${base.href.replace(/\/+$/, "")}${path}${query.size === 0 ? "" : `?${query}`}`,
    method: operation.method,
    headers: headersOf(operation, sentWith),
    body: operation.hasBody ? utf8(writeJson(Object.fromEntries(values))) : undefined,
  }
}
