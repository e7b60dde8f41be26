import { Option, Schema } from "effect"
import { EpochMillis, type ProviderOperation } from "#exports/domain.ts"
import type { Answer } from "#providers/upstream/transport.ts"
import type { RecordedAnswer } from "#test/conformance/Fixtures.ts"
import { isRecording, providerOf, recordedAnswers } from "#test/conformance/recordings.ts"
import { swapReaders } from "./swapReaders.ts"

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

/** The folder of a provider's recorded answers, of which its simulated network is made. */
const folderOf = (provider: RecordedProvider): URL =>
  new URL(`../../src/sandbox/${provider}/recorded/`, import.meta.url)

type RecordedProvider = "chainflip" | "near-intents" | "relay" | "thorchain"

/** The answers that are recorded of a provider, by their names. */
export const recordedOf = (provider: RecordedProvider) => (name: string): Recorded =>
  Schema.decodeSync(Recorded)(Deno.readTextFileSync(new URL(`${name}.json`, folderOf(provider))))

/** What a reader has to make of an answer in the folder. */
export interface Reading {
  readonly name: string
  readonly operation: ProviderOperation
  readonly read: (answer: Recorded) => unknown
  readonly expected: unknown
}

/** The recorded answers of a provider, each with what it is read as: an answer that no reader takes is an error. */
export const readingsOf = (
  provider: RecordedProvider,
  readings: ReadonlyArray<Reading>,
): ReadonlyArray<RecordedAnswer> => {
  const unread = [...Deno.readDirSync(folderOf(provider))].map(({ name }) => name.replace(".json", ""))
    .filter((file) => !readings.some(({ name }) => name === file))
  const ofSwaps = unread.flatMap((name) => {
    const text = Deno.readTextFileSync(new URL(`${name}.json`, folderOf(provider)))
    const read = isRecording(text) ? swapReaders.get(providerOf(text)) : undefined
    if (read === undefined) throw new Error(`No reading of ${name}`)
    return recordedAnswers(name, text, read)
  })
  const single = readings.map(({ read, ...reading }) => {
    const answer = recordedOf(provider)(reading.name)
    return { ...reading, source: answer.source, date: answer.date, read: () => read(answer) }
  })
  return [...single, ...ofSwaps]
}

/** A recorded refusal as our clients get it. */
export const answerOf = ({ body, status }: { readonly body: unknown; readonly status: number }): Answer => ({
  status,
  body: typeof body === "string" ? body : JSON.stringify(body),
  retryAfterSeconds: Option.none(),
  answeredAt: EpochMillis.make(0),
})
