import { type Html, nothing, type Url } from "./jsx-runtime.ts"
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

/** How a button looks: the one filled button of a page, one that ends something, a quiet one. */
export type ButtonTone = "plain" | "go" | "stop" | "quiet"

/** A link that looks like a button. */
export const button = (label: Html | string, to: Url, tone: ButtonTone = "plain"): Html =>
  <a class={`btn ${tone}`} href={to}>{label}</a>

/** Buttons and forms in a line. */
export const acts = (...parts: ReadonlyArray<Html | undefined | false>): Html =>
  <div class="acts">{parts}</div>

/** A link to another view of the same. */
interface Choosable {
  readonly label: string
  readonly to: Url
  readonly isCurrent: boolean
}

/** A choice of a period or a form of the same, each a link: `24 h`, `7 d`. */
export const segments = (
  label: string,
  choices: ReadonlyArray<Choosable>,
): Html => (<nav class="seg" aria-label={label}>
  {choices.map(({ isCurrent, label, to }) => <a href={to} aria-current={isCurrent && "true"}>{label}</a>)}
</nav>)

/** Saved views or parts of a thing, with how many are in each; counts that need a person are tinted. */
export const tabs = (
  label: string,
  views: ReadonlyArray<Choosable & { readonly count?: number | string; readonly tone?: "warn" | "bad" }>,
): Html => (<nav class="tabs" aria-label={label}>
  {views.map(({ count, isCurrent, label, to, tone = "" }) => (
    <a href={to} aria-current={isCurrent && "page"}>
      {label} {count !== undefined && <span class={`n ${tone}`}>{count}</span>}
    </a>
  ))}
</nav>)

/** What a list says under it: how many and their sums, and the links to the first and the next page. */
export const pager = (
  { first, next, said }: {
    readonly said?: Html | string
    readonly first?: Url | undefined
    readonly next?: Url | undefined
  },
): Html =>
  first === undefined && next === undefined && said === undefined ? nothing : (
    <nav class="pager" aria-label="More of the list">
      <span>{said}</span>
      <span class="acts">
        {first !== undefined &&
          <a class="btn" href={first}>First page</a>}
        {next !== undefined &&
          <a class="btn" rel="next" href={next}>Next page</a>}
      </span>
    </nav>
  )

/** A form behind a button. */
export const onDemand = (label: string, form: Html, tone: ButtonTone = "plain"): Html =>
  <details>
    <summary class={`btn ${tone}`}>{label}</summary>
    {form}
  </details>

/** What will stand here, what makes it appear, and the form that does where there is one. */
export const empty = (content: Html | string): Html => <div class="empty">{content}</div>

/** What can be shown as a value; undefined where there is nothing to show. */
export type Value = Html | string | number | undefined

/** What is shown of a value where it is there. */
export const known = <A,>(value: A | undefined, show: (value: A) => Value): Value =>
  value === undefined ? undefined : show(value)

/**
 * What a card of 390 px does with a cell: `a` is the name, `b` the figure at the right, `all` takes a line, `x` is left
 * out. Others follow with their word before them. Those of the list of swaps are named by what they are: `cs` state,
 * `ci` id, `ct` age, `cp` paid in, `cq` paid out, `cv` value, `cw` provider.
 */
type Place = "a" | "b" | "x" | "all" | "ci" | "cs" | "ct" | "cp" | "cp cq" | "cv" | "cw"

/** How a column is written: numbers are aligned by their last digit; a place of a card; both. */
type ColumnKind = "number" | Place | `number ${Place}`

/**
 * A column of a table: its label, what it shows of a row, a dash where that is nothing, and its kind. Where no column is
 * `a`, the first is. `word` stands before the value in a card; without it the label does, and nothing where it is empty.
 */
export type Column<Row> = readonly [
  label: string,
  cell: (row: Row, index: number) => Value,
  kind?: ColumnKind | undefined,
  word?: string,
]

/** The columns of a kind of rows, in their order. */
export type Columns<Row> = ReadonlyArray<Column<Row>>

/** The label as it stands before a value, in small letters unless it is an abbreviation: `paid out`, `USD`. */
const wordOf = (label: string): string => label.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase())

interface Cell {
  readonly look: string
  /** What stands before the value in a card. */
  readonly word: string
}

const cellOf = <Row,>([label, , kind, word = wordOf(label)]: Column<Row>, isName: boolean): Cell => {
  const place = isName ? "a" : kind?.replace(/^number ?/, "") ?? ""
  const look = [kind?.startsWith("number") === true ? "r" : "", place].filter((name) => name !== "").join(" ")
  return { look, word: place === "" ? word : "" }
}

/** What a card leaves out: a dash, a zero, none. */
const isNothing = (value: Value): boolean =>
  value === undefined || value === 0 || value === "0" || value === "none"

const plainCell: Cell = { look: "", word: "" }

/**
 * A table with its caption, which is also the name of the area that can be scrolled; `empty` says what will stand here
 * and what makes it appear. `totals` are those of the columns, the word of the row first. On a narrow screen its rows
 * are cards, but those of `figures`, which are numbers after the first column. A row whose `group` is another one than
 * that of the row before stands below its name.
 */
export const table = <Row,>(
  { caption, columns, rows, empty, totals, look, group = () => "" }: {
    readonly caption: string
    readonly columns: Columns<Row>
    readonly rows: ReadonlyArray<Row>
    readonly empty: Html | string
    readonly totals?: ReadonlyArray<Value>
    readonly look?: "swaps" | "figures"
    readonly group?: (row: Row) => string
  },
): Html => {
  if (rows.length === 0) return <div class="empty">{empty}</div>
  const hasName = columns.some(([, , kind]) => kind === "a" || kind?.startsWith("c"))
  const cells = columns.map((column, index) =>
    look === "figures" ? plainCell : cellOf(column, !hasName && index === 0)
  )
  const head = columns.map(([label], index) => (
    <th scope="col" class={/^r\b/.test(cells[index]?.look ?? "") && "r"}>{label}</th>
  ))
  const cellAt = (value: Value, index: number): Html => {
    const { look, word } = cells[index] ?? plainCell
    const names = word !== "" && isNothing(value) ? `${look} x`.trim() : look
    return <td class={names !== "" && names} data-l={word !== "" && word}>{value ?? "–"}</td>
  }
  const cellsOf = (row: Row, at: number) => columns.map(([, show], index) => cellAt(show(row, at), index))
  const rowOf = (row: Row, index: number): Html => {
    const name = group(row)
    const before = rows[index - 1]
    return (
      <>
        {name !== "" && (before === undefined || group(before) !== name) && (
          <tr class="group">
            <th scope="rowgroup" colspan={`${columns.length}`}>{name}</th>
          </tr>
        )}
        <tr>{cellsOf(row, index)}</tr>
      </>
    )
  }
  const total = (value: Value, index: number): Html =>
    index === 0 ? <th scope="row" class="a">{value}</th> : cellAt(value ?? "", index)
  const name = look === "figures" ? look : look === undefined ? "cards" : `cards ${look}`
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex="0">
      <table class={name}>
        <caption class="un">{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{rows.map(rowOf)}</tbody>
        {totals !== undefined && (
          <tfoot>
            <tr>{totals.map(total)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

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

/** How a step went: it is done, it failed, it is under way, it is still to come. Others say no more than that. */
export type StepState = "ok" | "no" | "now" | "next"

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
