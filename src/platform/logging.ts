import {
  Array,
  Formatter,
  Layer,
  Logger,
  Option,
  Predicate,
  Record,
  References,
  Schema,
  Struct,
} from "effect"
import { optionalSetting, setting, struct, type Value } from "../config/Setting.ts"

const levels = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None",
} as const

const levelNames = Struct.keys(levels)

/** The level and the form of the log. */
export const logSettings = struct({
  level: setting({
    name: "LOG_LEVEL",
    default: "info",
    schema: Schema.Literals(levelNames),
    expected: `one of ${levelNames.join(", ")}`,
    meaning: "Least level that is logged",
  }),
  format: optionalSetting({
    name: "LOG_FORMAT",
    unset: "pretty on a terminal, else json",
    schema: Schema.Literals(["pretty", "json"]),
    expected: "pretty or json",
    meaning: "Form of log lines",
  }),
})

/**
 * A log line as JSON. Its `message` is always a string, as collectors expect. Values that were logged with the
 * sentence, such as an error, stand in `details`; what is empty is left out.
 */
const jsonLine = Logger.map(Logger.formatStructured, ({ message, ...rest }) => {
  const parts = Array.ensure(message)
  const texts = parts.filter(Predicate.isString)
  const details = parts.filter((part) => !Predicate.isString(part))
  return Formatter.formatJson({
    message: texts.join(" "),
    ...(details.length === 0 ? {} : { details }),
    ...Record.filter(rest, (value) => !Predicate.isObject(value) || Object.keys(value).length > 0),
  })
})

/** Log lines in the configured form, from the configured level on. */
export const logging = ({ format, level }: Value<typeof logSettings>): Layer.Layer<never> => {
  const form = Option.getOrElse(format, () => Deno.stdout.isTerminal() ? "pretty" : "json")
  return Layer.merge(
    Logger.layer([form === "pretty" ? Logger.consolePretty() : Logger.withConsoleLog(jsonLine)]),
    Layer.succeed(References.MinimumLogLevel, levels[level]),
  )
}
