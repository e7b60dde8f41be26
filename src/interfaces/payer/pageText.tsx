import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import type { Money } from "#domain/money/Money.ts"
import type { Warning } from "#domain/swaps/payment/warnings.ts"
import type { Moment } from "#application/guidance/textValues.ts"
import { linesOf, piecesOf } from "#application/guidance/words/renderGuidance.ts"
import { type Html } from "../pages/jsx-runtime.ts"
import { durationText } from "#domain/durationText.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import { money, rounded } from "./figures.tsx"
import type { Language } from "./words/languages.ts"
import type { PayerValues } from "./words/english/guidance.ts"
import type { NamesOf, PageKey } from "./words/translation.ts"

/** The words that name nothing. */
type PlainKey = { [Key in PageKey]: [NamesOf<Key>] extends [never] ? Key : never }[PageKey]

type PartsOf<Key extends PageKey, Part> = Readonly<Record<NamesOf<Key>, Part>>

/** Writes the words of the page in one language. */
export interface PageText {
  readonly language: Language
  readonly say: (key: PlainKey) => string
  /** A word with what its names stand for. */
  readonly fill: <Key extends Exclude<PageKey, PlainKey>>(
    key: Key,
    parts: PartsOf<Key, Html | string>,
  ) => Html
  /** The same as text, such as for a label. */
  readonly label: <Key extends Exclude<PageKey, PlainKey>>(key: Key, parts: PartsOf<Key, string>) => string
  /** What is said in a phase: where the swap stands, then what can be done. */
  readonly guidance: (phase: SwapPhase, values: PayerValues) => ReadonlyArray<Html>
  readonly warning: (warning: Warning) => Html
  /** An amount, exact. */
  readonly money: (amount: Money) => Html
  /** The same rounded; its value is the exact one. */
  readonly short: (amount: Money) => Html
  /** `1 day 2 h`, from a minute without seconds. */
  readonly duration: (millis: number) => string
  /** `24 Nov 2026, 15:40 UTC`, without a part of its last minute; the script tells it by the reader's clock. */
  readonly exact: (at: EpochMillis) => Html
}

const minute = 60_000

const isSaid = (pieces: ReadonlyArray<unknown>): boolean => pieces.length > 0

/** The writer of a language. */
export const pageTextOf = (language: Language): PageText => {
  const { dates, point, words: { page, phases, phrases, warnings } } = language
  const exact = (at: EpochMillis): Html => (
    <time datetime={toIsoDate(at)} data-here={page.yourTime}>{dates.format(at)} UTC</time>
  )
  const shown = (pieces: ReadonlyArray<string | Money | Moment>): Html => (
    <>
      {pieces.map((piece) =>
        typeof piece === "string" ? piece : "at" in piece ? exact(piece.at) : money(piece, point)
      )}
    </>
  )
  const filled = <Part,>(
    key: PageKey,
    parts: Readonly<Record<string, Part | string>>,
  ): ReadonlyArray<Part | string> =>
    page[key].split(/\{(\w+)\}/).map((text, index) => index % 2 === 0 ? text : parts[text] ?? "")
  return {
    language,
    say: (key) => page[key],
    fill: (key, parts) => <>{filled<Html | string>(key, parts)}</>,
    label: (key, parts) => filled<string>(key, parts).join(""),
    guidance: (phase, values) =>
      linesOf(phases[phase]).map((line) => piecesOf<Money | Moment>(line, values, phrases))
        .filter(isSaid).map(shown),
    warning: ({ key, parts }) => shown(piecesOf<Money>(warnings[key], parts, {})),
    money: (amount) => money(amount, point),
    short: (amount) => rounded(amount, point),
    duration: (millis) =>
      durationText(millis < minute ? millis : millis - millis % minute).replace(
        /^(\d+) d\b/,
        (_, days) => `${days} ${page[days === "1" ? "day" : "days"]}`,
      ),
    exact,
  }
}
