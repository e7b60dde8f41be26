import { Effect, Result, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { JournalEntryBody } from "#api/JournalEntry.ts"
import { SandboxGroup } from "#api/Sandbox.ts"
import { SwapStatusBody } from "#api/SwapRecord.ts"
import { counted } from "#domain/figures.ts"
import { withFile, writeNewFile } from "#infrastructure/platform/newFile.ts"
import { version } from "#infrastructure/platform/version.ts"
import { CommandFailed, orDatabaseFailed } from "../failures.ts"
import { asWritten, OperatorClient, readAs } from "../OperatorClient.ts"
import { print, prints } from "../output.ts"
import { swapId } from "../parameters.ts"
import { swapWithJournal } from "../swaps.ts"
import { readingOf, Recording } from "./Recording.ts"
import { scrub } from "./scrub.ts"

/** The names in a swap's record that look like ordinary words: names of brokers, and memos. */
const namesOf = ({ brokers, depositChannel }: typeof SwapStatusBody.Type): ReadonlyArray<string> => [
  ...[...brokers, ...depositChannel?.affiliateBrokers ?? []].map(({ account }) => account),
  ...[depositChannel?.memo ?? []].flat(),
]

type Entry = Pick<JournalEntryBody, "at" | "kind" | "status" | "upstreamBody" | "upstreamBodyLength">

const answerIn = ({ at, kind, status, upstreamBody = "", upstreamBodyLength }: Entry) =>
  status === undefined || upstreamBodyLength !== upstreamBody.length
    ? Effect.succeed([])
    : Effect.map(asWritten(upstreamBody), (body): Recording["answers"] => [{
      operation: "status",
      at,
      body,
      expected: readingOf(encodeStatus(status)),
      ...(kind === "contradicted" ? { isDisputed: true } : {}),
    }])

const encodeStatus = Schema.encodeSync(SwapStatusBody)
const encode = Schema.encodeSync(Recording)
const refuse = (detail: string) => new CommandFailed({ kind: "refused", detail })

/** Writes the responses in a swap's timeline to a new file; their number. */
export const writeRecording = Effect.fnUntraced(function* (
  file: string,
  { provider, recorded }: Pick<Recording, "provider" | "recorded">,
  timeline: ReadonlyArray<Entry>,
) {
  const answers = (yield* Effect.forEach(timeline, answerIn)).flat()
  const [first] = answers
  const statuses = timeline.flatMap(({ status }) => status ?? [])
  const [swap] = statuses
  if (swap === undefined || first === undefined) {
    return yield* refuse(
      `No complete response of ${provider} about this swap is known, so nothing was written`,
    )
  }
  const source = `a swap ${recorded ? "" : "in sandbox mode "}at ${provider}, by swap-broker ${version}`
  const date = new Date(first.at).toISOString().slice(0, 10)
  const { answers: given, swap: start, ...head } = encode({ source, date, recorded, provider, swap, answers })
  // The head names nobody, and its words stay where a broker is called by one of them.
  const text = yield* Effect.fromResult(Result.mapError(
    scrub({ swap: start, answers: given }, statuses.flatMap(namesOf)),
    (original) =>
      refuse(
        `Nothing was written, as an original that begins with ${original} is left. Report this to the maintainers`,
      ),
  ))
  const bytes = new Blob([`${JSON.stringify(head, undefined, 1).slice(0, -2)},${text.slice(1)}\n`])
  yield* orDatabaseFailed(
    writeNewFile(file, ({ writable }) => withFile(file, () => bytes.stream().pipeTo(writable))),
  )
  return answers.length
})

/** Only a service in sandbox mode has the controls of the sandbox. */
const isOfSandbox = Effect.flatMap(OperatorClient, ({ ask }) => ask(SandboxGroup.endpoints.view, {})).pipe(
  Effect.as(true),
  Effect.catchIf(({ kind }) => kind === "refused", () => Effect.succeed(false)),
)

const readJournal = readAs(Schema.Array(JournalEntryBody))

/** `record`: writes the provider's responses to a swap as a fixture of the conformance kit. */
export const record = Command.make(
  "record",
  {
    id: swapId,
    file: Argument.String("file").pipe(Argument.withDescription("Path of a new file")),
  },
  Effect.fnUntraced(function* ({ file, id }) {
    const { swap, text } = yield* swapWithJournal(id)
    if (swap === undefined) return yield* refuse(`There is no swap ${id}`)
    const origin = { provider: swap.platform, recorded: !(yield* isOfSandbox) }
    const answers = yield* writeRecording(file, origin, yield* readJournal(text))
    yield* print(
      { file, answers },
      `${
        counted(answers, "response")
      } of swap ${id} in "${file}". Amounts, times and assets are real: read the ` +
        "file before you pass it on",
    )
  }),
).pipe(
  Command.withDescription(
    "Write the provider's responses to a swap to a file for tests, with stand-ins for addresses, hashes, IDs and " +
      "signatures. Amounts and times stay",
  ),
  Command.withExamples([{ command: "record 42 first-swap.json" }]),
  prints("`{file, answers}`"),
)
