import { Console, Effect, Layer, Logger, References } from "effect"
import { CliConfig, type CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { version } from "../version.ts"
import { cli } from "./cli.ts"
import { CommandFailed, exitCodes, failureJson } from "./CommandFailed.ts"
import type { Operator } from "./Operator.ts"
import { jsonFlag } from "./output.ts"

/** Wrong usage has been shown by then; help that was asked for is no failure. */
const ofUsage = (error: CliError.CliError): number =>
  error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : exitCodes.usage

const exitCodeOf = (asJson: boolean) => (error: CommandFailed | CliError.CliError): Effect.Effect<number> =>
  error instanceof CommandFailed
    ? Effect.as(
      Console.error(asJson ? failureJson(error.kind, error.detail) : error.detail),
      exitCodes[error.kind],
    )
    : Effect.succeed(ofUsage(error))

/** What is wrong with the arguments, on one line. */
const usageOf = (formatter: CliOutput.Formatter, errors: ReadonlyArray<CliError.CliError>): string =>
  errors.map((error) => formatter.formatCliError(error).replaceAll(/\s+/g, " ").trim()).join("; ")

/** Wrong usage begins with the line that says what is wrong; the help comes after it, and no script has to read it. */
const presenter = (asJson: boolean) =>
  CliOutput.layerPresenter({
    present: Effect.fnUntraced(function* (event) {
      if (event._tag !== "InvalidInvocation") return yield* CliOutput.defaultPresenter.present(event)
      const formatter = yield* CliOutput.Formatter
      const detail = usageOf(formatter, event.errors)
      if (asJson) return yield* Console.error(failureJson("usage", detail))
      yield* Console.error(`${detail}\n`)
      yield* Console.error(formatter.formatHelpDoc(event.helpDoc))
    }),
  })

/** Standard output is the command's alone. */
const logging = Layer.merge(
  Logger.layer([Logger.withConsoleError(Logger.formatSimple)]),
  Layer.succeed(References.MinimumLogLevel, "Error"),
)

/** Carries out what the arguments say: the exit code. */
export const run = (
  args: ReadonlyArray<string>,
  operator: Layer.Layer<Operator, CommandFailed>,
): Effect.Effect<number, never, Command.Environment> => {
  // Asked of the arguments themselves, as those that are wrong have no values.
  const asJson = args.includes(jsonFlag)
  return Command.runWith(cli(operator), { version })(args).pipe(
    Effect.as(0),
    Effect.catch(exitCodeOf(asJson)),
    Effect.provide([logging, presenter(asJson)]),
    Effect.provideService(
      CliConfig.CliConfig,
      CliConfig.make({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    ),
  )
}
