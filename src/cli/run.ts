import { Console, Effect, type Layer } from "effect"
import { CliConfig, type CliError, Command, GlobalFlag } from "effect/cli"
import { cli } from "./cli.ts"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"
import type { Operator } from "./Operator.ts"

/** Wrong usage has been shown by then; help that was asked for is no failure. */
const ofUsage = (error: CliError.CliError): number =>
  error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : exitCodes.usage

const exitCodeOf = (error: CommandFailed | CliError.CliError): Effect.Effect<number> =>
  error instanceof CommandFailed
    ? Effect.as(Console.error(error.detail), exitCodes[error.kind])
    : Effect.succeed(ofUsage(error))

/** Carries out what the arguments say: the exit code. */
export const run = (
  args: ReadonlyArray<string>,
  operator: Layer.Layer<Operator, CommandFailed>,
): Effect.Effect<number, never, Command.Environment> =>
  Command.runWith(cli(operator), { version: "1.0.0" })(args).pipe(
    Effect.as(0),
    Effect.catch(exitCodeOf),
    Effect.provideService(
      CliConfig.CliConfig,
      CliConfig.make({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
    ),
  )
