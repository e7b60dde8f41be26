import { Option, Schema } from "effect"
import { EpochMillis } from "../../src/domain/Time.ts"
import type { Answer } from "../../src/providers/upstream/transport.ts"

/**
 * A whole answer of an upstream, with its source and date: facts to read, not words of ours. One that is not `recorded`
 * was built from the types and texts that its source publishes.
 */
const Recorded = Schema.fromJsonString(Schema.Struct({
  source: Schema.NonEmptyString,
  date: Schema.NonEmptyString,
  recorded: Schema.Boolean,
  status: Schema.Int,
  body: Schema.Unknown,
}))

/** The answers in the folder `recorded` beside a test, by name; `unread` are those that nobody has asked for. */
export const recordedBeside = (test: string) => {
  const folder = new URL("./recorded/", test)
  const unread = new Set([...Deno.readDirSync(folder)].map(({ name }) => name.replace(".json", "")))
  const read = (name: string) => {
    unread.delete(name)
    return Schema.decodeSync(Recorded)(Deno.readTextFileSync(new URL(`${name}.json`, folder)))
  }
  return { read, unread }
}

/** A recorded refusal as our clients get it. */
export const answerOf = ({ body, status }: { readonly body: unknown; readonly status: number }): Answer => ({
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
  retryAfterSeconds: Option.none(),
  answeredAt: EpochMillis.make(0),
})
