import { type AssetId, factsOf } from "../domain/Asset.ts"
import { formatUnits } from "../domain/Amount.ts"
import { relativeTime } from "../domain/lasting.ts"
import { type EpochMillis, toIsoDate } from "../domain/Time.ts"
import { attributes, type Html, html, nothing } from "./html.ts"
import { clipped } from "./visibleText.ts"
import type { Url } from "./Url.ts"

/** A colour with a meaning. It never stands alone: a word says the same. */
export type Tone = "plain" | "good" | "warn" | "bad" | "info"

/** A word in a coloured field: a state, a result. */
export const badge = (text: string, tone: Tone = "plain"): Html =>
  html`<span class="badge ${tone}">${text}</span>`

/** A text of somebody else's, in a direction of its own, and only its beginning where it is very long. */
export const foreign = (text: string, most = 300): Html => html`<bdi>${clipped(text, most)}</bdi>`

/** An id, an address or a hash, which breaks anywhere and is set in one width. */
export const code = (text: string, most = 200): Html => html`<code>${clipped(text, most)}</code>`

/** The most characters of a text that can be copied: no address, hash or memo is longer. */
const mostCopied = 500

/** The same, with a button that copies it where scripts run. `name` says what is copied: "deposit address". */
export const copyable = (text: string, name: string): Html =>
  text.length > mostCopied ? code(text) : html`
    <span
      class="copyable"><code>${text}</code><button type="button" class="quiet" hidden data-copy="">Copy<span class="unseen"> the ${name}</span></button></span>
  `

/** `2026-07-29 14:04:24 UTC`. */
export const exactTime = (at: EpochMillis): string =>
  `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`

/** A time, relative to now and exact beside it. */
export const time = (at: EpochMillis, now: EpochMillis): Html =>
  html`
    <time datetime="${toIsoDate(at)}"><span>${relativeTime(at, now)}</span> <span class="exact">${exactTime(
      at,
    )}</span></time>
  `

/** An amount, exact, with the ticker of its asset. */
export const amount = (asset: AssetId, native: bigint): Html =>
  html`<span class="amount">${formatUnits(asset, native)} <abbr title="${asset}">${
    factsOf(asset).ticker
  }</abbr></span>`

/** What can be shown as a value; undefined where there is nothing to show. */
export type Value = Html | string | number | undefined

/** What is shown of a value where it is there. */
export const known = <A>(value: A | undefined, show: (value: A) => Value): Value =>
  value === undefined ? undefined : show(value)

/**
 * A column of a table: its label, and what it shows of a row, a dash where that is nothing. Numbers are aligned by
 * their last digit.
 */
export type Column<Row> = readonly [label: string, cell: (row: Row, index: number) => Value, kind?: "number"]

/** The columns of a kind of rows, in their order. */
export type Columns<Row> = ReadonlyArray<Column<Row>>

/** The most columns for which there is room on a narrow screen. Rows of more become blocks of names and values there. */
const mostAbreast = 3

/** A table with its caption, which is also the name of the area that can be scrolled; `empty` says what to do. */
export const table = <Row>(
  { caption, columns, rows, empty }: {
    readonly caption: string
    readonly columns: Columns<Row>
    readonly rows: ReadonlyArray<Row>
    readonly empty: Html | string
  },
): Html => {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  // Said once for the table where it can be: a page has thousands of cells.
  const [, ...others] = columns
  const isNumbers = others.length > 0 && others.every(([, , kind]) => kind === "number")
  const isMany = columns.length > mostAbreast
  const cellsOf = (row: Row, index: number) =>
    columns.map(([label, cell, kind]) =>
      html`<td ${attributes({ class: !isNumbers && kind, "data-label": isMany && label })}>${
        cell(row, index) ?? "–"
      }</td>`
    )
  const names = [isMany && "many", isNumbers && "numbers"].filter((name) => name !== false).join(" ")
  return html`
    <div class="scroll" role="region" aria-label="${caption}" tabindex="0">
      <table ${attributes({ class: names !== "" && names })}>
        <caption class="unseen">${caption}</caption>
        <thead>
          <tr>${columns.map(([label, , kind]) =>
            html`<th scope="col" ${attributes({ class: !isNumbers && kind })}>${label}</th>`
          )}</tr>
        </thead>
        <tbody>${rows.map((row, index) => html`<tr>${cellsOf(row, index)}</tr>`)}</tbody>
      </table>
    </div>
  `
}

/** Names with their values. Values that are absent are left out. */
export const facts = (rows: ReadonlyArray<readonly [name: string, value: Value]>): Html =>
  html`<dl class="facts">${
    rows.map(([name, value]) =>
      value !== undefined && html`
        <div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>
      `
    )
  }</dl>`

/** A few figures that a page begins with. */
export const figures = (
  rows: ReadonlyArray<
    { readonly name: string; readonly value: Html | string; readonly note?: Html | string }
  >,
): Html =>
  html`<dl class="figures">${
    rows.map(({ name, value, note }) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd>${value}${note !== undefined && html`<small>${note}</small>`}</dd>
        </div>
      `
    )
  }</dl>`

/** A part of a page under a heading. A `live` one is brought up to date while it is looked at. */
export const section = (
  { title, id, live = false, aside = nothing }: {
    readonly title: string
    readonly id: string
    readonly live?: boolean
    readonly aside?: Html
  },
  body: Html | ReadonlyArray<Html>,
): Html =>
  html`<section aria-labelledby="${id}-title" ${attributes({ id, "data-live": live })}>
<div class="heading"><h2 id="${id}-title">${title}</h2>${aside}</div>
${body}
</section>`

/** Something that has to be read before the rest. */
export const notice = (tone: Tone, body: Html | string): Html =>
  html`
    <div class="notice ${tone}">
      <p>${body}</p>
    </div>
  `

/** A part that is opened by who wants to see it. */
export const folded = (summary: Html | string, body: Html, id?: string): Html =>
  html`<details ${attributes({ id })}><summary>${summary}</summary>${body}</details>`

/** Text as it came, in lines of its own, only its beginning where it is very long. */
export const verbatim = (text: string, name: string, most = 4_000): Html =>
  html`<pre tabindex="0" role="region" aria-label="${name}"><bdi>${clipped(text, most)}</bdi></pre>`

/** The links before and after a page of a list. */
export const pager = (
  { first, next }: { readonly first?: Url | undefined; readonly next?: Url | undefined },
): Html =>
  first === undefined && next === undefined
    ? nothing
    : html`<nav class="pager" aria-label="More of the list">${
      first !== undefined && html`<a class="button" href="${first}">Back to the first</a>`
    }${next !== undefined && html`<a class="button" rel="next" href="${next}">Next page</a>`}</nav>`
