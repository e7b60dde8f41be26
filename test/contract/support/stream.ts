import { assert } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { brokerUrl, testKey } from "#test/support/broker.ts"
import { reach } from "#test/support/reach.ts"
import { type Json, parseJson } from "./Json.ts"

/** An event as it came over the wire. */
export interface Received {
  readonly id: string
  readonly event: string
  readonly data: Json
}

/** A stream that is being read. */
export interface Listening {
  /** Waits for so many events in all, or for the end; what has come by then. */
  readonly events: (count: number) => Effect.Effect<ReadonlyArray<Received>>
  /** Waits for an event of that name; all that have come by then. */
  readonly until: (name: string) => Effect.Effect<ReadonlyArray<Received>>
  /** Waits for the end of the stream: all of its text. */
  readonly ended: Effect.Effect<string>
  /** The text so far, once it is enough, or once it has ended. */
  readonly heard: (enough: (text: string) => boolean) => Effect.Effect<string>
}

const field = (frame: string, name: string): string | undefined =>
  frame.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)

const eventsIn = (text: string): ReadonlyArray<Received> =>
  text.split("\n\n").slice(0, -1).flatMap((frame) => {
    const [id, event, data] = ["id", "event", "data"].map((name) => field(frame, name))
    return id === undefined || event === undefined || data === undefined
      ? []
      : [{ id, event, data: parseJson(data) }]
  })

/** Opens a stream; it is cut off when the scope closes. */
export const listen = Effect.fnUntraced(function* (
  path: string,
  { key = testKey, headers = {} }: {
    readonly key?: string
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): Effect.fn.Return<Listening, never, Scope.Scope | Effect.Services<typeof brokerUrl>> {
  const url = new URL(path, yield* brokerUrl)
  const cut = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort()),
  )
  const response = yield* Effect.promise(() =>
    reach(url, { headers: { "x-api-key": key, ...headers }, signal: cut.signal })
  )
  assert.strictEqual(response.status, 200)
  assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
  assert.strictEqual(response.headers.get("cache-control"), "no-store")
  let text = ""
  let isOver = false
  /** Comes with the next part of the text, or with its end. */
  let more = Promise.withResolvers<void>()
  const read = async () => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true })
        more.resolve()
        more = Promise.withResolvers<void>()
      }
    } catch {
      // Cut off by us.
    }
    isOver = true
    more.resolve()
  }
  const reading = read()
  const heard = (enough: (text: string) => boolean) =>
    Effect.gen(function* () {
      while (!isOver && !enough(text)) yield* Effect.promise(() => more.promise)
      return text
    })
  const waitFor = (enough: (events: ReadonlyArray<Received>) => boolean) =>
    Effect.map(heard((text) => enough(eventsIn(text))), eventsIn)
  const events = (count: number) => waitFor((seen) => seen.length >= count)
  const until = (name: string) => waitFor((seen) => seen.some(({ event }) => event === name))
  return { events, heard, until, ended: Effect.promise(() => reading.then(() => text)) }
})
