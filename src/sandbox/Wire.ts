/** A request as the simulated upstreams see it. */
export interface WireRequest {
  readonly method: string
  /** Path without the query, as it was sent. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  /** The Authorization header, where one was sent. */
  readonly authorization?: string
}

/** A whole answer. */
export interface Reply {
  readonly _tag: "Reply"
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The connection is cut before any byte of an answer. */
export interface Reset {
  readonly _tag: "Reset"
}

/** Nothing is ever answered; the client gives up. */
export interface Silence {
  readonly _tag: "Silence"
}

/** What an upstream answers, or how a connection ends without an answer. */
export type WireAnswer = Reply | Reset | Silence

/** A JSON answer; bigints have to be encoded before. */
export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  _tag: "Reply",
  status,
  headers: { "content-type": "application/json; charset=utf-8", ...headers },
  body: JSON.stringify(body),
})

/** A plain text answer. */
export const text = (status: number, body: string): Reply => ({
  _tag: "Reply",
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
})
