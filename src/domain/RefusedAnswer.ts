import { Schema } from "effect"
import { ProviderOperation } from "./ProviderError.ts"
import { ProviderName } from "./ProviderName.ts"
import { storableText } from "./storable.ts"
import { EpochMillis } from "./Time.ts"

/** What was wrong with an answer: the member, what was expected there and what came. */
export interface AnswerFault {
  /** The member, such as `[0].egressAmount`; `body` where it is about the whole answer. */
  readonly path: string
  /** Absent where the fault is told in a sentence. */
  readonly expected?: string
  readonly came: string
}

/** Characters that move the cursor, change colours or turn the direction of writing. */
const unseen = /[\p{Cc}\p{Cf}]/gu

const longestText = 200
const longestPath = 120

/** Names and values are an upstream's: one line of them, not too long, that can be shown and stored. */
const shown = (text: string, most: number): string => {
  const line = storableText(text.replaceAll(unseen, "?"))
  return line.length > most ? `${line.slice(0, most)}…` : line
}

/** The pattern of a path: which element of a list it was makes no difference. */
export const patternOf = (path: string): string => path.replaceAll(/\[[0-9]+\]/g, "[*]")

/** The parts of `expected …, got …`; the whole text came where it says something else. */
export const partsOf = (detail: string): Pick<AnswerFault, "expected" | "came"> => {
  const [, expected, came] = /^expected (.*), got (.*)$/s.exec(detail) ?? []
  return expected === undefined || came === undefined ? { came: detail } : { expected, came }
}

/** The path and the rest of `[0].egressAmount: expected …, got …`; nothing where a text has no path. */
export const pathIn = (detail: string): readonly [path: string, rest: string] | undefined => {
  const [, path, rest] = /^([^\s:]{1,200}): (.*)$/s.exec(detail) ?? []
  return path === undefined || rest === undefined ? undefined : [path, rest]
}

/** The fault that the detail of a `MalformedBody` tells. */
export const faultOf = (detail: string): AnswerFault => {
  const [path, rest] = pathIn(detail) ?? ["body", detail]
  const { came, expected } = partsOf(rest)
  return {
    path: shown(path, longestPath),
    ...(expected === undefined ? {} : { expected: shown(expected, longestText) }),
    came: shown(came, longestText),
  }
}

/** An answer of an upstream that was refused, with its body: only the beginning of a very long one. */
export const RefusedAnswer = Schema.Struct({
  provider: ProviderName,
  operation: ProviderOperation,
  at: EpochMillis,
  /** The upstream's own name of the call; absent, as the body, where the provider does not tell its exchanges. */
  call: Schema.optionalKey(Schema.String),
  path: Schema.String,
  expected: Schema.optionalKey(Schema.String),
  came: Schema.String,
  body: Schema.optionalKey(Schema.Struct({ text: Schema.String, length: Schema.Int })),
})
export type RefusedAnswer = typeof RefusedAnswer.Type
