import { Context, Effect, Layer, Option } from "effect"
import type { Command } from "effect/cli"
import { commands } from "#cli/cli.ts"
import { CommandFailed } from "#cli/failures.ts"
import { OperatorClient } from "#cli/OperatorClient.ts"
import { Printed } from "#cli/output.ts"

/** A command that does something, by its words. */
interface Leaf {
  readonly name: string
  readonly command: Command.Command.Any
}

const leavesOf = (command: Command.Command.Any, words: ReadonlyArray<string>): ReadonlyArray<Leaf> =>
  command.subcommands.length === 0
    ? [{ name: words.join(" "), command }]
    : command.subcommands.flatMap(({ commands }) =>
      commands.flatMap((inner) => leavesOf(inner, [...words, inner.name]))
    )

/** No command is run. */
const nobody = Layer.effect(
  OperatorClient,
  Effect.fail(new CommandFailed({ kind: "failed", detail: "not needed" })),
)

/** Every command that does something, with what it prints with `--json`; undefined where it does not say. */
export const printed: ReadonlyMap<string, string | undefined> = new Map(
  leavesOf(commands(nobody), []).map(({ command, name }) => [
    name,
    Option.getOrUndefined(Context.getOption(command.annotations, Printed)),
  ]),
)

/** Where it is listed. */
export const jsonPlace = new URL("../../src/cli/json.md", import.meta.url)

const rows = [...printed].map(([name, shape]) => `| \`${name}\` | ${shape ?? "nothing"} |`)

/** The page about it. */
export const jsonDocument = `# What the commands print with \`--json\`

Every command prints one JSON value on standard output. Where an endpoint is named it is the answer of that endpoint, as
\`/docs\` and \`/openapi.json\` describe it: every number with all its digits, every id in full, and a list to its end (or
to its \`--limit\`), whether a service or a database was asked. A member with \`?\` may be absent. A failure prints nothing
there, and \`{"error", "detail", "exitCode"}\` on one line of standard error. This page is made of the commands themselves
(\`deno task readme\`).

| command | prints |
|---|---|
${rows.join("\n")}
`
