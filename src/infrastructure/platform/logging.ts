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
import { given } from "../config/given.ts"
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

const logFormat = optionalSetting({
  name: "LOG_FORMAT",
  isTuning: false,
  unset: "pretty on a terminal, else json",
  schema: Schema.Literals(["pretty", "json"]),
  expected: "pretty or json",
  meaning: "Format of log lines",
})

export const logSettings = struct({
  level: setting({
    name: "LOG_LEVEL",
    isTuning: false,
    default: "info",
    schema: Schema.Literals(levelNames),
    expected: `one of ${levelNames.join(", ")}`,
    meaning: "Minimum level that is logged",
  }),
  format: logFormat,
})

/** A log line as JSON. `message` is a string, as collectors expect; `details` holds values such as errors, if any. */
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

/** A line outside the log's layer, such as of a failed start. Of the settings, which may be at fault, only the form is read. */
export const lastLine = (message: string): string => {
  const form = given(logFormat.name, Deno.env.toObject())
  const isJson = form === "json" || (form !== "pretty" && !Deno.stdout.isTerminal())
  return isJson
    ? Formatter.formatJson({ message, level: "FATAL", timestamp: new Date().toISOString() })
    : message
}

/** Log lines in the configured form, from the configured level on. */
export const logging = ({ format, level }: Value<typeof logSettings>): Layer.Layer<never> => {
  const form = Option.getOrElse(format, () => Deno.stdout.isTerminal() ? "pretty" : "json")
  return Layer.merge(
    Logger.layer([form === "pretty" ? Logger.consolePretty() : Logger.withConsoleLog(jsonLine)]),
    Layer.succeed(References.MinimumLogLevel, levels[level]),
  )
}
