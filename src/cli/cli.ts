import { Console, Effect, Layer, Logger, References } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag } from "effect/cli"
import { version } from "#infrastructure/platform/version.ts"
import { accounts, merchants, routes } from "./accounts.ts"
import { databaseCommands } from "./database.ts"
import { deploy } from "./deploy.ts"
import { doctor } from "./doctor/doctor.ts"
import { type CommandFailed, exitCodeMeanings, exitCodes, failureJson } from "./failures.ts"
import { keys } from "./keys.ts"
import type { OperatorClient } from "./OperatorClient.ts"
import { Json, jsonFlag } from "./output.ts"
import { alerts, audit, providers } from "./providers.ts"
import { ready } from "./ready.ts"
import { catalogue } from "./catalogue.ts"
import { record } from "./record/record.ts"
import { rehearse } from "./rehearse/rehearse.ts"
import { channels, commission, swaps } from "./swaps.ts"
import { affiliates, enter, treasury, withdraw, withdrawals } from "./treasury.ts"
import { webhooks } from "./webhooks.ts"

const description = [
  "The operator's commands. They use the running service of BROKER_URL and BROKER_API_KEY (a key with the scope " +
  "operate) if both are set. Otherwise they open the database of DATABASE_URL or DATA_DIR.",
  "",
  "Exit codes:",
  ...exitCodeMeanings.map(([code, meaning]) => `  ${code}  ${meaning}`),
].join("\n")

/** Every command; `operator` is built only for the commands that need it. */
export const commands = (operator: Layer.Layer<OperatorClient, CommandFailed>) =>
  Command.make("cli").pipe(
    Command.withDescription(description),
    Command.withSubcommands([
      accounts.pipe(Command.provide(operator)),
      merchants.pipe(Command.provide(operator)),
      keys.pipe(Command.provide(operator)),
      routes.pipe(Command.provide(operator)),
      providers.pipe(Command.provide(operator)),
      swaps.pipe(Command.provide(operator)),
      commission.pipe(Command.provide(operator)),
      channels.pipe(Command.provide(operator)),
      treasury.pipe(Command.provide(operator)),
      enter.pipe(Command.provide(operator)),
      withdraw.pipe(Command.provide(operator)),
      withdrawals.pipe(Command.provide(operator)),
      affiliates.pipe(Command.provide(operator)),
      webhooks.pipe(Command.provide(operator)),
      alerts.pipe(Command.provide(operator)),
      audit.pipe(Command.provide(operator)),
      doctor(operator),
      rehearse,
      record.pipe(Command.provide(operator)),
      catalogue,
      ready,
      deploy,
      ...databaseCommands,
    ]),
    Command.withGlobalFlags([Json]),
  )

/** The exit code of wrong usage, which has been reported by then; requested help is no failure. */
const ofUsage = (error: CliError.CliError): number =>
  error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : exitCodes.usage

/** Reports a failure on standard error; returns its exit code. */
const exitCodeOf = (asJson: boolean) => (error: CommandFailed | CliError.CliError): Effect.Effect<number> => {
  if (CliError.isCliError(error)) return Effect.succeed(ofUsage(error))
  const { detail, kind } = error
  return Effect.as(Console.error(asJson ? failureJson(kind, detail) : detail), exitCodes[kind])
}

/** The faults of the arguments, on one line. */
const usageOf = (formatter: CliOutput.Formatter, errors: ReadonlyArray<CliError.CliError>): string =>
  errors.map((error) =>
    formatter.formatCliError(error).replaceAll(/\s+/g, " ").trim()
      .replace(/(?<=Expected: )(?:Schema validation failed: )?(?:must be )?/, "").replace(
        / at \[\d{1,9}\]$/,
        "",
      )
  ).join("; ")

/** Presents wrong usage with its fault on the first line and the command's own help after it. */
const presenter = (asJson: boolean) =>
  CliOutput.layerPresenter({
    present: Effect.fnUntraced(function* (event) {
      if (event._tag !== "InvalidInvocation") return yield* CliOutput.defaultPresenter.present(event)
      const formatter = yield* CliOutput.Formatter
      const detail = usageOf(formatter, event.errors)
      if (asJson) return yield* Console.error(failureJson("usage", detail))
      yield* Console.error(`${detail}\n`)
      yield* Console.error(formatter.formatHelpDoc({ ...event.helpDoc, globalFlags: [] }))
    }),
  })

/** The log goes to standard error: standard output belongs to the command. */
const logging = Layer.merge(
  Logger.layer([Logger.withConsoleError(Logger.formatSimple)]),
  Layer.succeed(References.MinimumLogLevel, "Error"),
)

/** Runs the command that the arguments name; returns the exit code. */
export const run = (
  args: ReadonlyArray<string>,
  operator: Layer.Layer<OperatorClient, CommandFailed>,
): Effect.Effect<number, never, Command.Environment> => {
  // The flag is looked up in the raw arguments, as wrong arguments have no parsed values.
  const asJson = args.includes(jsonFlag)
  return Command.runWith(commands(operator), { version })(args).pipe(
    Effect.as(0),
    Effect.catch(exitCodeOf(asJson)),
    Effect.provide([logging, presenter(asJson)]),
    Effect.provideService(
      CliConfig.CliConfig,
      CliConfig.make({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    ),
  )
}
