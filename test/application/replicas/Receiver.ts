import { Effect, Random, Schema, type Scope } from "effect"
import type { Addressed } from "#test/durability/client.ts"

/** An event as it reached whoever waits for it. */
export interface Delivery {
  /** Stays the same, however often the event is delivered. */
  readonly id: number
  readonly type: string
  readonly swapId: number
  /** The whole body, to the last character. */
  readonly text: string
}

/** Whoever is told of events, by whatever way: all that reached it, in the order in which it came. */
export interface Receiver {
  readonly deliveries: ReadonlyArray<Delivery>
}

/** Begins to receive every event of the account of the service, until the scope closes. */
export type Receive = (service: Addressed) => Effect.Effect<Receiver, never, Scope.Scope>

const Body = Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ id: Schema.Int }) }))
const swapOf = Schema.decodeUnknownSync(Body)

const field = (frame: string, name: string): string | undefined =>
  frame.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)

const deliveryIn = (frame: string): Delivery | undefined => {
  const [id, type, text] = ["id", "event", "data"].map((name) => field(frame, name))
  return id === undefined || type === undefined || text === undefined
    ? undefined
    : { id: Number(id), type, text, swapId: swapOf(text).data.id }
}

const readUntilCut = async (
  { apiKey, url }: Addressed,
  after: number,
  take: (delivery: Delivery) => void,
  signal: AbortSignal,
) => {
  const response = await fetch(new URL("/swaps/events", url), {
    headers: { "x-api-key": apiKey, "last-event-id": `${after}` },
    signal,
  })
  if (response.status !== 200 || response.body === null) return void await response.body?.cancel()
  let rest = ""
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (rest + text).split("\n\n")
    rest = frames.pop() ?? ""
    for (const frame of frames) {
      const delivery = deliveryIn(frame)
      if (delivery !== undefined) take(delivery)
    }
  }
}

/** So many of the last events a receiver may have forgotten when it comes again. */
const mostForgotten = 4

/**
 * Reads server-sent events from the first one on. Whenever it is cut off it comes
 * again with an event that it has seen, not always the last one, as somebody does who is killed himself.
 */
export const receiveStream: Receive = (service) =>
  Effect.gen(function* () {
    const deliveries: Array<Delivery> = []
    const readOnce = Effect.gen(function* () {
      const forgotten = yield* Random.nextIntBetween(0, mostForgotten)
      const after = deliveries.at(-1 - forgotten)?.id ?? 0
      const take = (delivery: Delivery) => void deliveries.push(delivery)
      yield* Effect.promise((signal) => readUntilCut(service, after, take, signal).catch(() => undefined))
    })
    yield* readOnce.pipe(Effect.andThen(Effect.sleep("100 millis")), Effect.forever, Effect.forkScoped)
    return { deliveries }
  })
