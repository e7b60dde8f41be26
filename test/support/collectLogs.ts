import { Effect, Layer, Logger } from "effect"
import { makeOutages, Outages } from "#infrastructure/platform/outages.ts"

/** Runs an effect and gives its value with the messages that it logged, from a state without outages. */
export const collectLogs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => {
      lines.push(...(Array.isArray(message) ? message : [message]))
    })
    return Effect.map(
      Effect.provide(effect, Layer.merge(Logger.layer([logger]), Layer.sync(Outages, makeOutages))),
      (value) => ({ value, lines }),
    )
  })
