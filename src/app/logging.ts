import { Array, Formatter, Layer, Logger, Option, Predicate, References } from "effect"
import type { Settings } from "../Config.ts"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None",
} as const

/**
 * One line of JSON. `message` is a string in any case, as collectors expect of it: what was logged with a sentence,
 * such as an error, stands in `details`.
 */
const jsonLine = Logger.map(Logger.formatStructured, ({ message, ...rest }) => {
  const parts = Array.ensure(message)
  const texts = parts.filter(Predicate.isString)
  const details = parts.filter((part) => !Predicate.isString(part))
  return Formatter.formatJson({
    message: texts.join(" "),
    ...(details.length === 0 ? {} : { details }),
    ...rest,
  })
})

/** Log lines in the wanted form, from the wanted level on. */
export const logging = ({ logFormat, logLevel }: Settings): Layer.Layer<never> => {
  const format = Option.getOrElse(logFormat, () => Deno.stdout.isTerminal() ? "pretty" : "json")
  return Layer.merge(
    Logger.layer([format === "pretty" ? Logger.consolePretty() : Logger.withConsoleLog(jsonLine)]),
    Layer.succeed(References.MinimumLogLevel, levels[logLevel]),
  )
}
