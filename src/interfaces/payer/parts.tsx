import { formatUnits } from "#domain/money/Amount.ts"
import type { Money } from "#domain/money/Money.ts"
import type { EpochMillis } from "#domain/Time.ts"
import { type Html } from "../pages/jsx-runtime.ts"
import { clipped } from "../pages/visibleText.ts"
import type { PageText } from "./pageText.tsx"

/** A text of somebody else's in one width: an address, a hash, a memo. */
export const code = (text: string): Html => <code>{clipped(text, 200)}</code>

/** The ends of a text that can be compared with another, and not used in its place. */
export const ends = (text: string): string => `${text.slice(0, 6)}…${text.slice(-6)}`

/** The most characters of a text that can be copied: no address, hash or memo is longer. */
const mostCopied = 500

/** The same, with a button that copies it where scripts run; `what` names it, such as "the address". */
export const copyable = (text: string, what: string, writer: PageText): Html =>
  text.length > mostCopied ? code(text) : <span class="copyable">
    <code>{text}</code>
    {copies(what, writer)}
  </span>

/** The button that copies the text of the element before it, of an amount the number alone. */
export const copies = (what: string, { label, say }: PageText): Html =>
  <button type="button" class="quiet" hidden data-copy="" aria-label={label("copyWhat", { what })}>
    {say("copy")}
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
        {use === "send" && copies(say("theAmount"), writer)}
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
