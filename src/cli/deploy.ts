import { Effect, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { makeKey } from "#infrastructure/config/kinds.ts"
import { environmentFile } from "./deploy/environmentFile.ts"
import { type Facts, facts } from "./deploy/facts.ts"
import { composeFile, containerfile, program, systemdUnit } from "./deploy/texts.ts"
import { everySetting } from "#settings.ts"
import { CommandFailed } from "./failures.ts"
import { group } from "./act.ts"
import { print, prints } from "./output.ts"

const readFacts = Effect.mapError(
  facts,
  ({ message }) => new CommandFailed({ kind: "usage", detail: message }),
)

/** Prints a text, which is for a file, without the empty line that would end it. */
const printText = (text: string) => print({ text }, text.trimEnd())

const ofText = prints("`{text}`")

const printed = (name: string, text: (facts: Facts) => string, description: string) =>
  Command.make(name, {}, () => Effect.flatMap(readFacts, (facts) => printText(text(facts)))).pipe(
    Command.withDescription(description),
    ofText,
  )

const binary = Flag.String("binary").pipe(
  Flag.withDescription("Path of the binary on the machine"),
  Flag.withSchema(Schema.String.check(Schema.isPattern(/^\/[\w./-]+$/, {
    message: "must be an absolute path of letters, digits, dots, hyphens and underscores",
  }))),
  Flag.withDefault(program),
)

const systemd = Command.make(
  "systemd",
  { binary },
  ({ binary }) => Effect.flatMap(readFacts, (facts) => printText(systemdUnit(facts, binary))),
).pipe(Command.withDescription("A hardened unit of systemd"), ofText)

/** The settings that are 32 random bytes. */
const keyNames = everySetting.variables.flatMap(({ madeWith, name }) => madeWith === makeKey ? [name] : [])

const key = Command.make(
  "key",
  {
    setting: Argument.Literals("setting", keyNames).pipe(
      Argument.withDescription(`The setting that it is for: ${keyNames.join(", ")}`),
    ),
  },
  ({ setting }) => printText(`${setting}=${crypto.getRandomValues(new Uint8Array(32)).toBase64()}`),
).pipe(
  Command.withDescription("A new key for a setting, as a line of the file of settings"),
  Command.withExamples([{ command: "deploy key CASE_FILE_KEYS" }]),
  ofText,
)

export const deploy = group("deploy", "Print a text to run the service with, for the settings that are set", [
  printed("docker", containerfile, "The recipe of a container image that holds the binary alone"),
  systemd,
  printed("compose", composeFile, "A compose file: the service, its Postgres server, and Redis where wanted"),
  key,
  printed("env", environmentFile, "A file of every setting, with its default and its meaning"),
])
