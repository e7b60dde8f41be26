import type { Layer } from "effect"
import { Command } from "effect/cli"
import { accounts } from "./accounts.ts"
import { audit } from "./audit.ts"
import { type CommandFailed, exitCodeMeanings } from "./CommandFailed.ts"
import { databaseCommands } from "./database.ts"
import { doctor } from "./doctor/doctor.ts"
import { keys } from "./keys.ts"
import type { Operator } from "./Operator.ts"
import { Json } from "./output.ts"
import { providers } from "./providers.ts"
import { routes } from "./routes.ts"
import { swaps } from "./swaps.ts"
import { webhooks } from "./webhooks.ts"

const description = [
  "The operator's commands. They work with the running service of BROKER_URL and BROKER_API_KEY (a key with " +
  "the scope operate) where both are set, else in the database of DATABASE_URL or DATA_DIR.",
  "",
  "Exit codes:",
  ...exitCodeMeanings.map(([code, meaning]) => `  ${code}  ${meaning}`),
].join("\n")

/** Every command; `operator` is made only for those that need it. */
export const cli = (operator: Layer.Layer<Operator, CommandFailed>) =>
  Command.make("cli").pipe(
    Command.withDescription(description),
    Command.withSubcommands([
      accounts.pipe(Command.provide(operator)),
      keys.pipe(Command.provide(operator)),
      routes.pipe(Command.provide(operator)),
      providers.pipe(Command.provide(operator)),
      swaps.pipe(Command.provide(operator)),
      webhooks.pipe(Command.provide(operator)),
      audit.pipe(Command.provide(operator)),
      doctor(operator),
      ...databaseCommands,
    ]),
    Command.withGlobalFlags([Json]),
  )
