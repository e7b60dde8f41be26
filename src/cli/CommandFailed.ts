import { Schema } from "effect"

/** How a command can fail, and with which exit code its process then ends. */
export const exitCodes = {
  failed: 1,
  usage: 2,
  refused: 3,
  forbidden: 4,
  unreachable: 5,
} as const

/** What each exit code means, for `--help` and the README. */
export const exitCodeMeanings: ReadonlyArray<readonly [code: number, meaning: string]> = [
  [0, "done"],
  [exitCodes.failed, "failed, or doctor found something that has to be done"],
  [exitCodes.usage, "wrong usage or wrong settings; nothing was done"],
  [exitCodes.refused, "refused as things stand: no such account or key, there already, not empty"],
  [exitCodes.forbidden, "the API key is unknown, or may not do this"],
  [exitCodes.unreachable, "the service or the database cannot be reached, or another process has it"],
]

/** A failure as scripts read it: on one line, with the exit code that its process ends with. */
export const failureJson = (kind: CommandFailed["kind"], detail: string): string =>
  JSON.stringify({ error: kind, detail, exitCode: exitCodes[kind] })

/** A command could not be carried out: `detail` says what was wrong and what to do. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  kind: Schema.Literals(["failed", "usage", "refused", "forbidden", "unreachable"]),
  detail: Schema.String,
}) {
  override get message(): string {
    return this.detail
  }
}
