import { Data } from "effect"

/** A request as the simulated upstreams see it. */
export interface WireRequest {
  readonly method: string
  /** Path without the query, decoded. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

/** An answer of an upstream: complete, or one of the ways a connection ends without one. */
export type WireAnswer = Data.TaggedEnum<{
  readonly Reply: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
  }
  /** The connection is cut before any byte of an answer. */
  readonly Reset: {}
  /** Nothing is ever answered; the client gives up. */
  readonly Silence: {}
}>
export const WireAnswer = Data.taggedEnum<WireAnswer>()
export type Reply = Data.TaggedEnum.Value<WireAnswer, "Reply">

/** A JSON answer; bigints have to be encoded before. */
export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  WireAnswer.Reply({
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(body),
  })

/** A plain text answer. */
export const text = (status: number, body: string): Reply =>
  WireAnswer.Reply({ status, headers: { "content-type": "text/plain; charset=utf-8" }, body })
