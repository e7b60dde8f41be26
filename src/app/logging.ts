import { Layer, Logger, Option, References } from "effect"
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

/** Log lines in the wanted form, from the wanted level on. */
export const logging = ({ logFormat, logLevel }: Settings): Layer.Layer<never> => {
  const format = Option.getOrElse(logFormat, () => Deno.stdout.isTerminal() ? "pretty" : "json")
  return Layer.merge(
    Logger.layer([format === "pretty" ? Logger.consolePretty() : Logger.consoleJson]),
    Layer.succeed(References.MinimumLogLevel, levels[logLevel]),
  )
}
