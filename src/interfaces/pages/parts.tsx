import { type Html } from "./jsx-runtime.ts"
import type { ButtonTone } from "./links.tsx"
import type { Value } from "./table.tsx"
import { clipped } from "./visibleText.ts"

/** A colour with a meaning. It never stands alone: a word says the same. */
export type Tone = "plain" | "good" | "warn" | "bad" | "info"

/** The word of a state. Its shape says the same as its colour: a square is bad, a diamond warns, a ring waits. */
export const pill = (text: Html | string, tone: Tone | "wait" = "plain"): Html =>
  <span class={`pill ${tone}`}>{text}</span>

/** A text of somebody else's, in a direction of its own, and only its beginning where it is very long. */
export const untrusted = (text: string, most = 300): Html => <bdi>{clipped(text, most)}</bdi>

/** An id, an address or a hash, which breaks anywhere and is set in one width. */
export const code = (text: string, most = 200): Html => <code>{clipped(text, most)}</code>

/** The most characters of a text that can be copied: no address, hash or memo is longer. */
const mostCopied = 500

/** The same, with a button that copies it where scripts run. `name` says what is copied: "deposit address". */
export const copyable = (text: string, name: string): Html =>
  text.length > mostCopied ? code(text) : <span class="copyable">
    <code>{text}</code>
    <button type="button" class="quiet" hidden data-copy="">
      Copy<span class="un">{" the "}{name}</span>
    </button>
  </span>

/** Text as it came, in lines of its own, only its beginning where it is very long. */
export const verbatim = (text: string, name: string, most = 4_000): Html =>
  <pre tabindex="0" role="region" aria-label={name}><bdi>{clipped(text, most)}</bdi></pre>

/** The same, with a button that copies it where scripts run. */
export const copyableText = (text: string, name: string): Html =>
  <div class="corner">
    {verbatim(text, name, 20_000)}
    <button type="button" class="quiet" hidden data-copy="">
      Copy<span class="un">{" the "}{name}</span>
    </button>
  </div>

/** A part that is opened by who wants to see it. */
export const folded = (summary: Html | string, body: Html, id?: string, isOpen = false): Html =>
  <details id={id} open={isOpen}>
    <summary>{summary}</summary>
    {body}
  </details>

/** A form behind a button. */
export const onDemand = (label: string, form: Html, tone: ButtonTone = "plain"): Html =>
  <details>
    <summary class={`btn ${tone}`}>{label}</summary>
    {form}
  </details>

/** What will stand here, what makes it appear, and the form that does where there is one. */
export const empty = (content: Html | string): Html => <div class="empty">{content}</div>

/** Facts of one thing: names with their values. Values that are absent are left out. */
export const kv = (rows: ReadonlyArray<readonly [name: string, value: Value]>): Html => (<dl class="kv">
  {rows.map(([name, value]) =>
    value !== undefined && (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    )
  )}
</dl>)

/** Parts of a page beside each other, each a column: two equal ones, or a wide one with a narrow one. */
export const columns = (
  shape: "even" | "wide",
  ...parts: ReadonlyArray<Html | ReadonlyArray<Html>>
): Html => <div class={`cols ${shape}`}>{parts.map((part) => <div class="stack">{part}</div>)}</div>

/** A part of a page under a heading. A `live` one updates; a box is for a form or decisions. */
export const section = (
  { title, id, live = false, aside, isBox = false }: {
    readonly title: string
    readonly id: string
    readonly live?: boolean
    readonly aside?: Html | string
    readonly isBox?: boolean
  },
  body: Html | ReadonlyArray<Html>,
): Html =>
  <section aria-labelledby={`${id}-title`} id={id} data-live={live} class={isBox && "box"}>
    <div class="h">
      <h2 id={`${id}-title`}>{title}</h2>
      {aside !== undefined && <span>{aside}</span>}
    </div>
    {body}
  </section>

/** A part of a callout: a heading, a sentence or two, what else belongs to it, and what can be done. */
export interface CalloutPart {
  readonly title?: string
  readonly text?: Html | string
  readonly more?: Html | undefined
  readonly acts?: Html | undefined
}

/** Something that has to be read before the rest: what is wrong, why, what to do. At most one at the top of a page. */
export const note = (
  tone: Tone,
  ...parts: ReadonlyArray<CalloutPart>
): Html => (<div class={`note ${tone}`}>
  {parts.map(({ acts, more, text, title }) => (
    <div>
      {title !== undefined && <h2>{title}</h2>}
      {text !== undefined && <p>{text}</p>}
      {more}
      {acts !== undefined && <div class="acts">{acts}</div>}
    </div>
  ))}
</div>)

/** What a page says after a form was acted on. Readers of screens tell it at once. */
export const done = (text: string): Html =>
  <div class="note good" role="status">
    <div>
      <p>{text}</p>
    </div>
  </div>

/** How a step went: it is done, it failed, it is under way. Others are still to come, or say no more than that. */
export type StepState = "ok" | "no" | "now"

/** A step of a timeline. */
export interface Step {
  readonly state?: StepState | undefined
  readonly title: Html | string
  /** When it was. */
  readonly at?: Html | undefined
  /** What else is said of it, each in lines of its own. */
  readonly texts?: ReadonlyArray<Html | string>
  readonly acts?: Html
}

/** What happened, the latest first, or steps to take. */
export const timeline = (steps: ReadonlyArray<Step>): Html => (<ol class="time">
  {steps.map(({ acts, at, state, texts = [], title }) => (
    <li class={state}>
      <b>{title}</b>
      {at}
      {texts.map((text) => <div class="soft">{text}</div>)}
      {acts !== undefined && <div class="acts">{acts}</div>}
    </li>
  ))}
</ol>)

/** Something that a person has to decide: its kind, what it is about, and the button that leads to it. */
export interface Decision {
  readonly state: Html
  /** A sentence; in a tall list a heading with an explanation. */
  readonly text: Html
  readonly acts: Html | undefined
}

/** Decisions, the worst first. A `tall` list has room for an explanation each. */
export const todo = (decisions: ReadonlyArray<Decision>, shape: "short" | "tall" = "short"): Html => (
  <ul class={`todo ${shape}`}>
    {decisions.map(({ acts, state, text }) =>
      shape === "short"
        ? (
          <li>
            {state}
            <p>{text}</p>
            {acts}
          </li>
        )
        : (
          <li>
            {state}
            <div>{text}</div>
            {acts !== undefined && <div class="acts">{acts}</div>}
          </li>
        )
    )}
  </ul>
)
