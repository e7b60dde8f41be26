import type { LateDeposit } from "#domain/swaps/Channel.ts"
import { formatUnits } from "#domain/money/Amount.ts"
import type { Money } from "#domain/money/Money.ts"
import { type EpochMillis, toIsoDate } from "#domain/Time.ts"
import type { Html } from "../pages/jsx-runtime.ts"
import { clipped } from "../pages/visibleText.ts"
import type { SwapPhase } from "#domain/swaps/Guidance.ts"
import type { Warning } from "#domain/swaps/payment/warnings.ts"
import type { Moment } from "#application/guidance/textValues.ts"
import { linesOf, piecesOf } from "#application/guidance/words/sentences.ts"
import { durationText } from "#domain/durationText.ts"
import type { PageLanguage } from "./words/languages.ts"
import type { PayerValues } from "./words/english/guidance.ts"
import type { NamesOf, PageKey } from "./words/translation.ts"
import { listAmount } from "#domain/money/listAmount.ts"
import { assetName } from "../pages/values.tsx"

/** A text of somebody else's in one width: an address, a hash, a memo. */
export const code = (text: string): Html => <code>{clipped(text, 200)}</code>

/** The ends of a text that can be compared with another, and not used in its place. */
export const ends = (text: string): string => `${text.slice(0, 6)}…${text.slice(-6)}`

/** The most characters of a text that can be copied: no address, hash or memo is longer. */
const mostCopied = 500

/** The words that name nothing. */
type PlainKey = { [Key in PageKey]: [NamesOf<Key>] extends [never] ? Key : never }[PageKey]

type PartsOf<Key extends PageKey, Part> = Readonly<Record<NamesOf<Key>, Part>>

type Point = PageLanguage["point"]

/** The number with its point; what separates thousands is drawn by the style, so that it is not copied. */
const grouped = (text: string, point: Point): Html => {
  const [whole = "", fraction] = text.split(".")
  const [first, ...others] = whole.replaceAll(/\d(?=(?:\d{3})+$)/g, "$& ").split(" ")
  return (
    <>
      {first}
      {others.map((digits) => <span class={whole.length === 4 ? "k few" : "k"}>{digits}</span>)}
      {fraction !== undefined && `${point}${fraction}`}
    </>
  )
}

/** An amount with its asset and chain, its digits exact or as `written`. No line breaks before the ticker. */
const money = ({ asset, native }: Money, point: Point, written?: string): Html => {
  const value = formatUnits(asset, native)
  return (
    <span class="am">
      <data value={value}>{grouped(written ?? value, point)}</data>
      {"\u00a0"}
      {assetName(asset)}
    </span>
  )
}

/** An amount rounded as the operator's lists round it; its value is the exact one. */
const rounded = (amount: Money, point: Point): Html =>
  money(amount, point, listAmount(amount.asset, amount.native).replaceAll(",", ""))

/** Writes the words of the page in one language. */
export interface PageText {
  readonly language: PageLanguage
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
  /** What comes of a payment after the deadline. */
  readonly late: (lateDeposit: LateDeposit) => Html
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

export const pageTextOf = (language: PageLanguage): PageText => {
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
    late: (lateDeposit) => shown(piecesOf<Money>("{late}", { lateDeposit }, phrases)),
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

/** The same, with a button that copies it where scripts run; `what` names it, such as "address". */
export const copyable = (text: string, what: string, writer: PageText, isNamed = false): Html =>
  text.length > mostCopied ? code(text) : <span class="copyable">
    <code>{text}</code>
    {copies(what, writer, isNamed)}
  </span>

/** The button that copies the text of the element before it, of an amount the number alone; one that `isNamed` shows what. */
export const copies = (what: string, { label, say }: PageText, isNamed = false): Html =>
  <button type="button" class="quiet" hidden data-copy="" aria-label={label("copyWhat", { what })}>
    {isNamed ? label("copyWhat", { what }) : say("copy")}
  </button>

/** A time, relative to now and exact beside it. */
export const time = (at: EpochMillis, now: EpochMillis, { duration, exact, label, say }: PageText): Html => {
  const distance = Math.abs(now - at)
  const relative = distance < 1_000
    ? say("now")
    : label(at <= now ? "ago" : "ahead", { time: duration(distance) })
  return (
    <>
      {relative} <span class="exact">· {exact(at)}</span>
    </>
  )
}

/** The most digits of an amount that are written largest, and the most that are written large. */
const mostLargest = 6
const mostLarge = 12

/**
 * The amount that the eye meets first. Where it is to be sent it has all its digits; otherwise its first ones where they
 * are too many, and all of them below.
 */
export const headline = (amount: Money, writer: PageText, use: "send" | "read"): Html => {
  const digits = formatUnits(amount.asset, amount.native).length
  const isShort = use !== "send" && digits > mostLarge
  const { money, say, short } = writer
  return (
    <>
      <p class={digits > mostLargest ? "big long copyable" : "big copyable"}>
        {isShort ? short(amount) : money(amount)}
        {use === "send" && copies(say("theAmount"), writer, true)}
      </p>
      {isShort && <p class="soft">{money(amount)}</p>}
    </>
  )
}

/** A part of the page under a heading; `level` is 1 for the first, which names the page. */
export const card = (
  { aside, id, level = 2, title }: {
    readonly title: Html | string
    readonly id: string
    readonly level?: 1 | 2
    readonly aside?: Html | undefined
  },
  body: Html | ReadonlyArray<Html>,
): Html => {
  const heading = { id: `${id}-title` }
  return (
    <section class="box stack tight" aria-labelledby={heading.id} id={id}>
      <div class="due">
        {level === 1 ? <h1 {...heading}>{title}</h1> : <h2 {...heading}>{title}</h2>}
        {aside}
      </div>
      {body}
    </section>
  )
}
