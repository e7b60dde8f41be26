/**
 * Every pattern of `src`, and what reads strangers' texts without one, over the worst texts of 16, 32 and 64 kB that can
 * be made for each: parts of the pattern and of JSON, repeated, behind others, in pairs, and almost to their end.
 */
import { Option } from "effect"
import { harmless } from "#test/architecture/support/harmlessPatterns.ts"
import { type Pattern, patterns } from "#test/architecture/support/patterns.ts"
import { AddressBlock } from "#infrastructure/platform/IpAddress.ts"
import { withoutExponent } from "#domain/money/Decimal.ts"
import { faultOf } from "#domain/RefusedAnswer.ts"
import { parseJsonText, repeatedMembers } from "#domain/JsonText.ts"
import { storableJson, storableText } from "#domain/storable.ts"
import { clientAddress } from "#interfaces/http/server/Server.ts"
import { visibleText } from "#interfaces/pages/visibleText.ts"
import { prefersCsv } from "#interfaces/http/prefersCsv.ts"
import { upstreamText } from "#providers/upstream/failures.ts"
import { acceptedEncoding, isKnownTag } from "#interfaces/requests/compressible.ts"
import { hideCredentials } from "#interfaces/requests/RequestMeta.ts"
import { nearMiss } from "#interfaces/requests/nearNames.ts"
import { redactValues } from "#interfaces/requests/failedRequests.ts"
import { atMost, type Judged, judgedCells } from "./goal.ts"
import { table } from "./table.ts"

/** Something that reads text, and the parts of which texts are made for it. */
interface Reader {
  readonly name: string
  readonly read: (text: string) => unknown
  readonly parts: ReadonlyArray<string>
  /** The most characters that it is given. */
  readonly longest: number
}

/** The time of a reader over its worst text. */
export interface Reading {
  readonly name: string
  readonly text: string
  /** Milliseconds for 16, 32 and 64 kB. */
  readonly millis: readonly [number, number, number]
  readonly judged: Judged
}

export interface PatternFigures {
  readonly readers: number
  /** Those that take longest for 64 kB. */
  readonly slowest: ReadonlyArray<Reading>
}

const whole = 65_536
const screened = 3_000
const shown = 12
/** A part of the 50 ms that no text may hold the process up for. */
const mostMillis = 10

const everyPart = ['"', "\\", "{", "[", ",", " ", "a", "1", "0", "-", "/", "%"]

/** The literal parts of a pattern, which texts that almost match are made of. */
const partsOf = ({ source }: Pattern): ReadonlyArray<string> =>
  source.replaceAll(
    /\(\?(?:<?[=!]|:)|\\[bBdDwWsS]|\\[pP]\{[^}]*\}|\[(?:\\.|[^\]\\])*\]|\{[\d,]*\}|[()|^$*+?.]/g,
    "\0",
  )
    .replaceAll(/\\(.)/g, "$1").split("\0").filter((part) => part !== "")

const repeated = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** Makes texts of a length, by what they are made of. */
const textsFor = (
  parts: ReadonlyArray<string>,
): ReadonlyArray<readonly [string, (length: number) => string]> =>
  parts.flatMap((one) => [
    [`${one}…`, (length: number) => repeated(one, length)] as const,
    ...parts.flatMap((other) => [
      [`${other} ${one}… !`, (length: number) => `${other}${repeated(one, length)}\n!`] as const,
      [`(${one}${other})…`, (length: number) => repeated(`${one}${other}`, length)] as const,
    ]),
  ])

const once = (read: Reader["read"], text: string): number => {
  const begin = performance.now()
  read(text)
  return performance.now() - begin
}

/** The quickest of some: other work of the machine makes some slower. */
const millisOf = (read: Reader["read"], text: string): number =>
  Math.min(...Array.from({ length: 3 }, () => once(read, text)))

const measured = ({ longest, name, parts, read }: Reader): Reading | undefined => {
  const texts = textsFor([...new Set([...parts, ...everyPart])].slice(0, 18))
  const quick = texts.map(([text, make]) => ({
    text,
    make,
    millis: once(read, make(Math.min(screened, longest))),
  }))
  const candidates = quick.toSorted((one, other) => other.millis - one.millis).slice(0, 3)
  const all = candidates.map(({ make, text }): Reading => {
    const [short, middle, long] = [whole / 4, whole / 2, whole].map((length) =>
      millisOf(read, make(Math.min(length, longest)))
    )
    const millis = [short ?? 0, middle ?? 0, long ?? 0] as const
    return { name, text, millis, judged: atMost(mostMillis, millis[2]) }
  })
  return all.toSorted((one, other) => other.judged.value - one.judged.value)[0]
}

const limits = new Map(
  harmless.flatMap(({ all, longest = whole }) => all.map((pattern) => [`${pattern}`, longest] as const)),
)

const patternReaders = patterns.map((pattern): Reader => {
  const expression = new RegExp(pattern.source, pattern.flags)
  return {
    name: `${expression}`,
    read: (text) => expression.global ? text.replaceAll(expression, "") : expression.exec(text),
    parts: partsOf(pattern),
    longest: limits.get(`${expression}`) ?? whole,
  }
}).filter(({ longest }) => longest > 0)

const names = [
  "sourceAsset",
  "destinationAsset",
  "destinationAddress",
  "refundAddress",
  "minimumPrice",
  "amount",
]
const proxies = clientAddress([AddressBlock.make("127.0.0.0/8")])
const noHeaders = { forEach: () => undefined }

const functions: Readonly<Record<string, readonly [read: Reader["read"], parts: ReadonlyArray<string>]>> = {
  upstreamText: [upstreamText, ["://", "http://", ":/"]],
  withoutValues: [(text) => redactValues(text, [text]), ["“", "`"]],
  "repeatedMembers of JSON": [
    (text) => Option.map(parseJsonText(`{"a":[${text}]}`), (json) => repeatedMembers(json)),
    ['{"a":1},', '"\\"",', "[[]],", '{"a":{"a":{}}},'],
  ],
  withoutExponent: [withoutExponent, ["1e", "e", "."]],
  "hideCredentials, of the longest URL": [
    (text) => hideCredentials(`/quotes?${text.slice(0, 8_192)}`, noHeaders),
    ["apikey=", "apiKey=1&", "APIKEY&", "%41", "rpc/"],
  ],
  nearMiss: [(text) => nearMiss(text, names), ["affiliate1", "slippage", "minimumPric"]],
  "nearMiss of as many names as are compared": [
    () => Array.from({ length: 200 }, (_, index) => nearMiss(`minimumPric${index}`, names)),
    [],
  ],
  storableText: [storableText, ["\0", "\ud800"]],
  storableJson: [(text) => storableJson(JSON.stringify(text)), ["\0", "\ud800"]],
  visibleText: [visibleText, ["\u202e", "\u200b"]],
  clientAddress: [(text) => proxies("127.0.0.1", text), ["127.0.0.1,", "::ffff:127.0.0.1,", "[::1]:1,"]],
  faultOf: [faultOf, ["expected ", ", got ", ": "]],
  isKnownTag: [(text) => isKnownTag(text, '"x"'), ['W/"', '""']],
  acceptedEncoding: [acceptedEncoding, ["gzip;q=0.1,", "br,", ";q="]],
  prefersCsv: [prefersCsv, ["text/csv,", "*/*;q=0,", ";q=0.5"]],
}

const functionReaders = Object.entries(functions).map(([name, [read, parts]]): Reader => ({
  name,
  read,
  parts,
  longest: whole,
}))

/** Measures all, with those first that take longest. */
export const measurePatterns = (): PatternFigures => {
  const readers = [...patternReaders, ...functionReaders]
  const slowest = readers.flatMap((reader) => measured(reader) ?? [])
    .toSorted((one, other) => other.judged.value - one.judged.value)
  return { readers: readers.length, slowest: slowest.slice(0, shown) }
}

/** The figures as a person reads them. */
export const renderPatterns = ({ readers, slowest }: PatternFigures): string =>
  table([
    [`The slowest of ${readers} readers, ms`, "16 kB", "32 kB", "64 kB", "64/32", "goal", "reached", "text"],
    ...slowest.map(({ judged, millis: [short, middle, long], name, text }) => {
      const [value, goal, reached] = judgedCells(judged, 2)
      const cells = [short.toFixed(2), middle.toFixed(2), value, (long / middle).toFixed(1), goal, reached]
      return [name.slice(0, 70), ...cells, JSON.stringify(text.slice(0, 40))] as const
    }),
  ])
