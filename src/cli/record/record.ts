import { Effect, Predicate, Result, Schema, Struct } from "effect"
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
import { optional } from "#domain/optional.ts"
import { ProviderName } from "#domain/ProviderName.ts"
import { EpochMillis } from "#domain/Time.ts"
import { shake256 } from "@noble/hashes/sha3.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { isOnCurve as isOfTaproot } from "#domain/chains/address/BitcoinFamily.ts"
import { isOnCurve, ownerlessFault } from "#domain/chains/address/ownerless.ts"
import { type Spelling, spellingOf } from "#domain/chains/address/spelling.ts"
import { chains } from "#domain/chains/Chain.ts"

const paid = optional(Schema.Struct({
  amountNative: Schema.String,
  isExpected: optional(Schema.Boolean),
  isPromised: optional(Schema.Boolean),
  transactionReference: optional(Schema.String),
}))

/** The reading of a response: how far the swap is, and what was paid. Times may be of the clock of whoever reads. */
const SwapReading = Schema.Struct({
  ...Struct.pick(SwapStatusBody.fields, ["state", "result"]),
  deposit: paid,
  swapEgress: paid,
  refundEgress: paid,
  fallbackEgress: paid,
})

/** The reading of a status in the JSON of the contract. */
export const readingOf = Schema.decodeUnknownSync(SwapReading)

/**
 * The responses of a provider to status checks of one swap, with stand-ins for whatever names somebody: a fixture of the
 * conformance kit (`@swap-broker/core/recordings`).
 */
export const Recording = Schema.Struct({
  source: Schema.NonEmptyString,
  date: Schema.NonEmptyString,
  /** False if the sandbox may have simulated the provider. */
  recorded: Schema.Boolean,
  provider: ProviderName,
  /** The first record of the swap, which responses are read against. */
  swap: SwapStatusBody,
  /** The responses in their order. The timeline has those of status checks only. */
  answers: Schema.Array(Schema.Struct({
    operation: Schema.Literal("status"),
    at: EpochMillis,
    body: Schema.Unknown,
    expected: SwapReading,
    /** The reading contradicted the record, which stayed as it was. */
    isDisputed: optional(Schema.Literal(true)),
  })),
})
export type Recording = typeof Recording.Type

/*
 * Stand-ins for whatever names somebody: accounts, hashes, IDs, signatures. A stand-in is made of its number in the file,
 * so nothing of the original can be searched for, and has the form of the original. Bytes have one stand-in, however they
 * are spelled: in capitals or not, with 0x or without, in base58 or hexadecimal, in memos. Calldata is replaced as a whole.
 */

/** Shorter names and IDs occur by chance: they are replaced, and not searched for. */
const shortest = 6

/** Members that hold an ID: not those of chains, which are public. */
const idMember = /(?:^i|I|_i)ds?$|[tT]ag$/
const publicId = /(?:chain|asset|token|currency|contract)_?ids?$/i
/** Members that say who or with which tag. */
const whoMember =
  /(?:address(?:es)?|(?:account|recipient|refundTo|sender|user|owner|referral|referrer|affiliate|partner|memo|tag|wallet|email)s?)(?:_?name)?$/i
const isIdMember = (member: string): boolean => idMember.test(member) && !publicId.test(member)
/** Members whose number is no ID, though an ID may be equal to it. */
const amountMember = /(?:amount\w{0,20}|native|fee|value|price)s?$/i
const isAmountMember = (member: string): boolean => amountMember.test(member) && !isIdMember(member)
/** A number that is neither a part of a word nor of a fraction. */
const numbers = /(?<![A-Za-z0-9.])\d{1,40}(?![A-Za-z0-9.])/g
const idForm = /^\d{1,40}(?:-[A-Za-z]{1,40}-\d{1,40})?$/
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi
/** An asset of NEAR, whose name has the contract of a token. */
const nearAsset = /^(?:nep|1cs_v)\d{1,4}:/
/** Such an asset, or what may name somebody: base64 or a token, or letters and digits. */
const tokens = /(?:nep|1cs_v)\d{1,4}:[\w.:-]{1,200}|[A-Za-z0-9+/_=-]{20,}/g
const pieces = /[A-Za-z0-9]{20,}/g

const isMixed = (text: string): boolean => /[0-9]/.test(text) && /[A-Za-z]/.test(text)

/** Bytes that depend on nothing but numbers. */
const bytesOf = (number: number, attempt: number, length: number): Uint8Array =>
  shake256(utf8ToBytes(`stand-in ${number}.${attempt}`), { dkLen: length })

/** Keys of people and of programs, and keys of taproot, differ by their curve. */
const isOfKind = (original: Uint8Array, made: Uint8Array): boolean =>
  original.length !== 32 ||
  isOnCurve(made) === isOnCurve(original) && isOfTaproot(made) === isOfTaproot(original)

/** Digits in the place of digits and letters in the place of letters; a number has no zero at its beginning. */
const inShapeOf = (text: string, bytes: Uint8Array): string => {
  const letters = /^[0-9a-f-]+$/i.test(text) ? "abcdef" : "abcdefghijklmnopqrstuvwxyz"
  const alphabets = ["0123456789", letters, letters.toUpperCase()]
  return [...text].map((character, index) => {
    const alphabet = alphabets.find((one) => one.includes(character)) ?? character
    const byte = bytes[index] ?? 0
    return alphabet[index === 0 && alphabet.length === 10 ? 1 + byte % 9 : byte % alphabet.length]
  }).join("")
}

/** How often a stand-in for a short text is made anew until it differs from the others. */
const patience = 400

/** Nobody's: the asset of a chain, a token's contract, a program, or zeros. */
const isPublic = (text: string, bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0) ||
  chains().some((chain) =>
    [text, `0x${bytesToHex(bytes)}`].some((one) => ownerlessFault(chain, one) !== undefined)
  )

const escaped = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, "\\$&")

const makeStandIns = (names: ReadonlyArray<string>) => {
  const made = new Map<string, Uint8Array | "public">()
  const shapes = new Map<string, string>()
  const isName = new Set(names.filter((name) => name !== "" && spellingOf(name) === undefined))
  const originals = new Set([...isName].filter(({ length }) => length >= shortest))
  const ids = new Set<string>()

  const create = (original: Uint8Array, attempt = 0): Uint8Array => {
    const next = bytesOf(made.size + 1, attempt, original.length)
    return isOfKind(original, next) ? next : create(original, attempt + 1)
  }

  const spelled = (text: string, { bytes, write }: Spelling): string => {
    const key = bytesToHex(bytes)
    const standIn = made.get(key) ?? (isPublic(text, bytes) ? "public" : create(bytes))
    made.set(key, standIn)
    if (standIn === "public") return text
    originals.add(text).add(key).add(bytesToHex(utf8ToBytes(text)))
    return write(standIn)
  }

  const shaped = (text: string): string => {
    const taken = new Set(shapes.values())
    for (let attempt = 0; !shapes.has(text) && attempt <= patience; attempt += 1) {
      const next = inShapeOf(text, bytesOf(shapes.size + 1, attempt, text.length))
      if (next !== text && !taken.has(next) || attempt === patience) shapes.set(text, next)
    }
    if (text.length >= shortest) (/^\d+$/.test(text) ? ids : originals).add(text)
    return shapes.get(text) ?? ""
  }

  const withoutIds = (text: string): string =>
    text.replace(numbers, (number) => ids.has(number) ? shaped(number) : number)

  const piece = (text: string): string => {
    const spelling = spellingOf(text)
    if (spelling !== undefined) return spelled(text, spelling)
    const prefix = /^0x/i.exec(text)?.[0] ?? ""
    return isMixed(text) ? `${prefix}${shaped(text.slice(prefix.length))}` : text
  }

  const token = (text: string): string => {
    if (nearAsset.test(text)) return text
    const isOpaque = text.length >= 40 && /[+/_=-]/.test(text) && isMixed(text) &&
      text !== text.toLowerCase() &&
      !(text.match(pieces) ?? []).some((part) => spellingOf(part) !== undefined)
    return isOpaque ? shaped(text) : text.replace(pieces, piece)
  }

  const bounded = [...isName].map((name) =>
    new RegExp(name.length < shortest ? `(?<=[:/])${escaped(name)}(?=[:/]|$)` : escaped(name), "g")
  )

  const inText = (text: string): string =>
    bounded.reduce(
      (left, name) => left.replace(name, shaped),
      text.replace(uuids, (uuid) => shaped(uuid.toLowerCase())).replace(tokens, token),
    )

  const text = (value: string, member: string): string => {
    if (isName.has(value)) return shaped(value)
    if (isIdMember(member) && idForm.test(value)) return value.replaceAll(/\d{1,40}/g, shaped)
    const written = inText(value)
    if (written !== value || !whoMember.test(member) || /[:\s]/.test(value)) return written
    const end = value.includes(".") ? value.lastIndexOf(".") : value.length
    return spellingOf(value) === undefined ? `${shaped(value.slice(0, end))}${value.slice(end)}` : value
  }

  const walk = (value: unknown, member: string): unknown => {
    if (Predicate.isString(value)) {
      return isAmountMember(member) && /^\d+$/.test(value) ? value : withoutIds(text(value, member))
    }
    if (JSON.isRawJSON(value)) {
      const isId = isIdMember(member) || ids.has(value.rawJSON) && !isAmountMember(member)
      return isId && /^\d+$/.test(value.rawJSON) ? JSON.rawJSON(shaped(value.rawJSON)) : value
    }
    if (Array.isArray(value)) return value.map((item) => walk(item, member))
    if (!Predicate.isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [withoutIds(inText(name)), walk(item, name)]),
    )
  }

  return { originals, walk }
}

/** An original that text has: letters and digits around a short one make it another word. */
const leftIn = (text: string, originals: ReadonlySet<string>): string | undefined => {
  const lower = text.toLowerCase()
  return [...originals].find((original) => {
    const sought = original.toLowerCase()
    return sought.length < 16
      ? new RegExp(`(?<![a-z0-9.])${escaped(sought)}(?![a-z0-9.])`).test(lower)
      : lower.includes(sought)
  })
}

/**
 * The JSON text of a value, numbers as `JSON.rawJSON`, with a stand-in in the place of whatever names somebody; also of
 * `names`, which no form shows as such. Amounts, times, blocks, assets and words stay, an amount even where an ID is
 * equal to it. Fails with the beginning of an original that is left in the text, which must not be given away then.
 */
export const scrub = (value: unknown, names: ReadonlyArray<string>): Result.Result<string, string> => {
  const { originals, walk } = makeStandIns(names)
  // The first walk finds the IDs, which the second replaces in texts before them, too.
  walk(value, "")
  const text = JSON.stringify(walk(value, ""), undefined, 1)
  const left = leftIn(text, originals)
  return left === undefined ? Result.succeed(text) : Result.fail(left.slice(0, 6))
}

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
  { id: swapId, file: Argument.String("file").pipe(Argument.withDescription("Path of a new file")) },
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
