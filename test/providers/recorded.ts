import { Option, Schema } from "effect"
import { EpochMillis, type ProviderOperation } from "#exports/domain.ts"
import type { Answer } from "#providers/upstream/transport.ts"
import type { RecordedAnswer } from "#test/conformance/Fixtures.ts"

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

type Recorded = typeof Recorded.Type

const folderBeside = (module: string): URL => new URL("./recorded/", module)

/** An answer in the folder `recorded` beside a test, by its name. */
export const readBeside = (module: string, name: string): Recorded =>
  Schema.decodeSync(Recorded)(Deno.readTextFileSync(new URL(`${name}.json`, folderBeside(module))))

/** The answers that are recorded of a provider, by their names. */
export const recordedOf =
  (provider: "chainflip" | "near-intents" | "relay" | "thorchain") => (name: string) =>
    readBeside(new URL(`./${provider}/recorded.ts`, import.meta.url).href, name)

/** What a reader has to make of an answer in the folder. */
export interface Reading {
  readonly name: string
  readonly operation: ProviderOperation
  readonly read: (answer: Recorded) => unknown
  readonly expected: unknown
}

/** The answers in the folder `recorded` beside a module, each with what it is read as: an answer that nobody reads is none. */
export const recordedBeside = (
  module: string,
  readings: ReadonlyArray<Reading>,
): ReadonlyArray<RecordedAnswer> => {
  const unread = [...Deno.readDirSync(folderBeside(module))].map(({ name }) => name.replace(".json", ""))
    .filter((file) => !readings.some(({ name }) => name === file))
  if (unread.length > 0) throw new Error(`Nobody reads ${unread.join(", ")}`)
  return readings.map(({ read, ...reading }) => {
    const answer = readBeside(module, reading.name)
    return { ...reading, source: answer.source, date: answer.date, read: () => read(answer) }
  })
}

/** A recorded refusal as our clients get it. */
export const answerOf = ({ body, status }: { readonly body: unknown; readonly status: number }): Answer => ({
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
  retryAfterSeconds: Option.none(),
  answeredAt: EpochMillis.make(0),
})
