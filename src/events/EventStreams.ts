import { Context, Data, Deferred, Effect, Layer, type Scope, Stream } from "effect"
import type { KeyId } from "../domain/Key.ts"
import type { EventsOf, SwapEvent, SwapEventId } from "../domain/SwapEvent.ts"
import { Outbox } from "./Outbox.ts"

/** A key has as many streams open as it may. */
export class TooManyStreams extends Data.TaggedError("TooManyStreams")<{ readonly most: number }> {}

/** Who listens, and to what. */
export interface Listener {
  readonly keyId: KeyId
  readonly events: EventsOf
  /** The last event that is known already. */
  readonly after: SwapEventId
}

/** Events as they are written, for as long as somebody listens. */
export class EventStreams extends Context.Service<EventStreams, {
  /**
   * Events after the known one, without end: those that are there already first. Takes one of the key's places
   * until the scope closes. The stream ends when the process is to stop, and where the database fails: whoever
   * listens comes again with the last event that it has seen.
   */
  readonly open: (listener: Listener) => Effect.Effect<Stream.Stream<SwapEvent>, TooManyStreams, Scope.Scope>
  /** Ends all streams, now and from now on. */
  readonly close: Effect.Effect<void>
}>()("swap-broker/events/EventStreams") {
  /** `mostPerKey` streams of one key may be open at a time. */
  static readonly layer = (
    { mostPerKey }: { readonly mostPerKey: number },
  ): Layer.Layer<EventStreams, never, Outbox> =>
    Layer.effect(
      EventStreams,
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const closed = yield* Deferred.make<void>()
        const open = new Map<KeyId, number>()

        const leave = (key: KeyId) => {
          const left = (open.get(key) ?? 1) - 1
          if (left > 0) open.set(key, left)
          else open.delete(key)
        }

        const place = (key: KeyId) =>
          Effect.acquireRelease(
            Effect.suspend(() => {
              const count = open.get(key) ?? 0
              if (count >= mostPerKey) return Effect.fail(new TooManyStreams({ most: mostPerKey }))
              open.set(key, count + 1)
              return Effect.void
            }),
            () => Effect.sync(() => leave(key)),
          )

        return EventStreams.of({
          open: ({ after, events, keyId }) =>
            Effect.as(
              place(keyId),
              outbox.follow(events, after).pipe(
                Stream.catch((error) =>
                  Stream.fromEffectDrain(Effect.logWarning("A stream of events ends", error))
                ),
                Stream.interruptWhen(Deferred.await(closed)),
              ),
            ),
          close: Effect.asVoid(Deferred.succeed(closed, undefined)),
        })
      }),
    )
}
