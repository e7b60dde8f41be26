import { Effect } from "effect"

/** Runs an effect and gives the reasons of the rejections that nobody handled meanwhile. */
export const unhandledDuring = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const reasons: Array<unknown> = []
      const listener = (event: PromiseRejectionEvent) => {
        reasons.push(event.reason)
      }
      globalThis.addEventListener("unhandledrejection", listener)
      return { reasons, listener }
    }),
    ({ reasons }) => Effect.as(effect, reasons),
    ({ listener }) => Effect.sync(() => globalThis.removeEventListener("unhandledrejection", listener)),
  )
