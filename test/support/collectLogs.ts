import { Effect, Logger } from "effect"

/** Runs an effect and gives its value with the messages that it logged. */
export const collectLogs = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ message }) => {
      lines.push(...(Array.isArray(message) ? message : [message]))
    })
    return Effect.map(Effect.provide(effect, Logger.layer([logger])), (value) => ({ value, lines }))
  })
