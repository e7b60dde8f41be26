import { type CallOptions, type Connection, refusal } from "./connection.ts"
import { type FailedRequest, NoAnswer, SwapBrokerError } from "./errors.ts"
import { readJson } from "./json.ts"
import type { Operation } from "./request.ts"
import { shapes } from "./standIn.ts"
import { limited, pause, retryAfterIn, waitSeconds } from "./time.ts"

/** How a stream is followed. */
export interface StreamOptions extends Pick<CallOptions, "signal"> {
  /** The `id` of the last event that is known: the stream goes on after it. */
  readonly lastEventId?: string | undefined
  /** A connection that is silent for so long is given up, and another one made; 60 when absent. */
  readonly idleSeconds?: number
}

/** An event as it stands in a stream. */
export interface SentEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Reads server-sent events out of pieces of text, as they come. */
export class EventReader {
  /** How long the service wants a client to wait before it comes again. */
  retrySeconds = 2
  #text = ""
  #id = ""
  #event = ""
  #data: Array<string> = []

  read(piece: string): ReadonlyArray<SentEvent> {
    this.#text += piece
    const events: Array<SentEvent> = []
    for (;;) {
      const found = /\r\n|\n|\r(?!$)/.exec(this.#text)
      if (found === null) return events
      const event = this.#line(this.#text.slice(0, found.index))
      this.#text = this.#text.slice(found.index + found[0].length)
      if (event !== undefined) events.push(event)
    }
  }

  #line(line: string): SentEvent | undefined {
    if (line === "") {
      const event = { id: this.#id, event: this.#event, data: this.#data.join("\n") }
      const isWhole = this.#data.length > 0
      this.#event = ""
      this.#data = []
      return isWhole ? event : undefined
    }
    const [, name, value = ""] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (name === "data") this.#data.push(value)
    if (name === "event") this.#event = value
    if (name === "id" && !value.includes("\0")) this.#id = value
    if (name === "retry" && /^\d{1,7}$/.test(value)) this.retrySeconds = Number(value) / 1_000
    return undefined
  }
}

/** The pieces of text of a body, as they come. */
async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield decoder.decode(value, { stream: true })
  }
}

/** The event that a text is, with its data in the shape of its name; of a name that this client does not know, as it is. */
const eventIn = (
  { reads }: Operation<unknown>,
  { data, event, id }: SentEvent,
): { readonly event: unknown } | { readonly fault: string } => {
  const shape = typeof reads === "object" && "events" in reads ? reads.events[event] : undefined
  const read = readJson(data, shape, shapes)
  return "fault" in read ? read : { event: { id, event, data: read.value } }
}

/** The reader has held the data to the shape of the event's name. */
const isEvent = <A extends object>(_operation: Operation<A>, event: unknown): event is A =>
  typeof event === "object" && event !== null

/** What a stream that is followed goes by. */
interface Following<A> {
  readonly connection: Connection
  readonly operation: Operation<A>
  readonly input: object
  readonly options: StreamOptions
}

/** What is known of a stream between two of its connections. */
interface Progress {
  lastEventId: string | undefined
  /** Connections since the last one that was open. */
  attempts: number
  wasOpen: boolean
  isOver: boolean
  /** How long to wait before the next connection, without what is random. */
  waitSeconds: number
}

/** The events of one connection. */
async function* connected<A extends object>(
  { connection, input, operation, options: { idleSeconds = 60, signal } }: Following<A>,
  progress: Progress,
  failed: () => FailedRequest,
): AsyncGenerator<A, void, void> {
  const limit = limited(signal)
  const reader = new EventReader()
  try {
    limit.give(idleSeconds)
    const request = connection.request(operation, input, { lastEventId: progress.lastEventId })
    const response = await connection.send(request, limit.signal)
    progress.isOver = response.status === 204
    if (progress.isOver) return
    if (!response.ok || response.body === null) {
      const answer = { status: response.status, headers: response.headers, text: await response.text() }
      const { again, error } = refusal(answer, failed)
      if (!again) throw error
      progress.waitSeconds = retryAfterIn(response.headers) ?? 0
      return
    }
    progress.attempts = 0
    progress.wasOpen = true
    for await (const piece of textOf(response.body)) {
      // A caller that takes its time with an event is no silence of the service.
      limit.hold()
      for (const sent of reader.read(piece)) {
        const read = eventIn(operation, sent)
        if ("fault" in read) throw new NoAnswer("unreadable", `Event ${sent.id}: ${read.fault}`, failed())
        progress.lastEventId = sent.id === "" ? progress.lastEventId : sent.id
        const { event } = read
        if (isEvent(operation, event)) yield event
      }
      progress.waitSeconds = reader.retrySeconds
      limit.give(idleSeconds)
    }
  } catch (cause) {
    if (cause instanceof SwapBrokerError) throw cause
    signal?.throwIfAborted()
    if (progress.wasOpen || progress.attempts < mostFirstAttempts) return
    throw new NoAnswer("unreachable", "The service was not reached", failed(), cause)
  } finally {
    limit.end()
  }
}

/** How often a service is tried that was never reached; one that was is come back to for as long as the caller listens. */
const mostFirstAttempts = 4

/**
 * Follows a stream from event to event, over lost connections and restarts: each time it goes on after the last event.
 * It ends where the service says that there is no more, and fails where the service refuses.
 */
export async function* follow<A extends object>(following: Following<A>): AsyncGenerator<A, void, void> {
  const { connection, operation, options } = following
  const progress: Progress = {
    lastEventId: options.lastEventId,
    attempts: 0,
    wasOpen: false,
    isOver: false,
    waitSeconds: 0,
  }
  for (;;) {
    progress.attempts++
    progress.waitSeconds = 0
    const { attempts } = progress
    yield* connected(
      following,
      progress,
      () => ({ operation: operation.name, attempts, isOutcomeUnknown: false }),
    )
    if (progress.isOver) return
    const attempt = Math.max(1, progress.attempts)
    await pause(waitSeconds(attempt, connection.backoffSeconds, progress.waitSeconds), options.signal)
  }
}
